/**
 * The README and the guide are right: every command in them runs and prints what the page shows, and every command,
 * flag, variable and link in them exists. The rules for blocks are in test/rig/guide.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { commands } from '../../../src/cli/command-table.ts'
import { daemonCommands } from '../../../src/cli/table/loopd.ts'
import { commonFlags } from '../../../src/options/table/command.ts'
import { type DaemonRig, makeDaemonRig } from '../../rig/daemon.ts'
import {
  type Block,
  callsOf,
  type Page,
  pages,
  shows,
  spansOf,
  withoutChance,
  wrongWith,
} from '../../rig/guide.ts'
import { freePort } from '../../rig/port.ts'
import { root } from '../../rig/rig.ts'

const all = pages()

describe('every command of a page runs, in order, in an empty home', { concurrency: 2 }, () => {
  for (const page of all) {
    test(page.path, async t => {
      const rig = makeDaemonRig(t)
      const home = rig.env['HOME'] ?? ''
      // The port in the documentation may be taken by the loopd of another test.
      if (page.text.includes('loopd'))
        await rig.loop(['config', 'set', 'web_ui_port', String(await freePort())])
      let cwd = home
      for (const block of page.blocks.filter(isRun)) {
        const ran = await runBlock(rig, block, cwd)
        const place = `${page.path}:${block.line}`
        assert.equal(ran.code, exitCodeOf(block), `${place}\n${block.text}\n${ran.printed}`)
        cwd = ran.cwd
        if (block.output === null) continue
        const known = { home, ids: rig.loops() }
        const [shown, printed] = [block.output, ran.printed].map(text => withoutChance(text, known))
        if (!shows(shown ?? '', printed ?? '')) assert.equal(printed, shown, `what ${place} prints`)
      }
    })
  }
})

function isRun({ language, options }: Block): boolean {
  return language === 'sh' && !options.includes('norun')
}

function exitCodeOf({ options }: Block): number {
  return Number(options.find(option => option.startsWith('exit='))?.slice('exit='.length) ?? 0)
}

/** Runs the block as one script that ends at the first failing command; the next block begins in its last directory. */
async function runBlock(rig: DaemonRig, block: Block, cwd: string) {
  const there = join(rig.aside, 'cwd')
  writeFileSync(there, cwd)
  const script = `set -e\ntrap 'pwd > "$ASIDE/cwd"' EXIT\nexec 2>&1\n${block.text}`
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: block.options.includes('in=checkout') ? root : cwd,
    env: { ...rig.env, TMPDIR: rig.aside, PATH: `${join(root, 'bin')}:${rig.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    printed += text
  })
  const code = await new Promise(resolve => void child.once('close', resolve))
  return { code, printed, cwd: readFileSync(there, 'utf8').trim() }
}

test('every block says what it is', () => {
  const known = ['sh', 'text', 'json', 'yaml']
  const strange = all.flatMap(({ path, blocks }) =>
    blocks
      .filter(({ language, options }) => !known.includes(language) || !options.every(isOption))
      .map(({ line }) => `${path}:${line}`),
  )
  assert.deepEqual(strange, [])
})

function isOption(option: string): boolean {
  return /^(norun|in=checkout|exit=[0-5])$/.test(option)
}

test('no command and no flag is made up, in blocks that are not run and in the text', () => {
  const wrong = all.flatMap(page => codeOf(page).flatMap(callsOf).map(wrongWith).filter(Boolean))
  assert.deepEqual(wrong, [])
})

function codeOf({ text, blocks }: Page): string[] {
  const unrun = blocks.filter(block => block.language === 'sh' && !isRun(block))
  return [...unrun.map(block => block.text), ...spansOf(text)]
}

test('every flag and every variable that a page names is there', () => {
  const flags = new Set(
    [...commands, ...daemonCommands].flatMap(row =>
      [...row.flags, ...commonFlags].map(({ name }) => `--${name}`),
    ),
  )
  const programs = readdirSync(join(root, 'dist')).filter(name => name.endsWith('.cjs'))
  const source = programs.map(name => readFileSync(join(root, 'dist', name), 'utf8')).join('\n')
  for (const { path, text } of all) {
    const named = spansOf(text).flatMap(span => span.match(/^--[a-z-]+/)?.[0] ?? [])
    assert.deepEqual(
      named.filter(flag => !flags.has(flag)),
      [],
      path,
    )
    const variables = text.match(/\bLOOPD?_[A-Z_]+\b/g) ?? []
    assert.deepEqual(
      variables.filter(name => !source.includes(name)),
      [],
      path,
    )
  }
})

test('every link leads somewhere', () => {
  const linked = [...all.map(({ path }) => path), 'ARCHITECTURE.md', 'AGENTS.md', 'docs/walks.md']
  const dead = linked.flatMap(path => {
    const links = readFileSync(join(root, path), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)
    return [...links]
      .map(([, to = '']) => to)
      .filter(to => !existsSync(join(root, dirname(path), to)))
      .map(to => `${path}: ${to}`)
  })
  assert.deepEqual(dead, [])
})

test('the README is short, and leads to every page', () => {
  const readme = all.find(({ path }) => path === 'README.md')?.text ?? ''
  const lines = readme.trimEnd().split('\n').length
  assert.ok(lines >= 60 && lines <= 80, `${lines} lines`)
  for (const { path } of all.slice(1)) assert.ok(readme.includes(`(${path})`), path)
})
