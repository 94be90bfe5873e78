/** Commands that a person types and their output: help, refusals, status, list, logs; through the real program. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { laterCommands, laterFlags } from '../../../src/options/table/flag.ts'
import { makeRig, startArgs, until } from '../../rig/rig.ts'

/** The arguments, and the whole line of the answer. */
const refusals: [string[], string][] = [
  [startArgs('true', 'unit='), "The promise unit has no command. Give it as: -p 'unit=<command>'"],
  [
    startArgs('true', 'unit=make', '-p', 'unit=make test'),
    'There are two criteria of the name unit. Give each a name of its own.',
  ],
  ...['LINT=false', 'T1=./check.sh', '# nothing', 'A=1 B="two words"'].map((promise): [string[], string] => [
    startArgs('true', promise),
    `The promise ${promise} runs nothing: it would always hold. A name in capitals stands in double quotes: -p '"LINT"=npm run lint'`,
  ]),
  ...['../x/**', '/etc/**', '!test/**'].map((glob): [string[], string] => [
    startArgs('true', 'make', '--protect', glob),
    `--protect ${glob} matches no file of the work tree. Give a glob below it, like 'test/**'.`,
  ]),
  [
    startArgs('true', 'speed:mesurement=make'),
    'There is no verification type "mesurement". Did you mean "measurement"?',
  ],
  [
    startArgs('true', 'unit:assumption=make'),
    'An assumption has no command: unit is then "execution output", or give it to --confirm.',
  ],
  [
    startArgs('true', 'make', '--must-not', 'make'),
    '--must-not is name=command: the loop pauses when the command exits 0; not "make".',
  ],
  [
    startArgs('true', 'make', '--protect', 'test/**', '--checkpoint', 'none'),
    '--protect needs checkpoints to see what has changed; it does not go with --checkpoint none.',
  ],
  [
    startArgs('true', 'make', '--stuck-limit', '0'),
    '--stuck-limit is a whole number of at least 1, or off; not "0".',
  ],
  [
    startArgs('true', 'make', '--inject', '/not/there'),
    '/not/there is not a file of at most 100 kB. Check --inject.',
  ],
  [startArgs('true', 'make', '--state', 'maybe'), '--state is keep or delete; not "maybe".'],
  [['strat'], 'There is no command strat. Did you mean: loop start'],
  [['frobnicate'], 'There is no command frobnicate. See: loop --help'],
  [['start', 'x', '-p', 'true', '--agnet', 'y'], 'loop start has no flag --agnet. Did you mean --agent?'],
  [
    ['start', 'x', '--agent', 'custom', '--confirm', 'it looks right'],
    'Give the command that decides when the work is done: -p "npm test". --confirm comes on top of it.',
  ],
  [
    ['start', 'x', '-p', ' ', '--agent', 'custom'],
    'The promise is empty. Give a command that exits 0 when the work is done.',
  ],
  [['start', '-p', 'true'], 'Say what is to be done: loop start "fix the failing tests" -p "npm test"'],
  [['start', 'fix', 'it', '-p', 'true'], 'The prompt is one argument: put it in quotes. What follows it: it'],
  [['start', 'x', '-p', 'true', '--agent', 'custm'], 'There is no agent custm. Did you mean custom?'],
  [
    ['start', 'x', '-p', 'true', '--agent', 'custom'],
    "The agent custom needs a command. Give it with --agent-cmd, for example: --agent-cmd 'my-agent --yes'",
  ],
  [
    startArgs('true', 'true', '-n', '0'),
    '--max-iterations is a whole number of at least 1, or unlimited; not "0".',
  ],
  [startArgs('true', 'true', '--timeout', 'soon'), '--timeout is a time like 90s, 5m or 1h30m; not "soon".'],
  [
    startArgs('true', 'true', '--budget', '-3'),
    '--budget is an amount in dollars like 25 or 2.50, or none; not "-3".',
  ],
  [startArgs('true', 'true', '--checkpoint', 'zfs'), '--checkpoint is auto, btrfs, git or none; not "zfs".'],
  [
    startArgs('true', 'true', '--priority', 'high'),
    '--priority is about the queue of loopd: give it with -b, or leave it out.',
  ],
  [['stauts'], 'There is no command stauts. Did you mean: loop status'],
  [['status', 'zzzzzz'], 'There is no loop zzzzzz. See the ones there are with: loop list'],
  [['resume'], 'Name one loop: its id, the beginning of it, or @last. See: loop status'],
  [
    ['list', '--status', 'happy'],
    '--status is one of queued, running, waiting, paused, completed, failed, cancelled, crashed; not "happy".',
  ],
]

