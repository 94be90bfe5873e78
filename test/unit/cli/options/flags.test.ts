/** Reading a command line: nothing that was typed is ignored, and each mistake has its own sentence. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Input } from '../../../../src/cli/command-table.ts'
import { commands } from '../../../../src/cli/command-table.ts'
import { helpFor, helpForAll } from '../../../../src/cli/help.ts'
import { readFlags } from '../../../../src/cli/options/flags.ts'
import { specFrom } from '../../../../src/cli/options/spec.ts'
import { exitCodeOf, type Reason, type Result } from '../../../../src/model/failure.ts'
import { nearest } from '../../../../src/options/nearest.ts'
import { commonFlags, laterFlags } from '../../../../src/options/table/flag.ts'
import { tempDir } from '../../../rig/given.ts'

function typed(line: string[], env: NodeJS.ProcessEnv = {}): Result<Input> {
  const [name, ...args] = line
  const command = commands.find(candidate => candidate.name === name)
  assert.ok(command, name)
  return readFlags(command, args, { PATH: process.env['PATH'], ...env })
}

function input(line: string[], env: NodeJS.ProcessEnv = {}): Input {
  const read = typed(line, env)
  assert.ok(read.ok, JSON.stringify(read))
  return read.value
}

function refused(read: Result<unknown>, reason: Reason, message: string | RegExp): void {
  assert.ok(!read.ok)
  assert.equal(read.failure.reason, reason, read.failure.message)
  assert.equal(exitCodeOf(read.failure.reason), 4)
  if (typeof message === 'string') assert.equal(read.failure.message, message)
  else assert.match(read.failure.message, message)
}

test('flags in every form: long, short, with =, before and after the prompt', () => {
  for (const line of [
    ['start', 'do it', '--promise', 'npm test', '--max-iterations', '3'],
    ['start', '-p', 'npm test', '-n', '3', 'do it'],
    ['start', '--promise=npm test', 'do it', '-n3'],
    ['start', '-p', 'npm test', '-n', '3', '--', 'do it'],
  ]) {
    const read = input(line)
    assert.deepEqual(read.positionals, ['do it'])
    assert.equal(read.value('promise'), 'npm test')
    assert.equal(read.value('max-iterations'), '3')
    assert.equal(read.given('promise'), true)
    assert.equal(read.given('plain'), false)
  }
  assert.deepEqual(input(['start', '--', '--plain']).positionals, ['--plain'])
  assert.deepEqual(input(['start', '-']).positionals, ['-'])
})

test('an unknown flag is refused, with the one that was meant', () => {
  const rows: [string[], string][] = [
    [['start', '--promis', 'x'], 'loop start has no flag --promis. Did you mean --promise?'],
    [
      ['start', '--max-iteration', '3'],
      'loop start has no flag --max-iteration. Did you mean --max-iterations?',
    ],
    [['start', '--jsn'], 'loop start has no flag --jsn. Did you mean --json?'],
    [['start', '--colour-scheme'], 'loop start has no flag --colour-scheme. See: loop start --help'],
    [['start', '-x'], 'loop start has no flag -x. See: loop start --help'],
    [['status', '--promise', 'x'], 'loop status has no flag --promise. See: loop status --help'],
    [['start', '--__proto__'], 'loop start has no flag --__proto__. See: loop start --help'],
  ]
  for (const [line, message] of rows) refused(typed(line), 'invalid-arguments', message)
})

test('a flag that comes later is refused by name, with exit 4', () => {
  for (const [name, flags] of Object.entries(laterFlags))
    for (const flag of flags) {
      const dashed = flag.length === 1 ? `-${flag}` : `--${flag}`
      const message = `loop ${name} ${dashed} is not available in this version of loop yet; nothing was done.`
      for (const line of [
        [name, dashed],
        [name, dashed, 'value'],
        [name, 'x', dashed],
      ])
        refused(typed(line), 'not-available-yet', message)
    }
})

test('no flag is both there and still to come', () => {
  for (const { name, flags } of commands) {
    const names = [...flags, ...commonFlags].flatMap(flag => [flag.name, flag.short ?? ''])
    assert.deepEqual(laterFlags[name]?.filter(flag => names.includes(flag)) ?? [], [])
  }
})

test('a value that is missing is asked for, also where the next flag would be taken for it', () => {
  refused(
    typed(['start', 'x', '--promise']),
    'invalid-arguments',
    '--promise needs a value: --promise <[name=]cmd>',
  )
  refused(typed(['start', 'x', '-p']), 'invalid-arguments', '-p needs a value: -p <[name=]cmd>')
  refused(typed(['start', '-p', '--plain']), 'invalid-arguments', '-p needs a value: -p <[name=]cmd>')
  refused(typed(['start', '-p', '-n', '3']), 'invalid-arguments', '-p needs a value: -p <[name=]cmd>')
  assert.equal(input(['start', '--agent-cmd=--yes']).value('agent-cmd'), '--yes')
  assert.equal(input(['start', '-n', '-1']).value('max-iterations'), '-1')
})

test('a switch takes no value, and no flag is given twice', () => {
  refused(typed(['start', '--dry-run=yes']), 'invalid-arguments', '--dry-run takes no value.')
  refused(
    typed(['start', '--plain=yes']),
    'invalid-arguments',
    '--plain takes no value but =true and =false.',
  )
  refused(typed(['start', '-n', '1', '-n', '2']), 'invalid-arguments', '-n is given twice. Give it once.')
  refused(
    typed(['start', '-n', '1', '--max-iterations', '2']),
    'invalid-arguments',
    '--max-iterations is given twice. Give it once.',
  )
  refused(typed(['list', '--json', '--json']), 'invalid-arguments', '--json is given twice. Give it once.')
})

test('what is typed goes before the environment, and that before the default', () => {
  const env = { LOOP_MAX_ITER: '7', LOOP_TIMEOUT: '', LOOP_AGENT: 'scripted' }
  assert.equal(input(['start'], env).value('max-iterations'), '7')
  assert.equal(input(['start', '-n', '2'], env).value('max-iterations'), '2')
  assert.equal(input(['start']).value('max-iterations'), '10')
  assert.equal(input(['start'], env).value('timeout'), '5m', 'an empty variable is none')
  assert.equal(input(['start'], env).value('agent'), 'scripted')
  assert.equal(input(['start'], env).given('max-iterations'), false)
  assert.equal(input(['start']).value('cwd'), null)
  assert.equal(input(['resume'], env).value('max-iterations'), null, 'not a default of resume')
  assert.throws(() => input(['start']).value('dance'), /Internal error: no flag dance/)
})

test('the nearest name, if it is near enough', () => {
  const names = ['promise', 'budget', 'plain']
  const rows: [string, string | null][] = [
    ['promise', 'promise'],
    ['bugdet', 'budget'],
    ['plan', 'plain'],
    ['pl', null],
    ['model', null],
    ['', null],
  ]
  for (const [text, name] of rows) assert.equal(nearest(text, names), name, text)
})

const base = ['start', 'do it', '-p', 'npm test', '--agent', 'custom', '--agent-cmd', 'my-agent']

test('a spec with every default', t => {
  const cwd = tempDir(t)
  const spec = specFrom(input([...base, '--cwd', cwd], { HOME: '/home/of-nobody' }))
  assert.ok(spec.ok)
  assert.deepEqual(spec.value, {
    prompt: 'do it',
    criteria: [{ name: 'npm test', command: 'npm test' }],
    cwd,
    agent: 'custom',
    agentCmd: 'my-agent',
    checkpoint: 'git',
    checkpointWhy: 'the tree is no btrfs subvolume',
    maxIterations: 10,
    budgetUsd: 25,
    timeoutMs: 300_000,
    verifyTimeoutMs: 300_000,
    graceMs: 5_000,
    backoffMs: 2_000,
    maxOutputBytes: 2_000_000_000,
    baseline: true,
    idleTimeoutMs: null,
    breakers: { stuck: 5, sameError: 3, sameFile: 5, noChange: 3, agentErrors: 3, promiseErrors: 3 },
    failFast: false,
    attended: false,
    maxWaitMs: 86_400_000,
    limitBackoffMs: 60_000,
  })
})

test('an agent that is not installed: which are, and how to get it', t => {
  const bin = tempDir(t)
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 })
  const start = (...args: string[]) =>
    specFrom(input(['start', 'x', '-p', 'y', '--cwd', bin, ...args], { PATH: bin, HOME: '/home/of-nobody' }))
  const missing = start()
  assert.ok(!missing.ok)
  assert.deepEqual(missing.failure.message.split('\n'), [
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
  const refusals: [string[], RegExp][] = [
    [['--agent', 'codex', '--agent-cmd', './nothing'], /^--agent-cmd \.\/nothing is no program/],
    [['--agent', 'codex', '--fallback-agent', 'codex'], /^--fallback-agent names codex twice/],
    [['--agent', 'codex', '--fallback-agent', 'gemini'], /^The program gemini is not on the PATH/],
    [['--agent', 'codex', '--fallback-agent', 'gmini'], /Did you mean gemini\?$/],
    [['--agent', 'codex', '--context-mode', 'old'], /^--context-mode is fresh or continue; not "old"\.$/],
    [['--agent', 'codex', '--price', 'cheap'], /^--price is dollars for a million tokens/],
    [['--agent', 'custom', '--agent-cmd', 'x', '--model', 'm'], /^The agent custom has no --model\. Put/],
    [['--agent', 'custom', '--agent-cmd', 'x', '--context-mode', 'continue'], /can not continue a session/],
    [['--agent', 'acp'], /needs the command of an ACP agent/],
  ]
  for (const [args, sentence] of refusals) {
    const spec = start(...args)
    assert.ok(!spec.ok)
    assert.match(spec.failure.message, sentence)
  }
})

test('limits can be lifted', t => {
  const lifted = ['-n', 'unlimited', '--budget', 'none', '--no-baseline', '--checkpoint', 'none']
  const spec = specFrom(input([...base, '--cwd', tempDir(t), ...lifted]))
  assert.ok(spec.ok)
  const { maxIterations, budgetUsd, baseline, checkpoint } = spec.value
  assert.deepEqual(
    { maxIterations, budgetUsd, baseline, checkpoint },
    {
      maxIterations: null,
      budgetUsd: null,
      baseline: false,
      checkpoint: 'none',
    },
  )
})

test('each mistake in a start has its own sentence and exit 4', t => {
  const cwd = tempDir(t)
  const rows: [string[], Reason, RegExp][] = [
    [['start', '-p', 'x'], 'invalid-arguments', /^Say what is to be done/],
    [['start', '  ', '-p', 'x'], 'invalid-arguments', /^Say what is to be done/],
    [['start', 'fix', 'it', '-p', 'x'], 'invalid-arguments', /put it in quotes\. What follows it: it$/],
    [['start', 'x'], 'invalid-arguments', /^Give the command that decides/],
    [['start', 'x', '-p', ' '], 'invalid-arguments', /^The promise is empty/],
    [[...base, '--cwd', `${cwd}/nowhere`], 'invalid-arguments', /nowhere is not there\. Check --cwd\.$/],
    [
      ['start', 'x', '-p', 'y'],
      'agent-missing',
      /^The program opencode is not on the PATH\. Install it with: npm/,
    ],
    [['start', 'x', '-p', 'y', '--agent', 'custm'], 'invalid-arguments', /custm\. Did you mean custom\?$/],
    [
      ['start', 'x', '-p', 'y', '--agent', 'constructor'],
      'invalid-arguments',
      /^There is no agent constructor/,
    ],
    [['start', 'x', '-p', 'y', '--agent', 'custom'], 'agent-missing', /needs a command/],
    [[...base, '--checkpoint', 'btrfs'], 'invalid-arguments', /is no btrfs subvolume\. Use git\.$/],
    [[...base, '--checkpoint', 'zip'], 'invalid-arguments', /is auto, btrfs, git or none; not "zip"\.$/],
    [[...base, '-n', '0'], 'invalid-arguments', /at least 1, or unlimited; not "0"\.$/],
    [[...base, '--budget', 'lots'], 'invalid-arguments', /or none; not "lots"\.$/],
    [
      [...base, '--timeout', '0'],
      'invalid-arguments',
      /^--timeout is a time like 90s, 5m or 1h30m; not "0"\.$/,
    ],
    [[...base, '--timeout', '99999999999d'], 'invalid-arguments', /^--timeout is a time/],
    [[...base, '--verify-timeout', 'soon'], 'invalid-arguments', /^--verify-timeout is a time/],
  ]
  for (const [line, reason, message] of rows) refused(specFrom(input(line)), reason, message)
})

test('the tree that holds the data of loop can not be checkpointed', t => {
  const cwd = tempDir(t)
  const env = { XDG_DATA_HOME: `${cwd}/data` }
  refused(
    specFrom(input([...base, '--cwd', cwd], env)),
    'invalid-arguments',
    /holds loop's own data directory/,
  )
  assert.ok(specFrom(input([...base, '--cwd', cwd, '--checkpoint', 'none'], env)).ok)
  assert.ok(specFrom(input([...base, '--cwd', cwd], { XDG_DATA_HOME: `${cwd}-beside` })).ok)
})

test('the help of a command names every flag with its default and variable', () => {
  for (const command of commands) {
    const help = helpFor(command)
    for (const flag of [...command.flags, ...commonFlags]) {
      const line = help.split('\n').find(text => text.includes(` --${flag.name} `)) ?? ''
      assert.ok(line.includes(flag.help), `${command.name} --${flag.name}`)
      if (flag.default) assert.ok(line.includes(`default ${flag.default}`), line)
      if (flag.env) assert.ok(line.includes(`$${flag.env}`), line)
    }
    assert.ok(helpForAll(commands).includes(command.summary))
  }
})
