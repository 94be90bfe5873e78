/** The real machine as the rules of options see it. */

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import { systemAt } from '../../../src/wiring/system.ts'
import { tempDir } from '../../rig/given.ts'

test('an agent that is not installed: which are, and how to get it', t => {
  const bin = tempDir(t)
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 })
  const { agent } = systemAt({ cwd: bin, env: { PATH: bin } })
  const missing = agent('opencode').find(undefined, bin)
  assert.ok(!missing.ok)
  assert.equal(missing.failure.reason, 'agent-missing')
  assert.deepEqual(failureWords(missing.failure).split('\n'), [
    'The program opencode is not on the PATH. Install it with: npm install -g opencode-ai',
    'Installed here: codex (use --agent codex).',
    'Others that loop can drive:',
    '  claude    npm install -g @anthropic-ai/claude-code',
    '  gemini    npm install -g @google/gemini-cli',
    '  cline     npm install -g cline',
    '  aider     python -m pip install aider-install && aider-install',
    '  cursor    curl https://cursor.com/install -fsS | bash',
    "Or any program that takes its prompt on stdin: --agent custom --agent-cmd '<command>'",
  ])
  assert.deepEqual(agent('codex').find(undefined, bin), { ok: true, value: join(bin, 'codex') })
  const refusals: [Parameters<typeof agent>[0], string | undefined, RegExp][] = [
    ['codex', './nothing', /^--agent-cmd \.\/nothing is no program/],
    ['gemini', undefined, /^The program gemini is not on the PATH/],
    ['custom', undefined, /needs a command/],
    ['acp', undefined, /needs the command of an ACP agent/],
  ]
  for (const [name, agentCmd, sentence] of refusals) {
    const found = agent(name).find(agentCmd, bin)
    assert.ok(!found.ok)
    assert.match(failureWords(found.failure), sentence)
  }
})

test('directories, paths that are not there yet, files, programs', t => {
  const dir = tempDir(t)
  mkdirSync(join(dir, 'tree'))
  symlinkSync(join(dir, 'tree'), join(dir, 'link'))
  writeFileSync(join(dir, 'file'), 'four', { mode: 0o755 })
  const system = systemAt({ cwd: dir, env: { PATH: `/nowhere:${dir}` } })
  assert.deepEqual(system.directory(join(dir, 'link')), { real: join(dir, 'tree') })
  assert.deepEqual(system.directory(join(dir, 'file')), { problem: 'not a directory' })
  assert.deepEqual(system.directory(join(dir, 'none')), { problem: 'not there' })
  assert.equal(system.realpath(join(dir, 'link', 'a', 'b')), join(dir, 'tree', 'a', 'b'))
  assert.equal(system.readText(join(dir, 'file'), 4), 'four')
  assert.equal(system.readText(join(dir, 'file'), 3), null)
  assert.equal(system.readText(dir, 100_000), null)
  assert.equal(system.readText(join(dir, 'none'), 100_000), null)
  assert.deepEqual([system.hasProgram('file'), system.hasProgram('none')], [true, false])
  assert.deepEqual(system.entries(dir).toSorted(), ['file', 'link/', 'tree/'])
  assert.deepEqual(system.entries(join(dir, 'none')), [])
  assert.deepEqual([system.isAttended, system.readStdin], [false, null])
})

test('a syntax error is found without running the command', t => {
  const dir = tempDir(t)
  const { shellProblem } = systemAt({ cwd: dir, env: {} })
  for (const command of [
    'syntax ( error',
    'echo "x',
    'if true',
    'a &&',
    'for i in',
    'while true',
    'do x',
    'done',
    'fi',
  ])
    assert.match(shellProblem(command) ?? '', /^Syntax error/i, command)
  const touched = join(dir, 'touched')
  for (const command of ['exit 3', 'no-such-program', '! grep x y', 'cat <<E\nx\nE', `touch ${touched}`])
    assert.equal(shellProblem(command), null, command)
  assert.equal(existsSync(touched), false)
  assert.equal(shellProblem(`echo ${'x'.repeat(1_000_000)}`), null)
})

test('a program is a file that can be executed: no directory, and no text', t => {
  const bin = tempDir(t)
  mkdirSync(join(bin, 'tests'))
  writeFileSync(join(bin, 'notes'), '', { mode: 0o644 })
  writeFileSync(join(bin, 'tool'), '#!/bin/sh\n', { mode: 0o755 })
  const { hasProgram } = systemAt({ cwd: bin, env: { PATH: bin } })
  assert.deepEqual(['tests', 'notes', 'tool', 'nothing'].map(hasProgram), [false, false, true, false])
})
