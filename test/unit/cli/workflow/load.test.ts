/** Workflow files that may run: by their place and by the content that was trusted. */

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { commands, type Input } from '../../../../src/cli/command-table.ts'
import { readFlags } from '../../../../src/cli/flags.ts'
import { readWorkflowFile, trustedWorkflow } from '../../../../src/cli/workflow/load.ts'
import { failureWords } from '../../../../src/failures/words.ts'
import { inLoop, workflowOf } from '../../../rig/workflow-file.ts'

function place(t: TestContext): { tree: string; own: string; clone: string; env: NodeJS.ProcessEnv } {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loop-trust-')))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  for (const name of ['tree', 'own', 'clone', 'clone/.git', 'clone/flows']) mkdirSync(join(home, name))
  return {
    tree: join(home, 'tree'),
    own: join(home, 'own'),
    clone: join(home, 'clone'),
    env: { HOME: home, PATH: process.env['PATH'] },
  }
}

function typed(env: NodeJS.ProcessEnv, ...args: string[]): Input {
  const row = commands.find(({ name }) => name === 'workflow')
  assert.ok(row)
  const input = readFlags(row, args, env)
  assert.ok(input.ok)
  return input.value
}

/** `yes`, or the reason why not. */
function mayRun(file: string, tree: string, input: Input): string {
  const read = readWorkflowFile(file)
  assert.ok(read.ok, JSON.stringify(read))
  const workflow = workflowOf(inLoop(`# ${tree}`), { system: { cwd: tree, directory: real => ({ real }) } })
  const trusted = trustedWorkflow(read.value, { input, lines: [], workflow })
  return trusted.ok ? 'yes' : failureWords(trusted.failure).replace(/^\S+ /, '')
}

test('a file of a repository is asked about by its content, one of the user is not', t => {
  const { tree, own, clone, env } = place(t)
  const file = join(tree, 'flow.yaml')
  writeFileSync(file, 'name: a\n')
  writeFileSync(join(own, 'flow.yaml'), 'name: a\n')
  const untrusted = 'is not trusted, and nothing of it was run. Read it, then trust it with: --trust'
  assert.equal(mayRun(join(own, 'flow.yaml'), tree, typed(env)), 'yes')
  assert.equal(mayRun(file, tree, typed(env)), untrusted)
  // A dry run records no trust.
  assert.equal(mayRun(file, tree, typed(env, '--trust', '--dry-run')), 'yes')
  assert.equal(mayRun(file, tree, typed(env)), untrusted)
  assert.equal(mayRun(file, tree, typed(env, '--trust')), 'yes')
  assert.equal(mayRun(file, tree, typed(env)), 'yes')
  writeFileSync(file, 'name: b\n')
  assert.match(mayRun(file, tree, typed(env)), /^has changed since you trusted it, and nothing/)
  // A link counts by its own place and by its target.
  symlinkSync(file, join(own, 'link.yaml'))
  assert.match(mayRun(join(own, 'link.yaml'), tree, typed(env)), /^has changed since you trusted it/)
  symlinkSync(join(own, 'flow.yaml'), join(tree, 'link.yaml'))
  assert.equal(mayRun(join(tree, 'link.yaml'), tree, typed(env)), untrusted)
  writeFileSync(join(clone, 'flows/flow.yaml'), 'name: a\n')
  assert.equal(mayRun(join(clone, 'flows/flow.yaml'), tree, typed(env)), untrusted)
})

test('a file that is no workflow is refused', t => {
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
    assert.match(failureWords(read.failure), message)
  }
})
