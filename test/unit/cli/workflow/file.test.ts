/** Which workflow files may be run: by where they are and by the content that was trusted. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { commands, type Input } from '../../../../src/cli/command-table.ts'
import { readFlags } from '../../../../src/cli/flags.ts'
import { readWorkflowFile, trustedWorkflow } from '../../../../src/cli/workflow/file.ts'

function place(t: TestContext): { tree: string; own: string; env: NodeJS.ProcessEnv } {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loop-trust-')))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const own = join(home, '.config/daedalos/loop')
  mkdirSync(own, { recursive: true })
  mkdirSync(join(home, 'tree'))
  return { tree: join(home, 'tree'), own, env: { HOME: home, PATH: process.env['PATH'] } }
}

function typed(env: NodeJS.ProcessEnv, ...args: string[]): Input {
  const row = commands.find(({ name }) => name === 'workflow')
  assert.ok(row)
  const input = readFlags(row, args, env)
  assert.ok(input.ok)
  return input.value
}

/** `yes`, or why not. */
function mayRun(file: string, input: Input): string {
  const read = readWorkflowFile(file)
  assert.ok(read.ok, JSON.stringify(read))
  const trusted = trustedWorkflow(read.value, { input, lines: [] })
  return trusted.ok ? 'yes' : trusted.failure.message.replace(/^\S+ /, '')
}

test('a file is asked about by its content, one beside the configuration of the user is not', t => {
  const { tree, own, env } = place(t)
  const file = join(tree, 'flow.yaml')
  writeFileSync(file, 'name: a\n')
  writeFileSync(join(own, 'flow.yaml'), 'name: a\n')
  const untrusted = 'is not trusted, and nothing of it was run. Read it, then trust it with: --trust'
  assert.equal(mayRun(join(own, 'flow.yaml'), typed(env)), 'yes')
  assert.equal(mayRun(file, typed(env)), untrusted)
  // A dry run leaves nothing behind.
  assert.equal(mayRun(file, typed(env, '--trust', '--dry-run')), 'yes')
  assert.equal(mayRun(file, typed(env)), untrusted)
  assert.equal(mayRun(file, typed(env, '--trust')), 'yes')
  assert.equal(mayRun(file, typed(env)), 'yes')
  writeFileSync(file, 'name: b\n')
  assert.match(mayRun(file, typed(env)), /^has changed since you trusted it, and nothing/)
  // A link from elsewhere is the file it leads to.
  symlinkSync(file, join(own, 'link.yaml'))
  assert.match(mayRun(join(own, 'link.yaml'), typed(env)), /^has changed since you trusted it/)
})

test('what is no workflow file', t => {
  const { own } = place(t)
  writeFileSync(join(own, 'large.yaml'), '#'.repeat(300_000))
  writeFileSync(join(own, 'latin.yaml'), Buffer.from([0x6e, 0xe9, 0x0a]))
  const rows = {
    large: /has 300 kB; a workflow has at most 256 kB/,
    latin: /is not UTF-8 text/,
    none: /is not there/,
  }
  for (const [name, message] of Object.entries(rows)) {
    const read = readWorkflowFile(join(own, `${name}.yaml`))
    assert.ok(!read.ok)
    assert.match(read.failure.message, message)
  }
})