test('what cannot be understood is refused with exit 4 and one sentence', async t => {
  const rig = makeRig(t)
  for (const [args, sentence] of refusals) {
    const ended = await rig.loop(args)
    assert.deepEqual([ended.code, ended.stderr, ended.stdout], [4, `loop: ${sentence}\n`, ''], args.join(' '))
  }
})

test('an error is a JSON document with --json', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(['status', 'zzzzzz', '--json'])
  assert.deepEqual(JSON.parse(ended.stderr), {
    error: {
      reason: 'unknown-loop',
      message: 'There is no loop zzzzzz. See the ones there are with: loop list',
      facts: { kind: 'unknown-loop', name: 'zzzzzz' },
    },
  })
})

test('a system that loop does not know is said at once; help and version work there', async t => {
  const rig = makeRig(t)
  const pretend = `Object.defineProperty(process,'platform',{value:'darwin'})`
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretend)}` }
  for (const args of [['status'], startArgs('true', 'true')]) {
    const refused = await rig.loop(args, { env })
    assert.equal(refused.code, 3)
    assert.equal(
      refused.stderr,
      'loop: Only Linux is supported so far, and this is darwin. Run loop on a Linux machine, or in a container.\n',
    )
  }
  assert.equal((await rig.loop(['--version'], { env })).code, 0)
  assert.deepEqual(rig.loops(), [])
})

test('the first start in a home leaves its compiled code there, in a directory of the user', async t => {
  const rig = makeRig(t)
  const compiled = join(rig.paths.cache, 'node')
  rmSync(compiled)
  const ended = await rig.loop(['status'])
  assert.equal(ended.code, 0, ended.stderr)
  assert.ok(readdirSync(compiled, { recursive: true }).length > 1)
})

test('a command or flag that comes later is refused by name, never ignored', async t => {
  const rig = makeRig(t)
  for (const command of laterCommands.slice(-1)) {
    const ended = await rig.loop([command, 'x'])
    const words = `loop: loop ${command} is not available in this version of loop yet; nothing was done.`
    assert.deepEqual([ended.code, ended.stderr], [4, `${words}\n`])
  }
  const daemon = await rig.loopd(['start', '--fleet', 'x'])
  assert.deepEqual(
    [daemon.code, daemon.stderr],
    [4, 'loopd: loopd start has no flag --fleet. See: loopd start --help\n'],
  )
  for (const flag of [laterFlags['start']?.[0] ?? '', 'fleet']) {
    const ended = await rig.loop(startArgs('touch ran', 'true', `--${flag}`, '3'))
    assert.deepEqual(
      [ended.code, ended.stderr],
      [4, `loop: loop start --${flag} is not available in this version of loop yet; nothing was done.\n`],
    )
  }
  assert.equal(existsSync(rig.paths.data), false)
})

test('help names every command, and each command has examples', async t => {
  const rig = makeRig(t)
  const all = await rig.loop(['--help'])
  assert.equal(all.code, 0)
  for (const command of ['start', 'status', 'list', 'logs', 'resume', 'cancel', 'demo']) {
    assert.match(all.stdout, new RegExp(`^(?:\\S+)? .*\\b${command} {2,}\\S`, 'm'))
    const one = await rig.loop([command, '--help'])
    assert.equal(one.code, 0)
    assert.match(one.stdout, new RegExp(`\nExamples:\n  loop ${command}`))
  }
})

test('status and list show what is there, by id, prefix, @last, status and age', async t => {
  const rig = makeRig(t)
  assert.equal(
    (await rig.loop(['status'])).stdout,
    'No loops. Start one with: loop start "…" -p "…", or see: loop demo\n',
  )
  assert.equal((await rig.loop(['list', '--json'])).stdout, '[]\n')
  await rig.loop(startArgs('true', 'true'))
  await rig.loop(startArgs('true', 'false', '-n', '1'))
  const [done = '', failed = ''] = rig.loops()
  const table = (await rig.loop(['status'])).stdout.split('\n')
  assert.match(
    table[0] ?? '',
    /^LOOP-ID +STATUS +ITER +PROMISE +AGENT +ELAPSED +COST +DIRECTORY +AGE +PROMPT$/,
  )
  assert.match(
    table[1] ?? '',
    new RegExp(`^${failed} +failed +1/1 +false +custom +[\\d.]+m?s +–  +\\. +\\d+s +do the work$`),
  )
  assert.match(
    table[2] ?? '',
    new RegExp(`^${done} +completed +0/10 +true +custom +[\\d.]+m?s +–  +\\. +\\d+s +do the work$`),
  )
  const only = JSON.parse((await rig.loop(['list', '--status', 'failed', '--json'])).stdout)
  assert.deepEqual(
    only.map(
      ({ id, reason, iteration, maxIterations, promise, agent, costUsd }: Record<string, unknown>) => ({
        id,
        reason,
        iteration,
        maxIterations,
        promise,
        agent,
        costUsd,
      }),
    ),
    [
      {
        id: failed,
        reason: '1 iteration used and the promise does not hold',
        iteration: 1,
        maxIterations: 1,
        promise: 'false',
        agent: 'custom',
        costUsd: null,
      },
    ],
  )
  assert.equal(
    JSON.parse((await rig.loop(['list', '--since', '1h', '--limit', '1', '--json'])).stdout).length,
    1,
  )
  for (const name of [failed, failed.slice(0, 5), '@last']) {
    const one = JSON.parse((await rig.loop(['status', name, '--json'])).stdout)
    assert.deepEqual([one.id, one.status, one.exitCode, one.criteria.false.met], [failed, 'failed', 1, false])
  }
})

test('logs print the output of a run as safe text, and -f goes on until the loop rests', async t => {
  const rig = makeRig(t)
  const agent = [
    String.raw`printf 'one \033[31mred\033[0m \033]0;title\007\033[2Jtwo \377\n'; echo err >&2; touch "$ASIDE/up"`,
    'while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo three',
  ].join('; ')
  const started = rig.spawn(startArgs(agent, 'false', '-n', '1', '--plain'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const following = rig.spawn(['logs', '@last', '-f'])
  await until('the first line', () => following.stdout().includes('two'))
  writeFileSync(join(rig.aside, 'go'), '')
  const ended = await following.ended
  assert.equal(ended.stdout, 'one red two \uFFFD\nthree\n')
  assert.equal(ended.stderr, 'err\n')
  await started.ended
  const wrong = await rig.loop(['logs', '@last', '--iteration', '7'])
  assert.equal(wrong.code, 4)
})

test('a prompt comes through as it was typed: quotes, newlines, backticks, a megabyte', async t => {
  const rig = makeRig(t)
  const prompt = `it's "quoted" \`id\` $(id) \\ \n-- ünïcode 🙂 ${'long '.repeat(20_000)}`
  writeFileSync(join(rig.aside, 'task'), prompt)
  const args = [
    '-p',
    'false',
    '-n',
    '1',
    '--no-baseline',
    '--agent',
    'custom',
    '--agent-cmd',
    'cat; cat "$LOOP_PROMPT_FILE" > "$ASIDE/got"',
  ]
  await rig.loop(['start', prompt, ...args])
  const logs = await rig.loop(['logs', '@last'])
  assert.ok(logs.stdout.startsWith(prompt.trim()))
})

