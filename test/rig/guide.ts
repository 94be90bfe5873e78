/**
 * The README and the pages of the guide as tests read them: their fenced blocks, the commands in them and the output
 * they show. `sh` is run, `sh norun` only read; `in=checkout` runs in the checkout, `exit=N` expects that exit code.
 * A `text` block right after a block that is run shows what it prints; a line with nothing but … stands for any lines.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '../../src/cli/command-table.ts'
import { readFlags } from '../../src/cli/flags.ts'
import { daemonCommands } from '../../src/cli/table/loopd.ts'
import { failureWords } from '../../src/failures/words.ts'
import { root } from './rig.ts'

export type Block = {
  line: number
  language: string
  /** `norun`, `in=checkout`, `exit=1`. */
  options: string[]
  text: string
  /** What the page shows as its output. */
  output: string | null
}

export type Page = { path: string; text: string; blocks: Block[] }

export function pages(): Page[] {
  const guide = readdirSync(join(root, 'docs/guide')).map(name => `docs/guide/${name}`)
  return ['README.md', ...guide.toSorted()].map(path => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, blocks: blocksOf(text) }
  })
}

const fence = /^```(.*)\n([\s\S]*?)^```$/gm

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let end = 0
  for (const { index, 0: whole, 1: info = '', 2: body = '' } of text.matchAll(fence)) {
    const [language = '', ...options] = info.split(' ')
    const before = blocks.at(-1)
    if (language === 'text' && before?.language === 'sh' && text.slice(end, index).trim() === '')
      before.output = body
    const line = text.slice(0, index).split('\n').length
    blocks.push({ line, language, options, text: body, output: null })
    end = index + whole.length
  }
  return blocks
}

/** Code within a line: `loop status`. */
export function spansOf(text: string): string[] {
  return [...text.replaceAll(fence, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

/** The commands of a script that call this program, each as its words. Comments are left out. */
export function callsOf(script: string): string[][] {
  const calls: string[][] = [[]]
  const joined = script.replaceAll('\\\n', ' ')
  const token = /[^\S\n]*(#.*|\n|[|;&]+|(?:"(?:\\.|[^"])*"|'[^']*'|\\.|[^\s"'|;&\\])+)/gy
  for (const [, word = ''] of joined.matchAll(token)) {
    if (/^[\n|;&]+$/.test(word)) calls.push([])
    else if (!word.startsWith('#')) calls.at(-1)?.push(word.replaceAll(/["'[\]]/g, ''))
  }
  return calls.filter(([program = '']) => /^(loop|loopd|npm)$/.test(program))
}

const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts

/** What is wrong with a call: a command or a flag that does not exist. Null where all of it does. */
export function wrongWith([program = '', name = '', ...rest]: string[]): string | null {
  if (program === 'npm') {
    const script = name === 'run' ? (rest[0] ?? '') : name
    return /^(un)?install$/.test(script) || Object.hasOwn(scripts, script)
      ? null
      : `npm has no script ${script}`
  }
  if (name === '' || /^(--help|<.*>)$/.test(name)) return null
  const row = (program === 'loopd' ? daemonCommands : commands).find(command => command.name === name)
  if (!row) return `${program} has no command ${name}`
  const read = readFlags(row, rest, {})
  return read.ok ? null : failureWords(read.failure)
}

export type Known = { home: string; ids: string[] }

/** How the guide calls the loops of a page, the oldest first. */
const idsShown = ['a1b2c3', 'd4e5f6', 'g7h8j9', 'k1m2n3', 'p4q5r6', 's7t8v9', 'w1x2y3']

/** Printed text without what differs from run to run: ids, times, sizes, places, and the spaces they move. */
export function withoutChance(text: string, { home, ids }: Known): string {
  let plain = text.replaceAll(home, '/home/you').replaceAll(root.replace(/\/$/, ''), '/opt/loop')
  for (const [i, id] of ids.entries()) plain = plain.replaceAll(id, idsShown[i] ?? id)
  return plain
    .replaceAll(/loop-demo-\w{6}/g, 'loop-demo-xxxxxx')
    .replaceAll(/\b\d+(\.\d+)? ?(ms|s)\b/g, '1s')
    .replaceAll(/\b\d+(\.\d+)? (B|kB|MB|GB)\b/g, '1 B')
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '2026-11-17')
    .replaceAll(/\bprocess \d+/g, 'process 1')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:7777')
    .replaceAll(/[ ─]{2,}/g, ' ')
    .replaceAll(/ +$/gm, '')
    .trim()
}

/** Whether this was printed, where each line … of what is shown stands for any lines. */
export function shows(shown: string, printed: string): boolean {
  const lines = shown
    .split('\n')
    .map(line =>
      line === '…' ? '(?:.*\\n)*?' : `${line.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}\\n`,
    )
  return new RegExp(`^${lines.join('')}$`).test(`${printed}\n`)
}
