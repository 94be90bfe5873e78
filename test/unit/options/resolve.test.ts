/** From options to a start, on a simulated machine: the field of each option, and the sentence for each mistake. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import { exitCodeOf, type Reason, type Result } from '../../../src/model/failure.ts'
import type { Spec } from '../../../src/model/loop/spec.ts'
import { inBackground, resolveStart, type StartWish } from '../../../src/options/resolve.ts'
import type { System } from '../../../src/options/system.ts'
import { groupFlags } from '../../../src/options/table/group.ts'
import { startFlags } from '../../../src/options/table/start.ts'
import { type Layers, type Values, valuesOf } from '../../../src/options/values.ts'
import { everyDefault } from '../../rig/every-default.ts'
import { madeUpMachine, tree } from '../../rig/made-up-system.ts'

type Options = Record<string, string | string[]>

function valuesFor(options: Options, system: System, layers: Layers = {}): Values {
  const given = Object.entries(options).map(([name, value]): [string, string[]] => [name, [value].flat()])
  return valuesOf(startFlags, new Map(given), { env: system.env, layers })
}

const base: Options = { promise: 'npm test', agent: 'custom', 'agent-cmd': 'my-agent' }

function asked(options: Options, system = madeUpMachine(), prompt = 'do it'): Result<StartWish> {
  return resolveStart({ prompt, values: valuesFor({ ...base, ...options }, system) }, system)
}

function wishFor(options: Options, system = madeUpMachine()): StartWish {
  const wish = asked(options, system)
  assert.ok(wish.ok, JSON.stringify(wish))
  return wish.value
}

function refused(wish: Result<unknown>, message: RegExp, reason: Reason = 'invalid-arguments'): void {
  assert.ok(!wish.ok, String(message))
  assert.match(failureWords(wish.failure), message)
  assert.equal(wish.failure.reason, reason)
}

test('a start with every default', () => {
  assert.deepEqual(wishFor({}), { spec: everyDefault, injected: [], state: null, priority: null })
})

test('every option has its field', () => {
  const { breakers } = everyDefault
  const claude = { agent: 'claude', 'agent-cmd': 'claude' }
  const rows: [Options, Partial<Spec>][] = [
    [
      { promise: ['a=x', 'b:measurement=y'] },
      {
        criteria: [
          { name: 'a', command: 'x' },
          { name: 'b', command: 'y', verification: 'measurement' },
        ],
      },
    ],
    [
      { confirm: 'it looks right' },
      {
        criteria: [
          ...everyDefault.criteria,
          { name: 'it looks right', command: null, verification: 'observation' },
        ],
      },
    ],
    [{ 'must-not': 'bad=grep TODO .' }, { mustNot: [{ name: 'bad', command: 'grep TODO .' }] }],
    [{ protect: ['test/**', '*.lock'] }, { protect: ['test/**', '*.lock'] }],
    [{ allow: ['test/**', 'package.json'] }, { allow: ['test/**', 'package.json'] }],
    [{ holdout: 'sh ~/check.sh' }, { holdout: 'sealed sh ~/check.sh' }],
    [{ 'max-iterations': '3' }, { maxIterations: 3 }],
    [{ 'max-iterations': 'unlimited' }, { maxIterations: null }],
    [{ budget: '2.50' }, { budgetUsd: 2.5 }],
    [{ budget: 'none' }, { budgetUsd: null }],
    [{ ...claude, model: 'large' }, { model: 'large' }],
    [{ ...claude, 'context-mode': 'continue' }, { contextMode: 'continue' }],
    [{ price: '1.25/10' }, { price: { input: 1.25, output: 10, cached: 0.125 } }],
    [
      { 'fallback-agent': 'codex, gemini' },
      {
        fallbacks: [
          { agent: 'codex', agentCmd: '/bin/codex' },
          { agent: 'gemini', agentCmd: '/bin/gemini' },
        ],
      },
    ],
    [{ 'max-wait': '2h' }, { maxWaitMs: 7_200_000 }],
    [{ 'limit-backoff': '30s' }, { limitBackoffMs: 30_000 }],
    [{ checkpoint: 'git' }, { checkpoint: 'git' }],
    [{ checkpoint: 'none' }, { checkpoint: 'none' }],
    [{ 'checkpoint-ignored': 'true' }, { checkpointIgnored: true }],
    [{ sandbox: 'off' }, { sandbox: undefined }],
    [{ sandbox: 'auto' }, { sandbox: { level: 'files' } }],
    [
      { sandbox: 'required', 'sandbox-write': `below, ${tree}/more`, 'sandbox-network': 'none' },
      { sandbox: { level: 'files', write: [`${tree}/below`, `${tree}/more`], network: [] } },
    ],
    [{ timeout: '90s' }, { timeoutMs: 90_000 }],
    [{ 'idle-timeout': '1m' }, { idleTimeoutMs: 60_000 }],
    [{ 'verify-timeout': '1h' }, { verifyTimeoutMs: 3_600_000 }],
    [{ 'max-output': '64kB' }, { maxOutputBytes: 64_000 }],
    [{ 'stuck-limit': '9' }, { breakers: { ...breakers, stuck: 9 } as never }],
    [{ 'no-change-limit': 'off' }, { breakers: { ...breakers, noChange: null } as never }],
    [{ 'same-error-limit': '9' }, { breakers: { ...breakers, sameError: 9 } as never }],
    [{ 'same-file-limit': '9' }, { breakers: { ...breakers, sameFile: 9 } as never }],
    [{ 'agent-error-limit': '9' }, { breakers: { ...breakers, agentErrors: 9 } as never }],
    [{ 'promise-error-limit': '9' }, { breakers: { ...breakers, promiseErrors: 9 } as never }],
    [{ 'fail-fast': 'true' }, { failFast: true }],
    [{ 'no-baseline': 'true' }, { baseline: false }],
    [{ counsel: 'true' }, { counsel: true }],
    [{ notify: 'true' }, { notify: true }],
    [{ 'pass-env': 'A_*, !B' }, { passEnv: ['A_*', '!B'] }],
    [{ 'on-complete': 'make ship' }, { hooks: { complete: 'make ship', timeoutMs: 300_000 } }],
    [
      { 'on-complete': 'a', 'on-failure': 'b', 'hook-timeout': '1m' },
      { hooks: { complete: 'a', failure: 'b', timeoutMs: 60_000 } },
    ],
    [{ cwd: 'below' }, { cwd: `${tree}/below` }],
    [
      { session: 'true' },
      {
        session: { run: null },
        agent: 'claude',
        agentCmd: 'a session of yours; loop starts no agent',
      },
    ],
  ]
  for (const [options, fields] of rows) {
    const { spec } = wishFor(options)
    for (const [field, value] of Object.entries(fields))
      assert.deepEqual(spec[field as keyof Spec], value, JSON.stringify(options))
  }
  // Options of the terminal or of a group (options/group), or without a field in the spec: they have tests elsewhere.
  const others =
    'agent agent-cmd inject state background priority trust dry-run verbose plain yes no-input'.split(' ')
  const covered = new Set([...rows.flatMap(([options]) => Object.keys(options)), ...others])
  assert.deepEqual(
    startFlags.filter(flag => !covered.has(flag.name) && !groupFlags.includes(flag)),
    [],
  )
})

test('what is no part of the spec: injected texts, state files, the place in the queue', () => {
  const system = madeUpMachine({ files: { [`${tree}/hint`]: ' mind the gap\n', '/other/hint': 'and this' } })
  assert.deepEqual(wishFor({ inject: ['hint', '/other/hint'] }, system).injected, [
    'mind the gap',
    'and this',
  ])
  const { state, priority } = wishFor({ state: 'delete', background: 'true', priority: 'high' })
  assert.deepEqual([state, priority], ['delete', 'high'])
  const queued = inBackground(
    wishFor({ state: 'delete', background: 'true' }, madeUpMachine({ isAttended: true })),
  )
  assert.deepEqual(queued, {
    spec: { ...everyDefault, attended: false, deleteState: true },
    injected: [],
    priority: 'normal',
  })
  assert.throws(() => inBackground(wishFor({})), /Internal error/)
})

test('the machine decides who can be asked, where the prompt comes from, how a tree is saved', () => {
  const attended = madeUpMachine({ isAttended: true })
  assert.equal(wishFor({}, attended).spec.attended, true)
  assert.equal(wishFor({ session: 'true' }, attended).spec.attended, false)
  const fromStdin = asked({}, madeUpMachine(), '-')
  assert.ok(fromStdin.ok)
  assert.equal(fromStdin.value.spec.prompt, 'from stdin')
  const why = 'the tree is a btrfs subvolume'
  const btrfs = madeUpMachine({ detectCheckpoint: () => ({ backend: 'btrfs', why }) })
  assert.deepEqual(wishFor({}, btrfs).spec.checkpoint, 'btrfs')
  assert.deepEqual(wishFor({}, btrfs).spec.checkpointWhy, why)
  assert.deepEqual(wishFor({ checkpoint: 'btrfs' }, btrfs).spec.checkpointWhy, undefined)
  const opencode = { HOME: '/made-up/home', LOOP_SESSION: 's' }
  assert.equal(wishFor({ session: 'true' }, madeUpMachine({ env: opencode })).spec.agent, 'opencode')
})

test('each mistake in a start has its own sentence and exit 4', () => {
  const time = 'a time like 90s, 5m or 1h30m'
  const rows: [Options, RegExp][] = [
    [{ promise: [] }, /^Give the command that decides when the work is done: -p "npm test"\.$/],
    [{ promise: [], confirm: 'x' }, /--confirm comes on top of it\./],
    [{ promise: ' ' }, /^The promise is empty\./],
    [{ promise: ['a=x', 'a=y'] }, /^There are two criteria of the name a\./],
    [{ promise: 'CI=1' }, /^The promise CI=1 runs nothing: it would always hold\./],
    [
      { promise: 'a:mesurement=x' },
      /^There is no verification type "mesurement"\. Did you mean "measurement"/,
    ],
    [{ promise: 'if x' }, /^The promise if x is no command that \/bin\/sh can read: Syntax error: end/],
    [{ promise: 'a=if x' }, /^The promise a is no command .*: Syntax error: .*: if x$/],
    [{ 'must-not': 'a=if x' }, /^--must-not a is no command that \/bin\/sh can read/],
    [{ 'must-not': 'grep' }, /^--must-not is name=command/],
    [{ protect: '/x' }, /^--protect \/x matches no file of the work tree\./],
    [{ protect: 'x', checkpoint: 'none' }, /^--protect needs checkpoints/],
    [{ holdout: ' ' }, /^--holdout/],
    [{ allow: '../x' }, /^--allow \.\.\/x matches no file of the work tree\./],
    [{ allow: 'x', checkpoint: 'none' }, /^--allow needs checkpoints/],
    [{ cwd: '' }, /^--cwd is empty\./],
    [{ cwd: '/elsewhere' }, /^\/elsewhere is not there\. Check --cwd\.$/],
    [{ cwd: 'read-only' }, /read-only is read-only: an agent could do nothing there\. Check its permissions/],
    [{ cwd: '/elsewhere.txt' }, /^\/elsewhere\.txt is not a directory\. Check --cwd\.$/],
    [{ agent: 'custm' }, /^There is no agent custm\. Did you mean custom\?$/],
    [{ agent: 'constructor' }, /^There is no agent constructor\. There are: opencode, /],
    [{ 'fallback-agent': 'custom' }, /^--fallback-agent names custom twice, or it is the agent itself\./],
    [{ 'fallback-agent': 'codex,codex' }, /^--fallback-agent names codex twice/],
    [{ 'fallback-agent': 'gmini' }, /^There is no agent gmini\. Did you mean gemini\?$/],
    [{ model: 'm' }, /^The agent custom has no --model\. Put the model into the command: --agent-cmd$/],
    [{ agent: 'acp', model: 'm' }, /^The agent acp has no --model\. Set the model in the configuration/],
    [{ 'context-mode': 'old' }, /^--context-mode is fresh or continue; not "old"\.$/],
    [{ 'context-mode': 'continue' }, /^The agent custom cannot continue a session without a person\./],
    [{ price: 'cheap' }, /^--price is dollars for a million tokens: .*; not "cheap"\.$/],
    [{ checkpoint: 'zip' }, /^--checkpoint is auto, btrfs, git or none; not "zip"\.$/],
    [{ checkpoint: 'btrfs' }, /^--checkpoint btrfs is not possible in .*: it is made up\. Use git\.$/],
    [
      { 'max-iterations': '0' },
      /^--max-iterations is a whole number of at least 1, or unlimited; not "0"\.$/,
    ],
    [{ budget: 'lots' }, /^--budget is an amount in dollars like 25 or 2\.50, or none; not "lots"\.$/],
    [{ 'max-output': 'big' }, /^--max-output is a size like 500MB or 2GB; not "big"\.$/],
    [{ timeout: '0' }, new RegExp(`^--timeout is ${time}; not "0"\\.$`)],
    [{ timeout: '99999999999d' }, /^--timeout is a time/],
    ...['verify-timeout', 'idle-timeout', 'max-wait', 'limit-backoff'].map((name): [Options, RegExp] => [
      { [name]: 'soon' },
      new RegExp(`^--${name} is ${time}; not "soon"\\.$`),
    ]),
    ...startFlags
      .filter(({ takes }) => takes === 'N|off')
      .map(({ name }): [Options, RegExp] => [
        { [name]: 'unlimited' },
        new RegExp(`^--${name} is a whole number of at least 1, or off; not "unlimited"\\.$`),
      ]),
    [{ 'on-complete': ' ' }, /^--on-complete is empty\. Give a command, or leave it out\.$/],
    [
      { 'on-failure': 'if true' },
      /^--on-failure is no command that \/bin\/sh can read: Syntax error: end of file unexpected\. Check its quotes and brackets: if true$/,
    ],
    [{ 'pass-env': 'A=B' }, /^--pass-env is names of variables .*; not "A=B"\.$/],
    [{ 'on-complete': 'a', 'hook-timeout': 'soon' }, /^--hook-timeout is a time like .*; not "soon"\.$/],
    [
      { 'on-failure': 'a', session: 'true' },
      /^--on-failure comes after a loop that runs an agent; in a session /,
    ],
    [{ state: 'gone' }, /^--state is keep or delete; not "gone"\.$/],
    [
      { background: 'true', priority: 'now' },
      /^--priority is high, normal or low; not "now"\. Did you mean low\?$/,
    ],
    [{ inject: 'nothing' }, /^nothing is not a file of at most 100 kB\. Check --inject\.$/],
  ]
  for (const [options, message] of rows) refused(asked(options), message)
  assert.equal(exitCodeOf('invalid-arguments'), 4)
  const blank = madeUpMachine({ files: { [`${tree}/blank`]: ' \n' } })
  refused(asked({ inject: 'blank' }, blank), /^blank is empty\. Check --inject\.$/)
})

test('an empty prompt is refused', () => {
  const here = madeUpMachine()
  for (const prompt of ['', '  ']) refused(asked({}, here, prompt), /^Say what is to be done/)
  refused(resolveStart({ prompt: undefined, values: valuesFor(base, here) }, here), /^Say what is to be done/)
  refused(asked({}, here, 'a\0b'), /^The prompt holds a NUL byte/)
  refused(asked({}, here, 'x'.repeat(10_000_001)), /^The prompt is longer than 10 MB\./)
  refused(asked({}, madeUpMachine({ readStdin: null }), ' - '), /^Give the prompt as text/)
})

test('a mistake names the place of its value', () => {
  const system = madeUpMachine({ env: { HOME: '/made-up/home', LOOP_TIMEOUT: 'soon', LOOP_AGENT: 'x-y' } })
  refused(asked({}, system), /^LOOP_TIMEOUT is a time like .*; not "soon"\.$/)
  const unnamed = valuesFor({ promise: 'x', timeout: '5m' }, system)
  refused(
    resolveStart({ prompt: 'do it', values: unnamed }, system),
    /^There is no agent x-y \(\$LOOP_AGENT\)\. There are: opencode/,
  )
  const layers: Layers = {
    user: ({ name }) =>
      name === 'budget' ? { text: 'lots', from: '/c.yaml:2', subject: '/c.yaml:2: budget' } : null,
  }
  const here = madeUpMachine()
  refused(
    resolveStart({ prompt: 'do it', values: valuesFor(base, here, layers) }, here),
    /^\/c\.yaml:2: budget is an amount in dollars .*; not "lots"\.$/,
  )
})

test('what loop itself needs must be there; git only where it saves the tree', () => {
  const neededPrograms = ['setsid', 'ln']
  const without = (missing: string) => madeUpMachine({ neededPrograms, hasProgram: name => name !== missing })
  for (const tool of [...neededPrograms, 'git'])
    refused(asked({}, without(tool)), new RegExp(`^The program ${tool} is not on the PATH`), 'system')
  assert.ok(asked({ checkpoint: 'none' }, without('git')).ok)
})

test('the tree that holds the data of loop cannot be checkpointed', () => {
  const at = (data: string) => madeUpMachine({ env: { HOME: '/made-up/home', XDG_DATA_HOME: data } })
  refused(asked({}, at(`${tree}/data`)), /holds loop's own data directory/)
  assert.ok(asked({ checkpoint: 'none' }, at(`${tree}/data`)).ok)
  assert.ok(asked({}, at(`${tree}-beside`)).ok)
})