test('a work tree with spaces, a symlink to it, and a tree that holds the data directory', async t => {
  const rig = makeRig(t)
  const odd = join(rig.aside, 'a tree "with" \'odd\' $name')
  mkdirSync(odd)
  const ended = await rig.loop(startArgs('touch done', 'test -e done', '--cwd', odd))
  assert.equal(ended.code, 0, ended.stderr)
  assert.ok(existsSync(join(odd, 'done')))
  const home = rig.env['HOME'] ?? ''
  const refused = await rig.loop(startArgs('true', 'false', '--cwd', home))
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /holds loop's own data directory/)
})

test('the demo mends its project in three iterations', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(['demo', '--plain'], { env: { TMPDIR: rig.aside } })
  assert.equal(ended.code, 0, ended.stderr)
  assert.deepEqual(
    [...ended.stderr.matchAll(/(?:baseline|promise) node --test: (.*), [\d.]+m?s\)/g)].map(match => match[1]),
    ['FAIL (exit 1, 5 failing', 'FAIL (exit 1, 4 failing', 'FAIL (exit 1, 2 failing', 'PASS (exit 0'],
  )
  assert.match(
    ended.stdout,
    /<loop-complete>\nAll success criteria satisfied:\n- node --test: ✓\n<\/loop-complete>/,
  )
  assert.match(ended.stdout, /What to type next:/)
})
