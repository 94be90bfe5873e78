/** `loop start` through the real program: each end of a loop, with its exit code and its words. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { makeRig, readOr, startArgs, until } from '../../rig/rig.ts'

/** An agent that adds a line to `work` in each run, and keeps its prompts. */
const worker = 'cat >> "$ASIDE/prompts"; echo line >> work; echo "ran $LOOP_ITERATION"; echo oops >&2'
const threeLines = 'test "$(wc -l < work 2>/dev/null || echo 0)" -ge 3'

test('a loop runs until its promise holds, and says so', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs(worker, threeLines, '--plain'))
  assert.equal(ended.code, 0, ended.stderr)
  const [id = ''] = rig.loops()
  assert.equal(
    ended.stdout.replaceAll(/[\d.]+m?s\b/g, 'T'),
    [
      '',
      '<loop-complete>',
      'All success criteria satisfied:',
      `- ${threeLines}: ✓`,
      '</loop-complete>',
      '',
      '╭─ 🟢 SHIP ──────────────────────────╮',
      '│ Verified: execution output         │',
      '│ Tasks: 1/1 complete                │',
      '│ Subjective: ~– · Type 2B · 1pt     │',
      '╰────────────────────────────────────╯',
      '',
      `Loop ${id} completed: the promise holds.`,
      `  promise     ${threeLines}: PASS (exit 0, T), run by loop itself`,
      '  checked     verified in a clean copy, tests and settings as they were',
      '  changes     +3 -0 (1 file) since the loop began: work',
      '  iterations  3 of 10',
      '  time        T',
      '  cost        unknown (the agent reports none)',
      '  sandbox     none (--sandbox off)',
      `  next        loop diff ${id}`,
      `  next        loop rollback ${id} initial`,
      '',
    ].join('\n'),
  )
  const kinds = rig.events(id).map(event => event.kind)
  const iteration = [
    'checkpoint.taken',
    'run.started',
    'run.launched',
    'run.ended',
    'run.cleared',
    'checkpoint.taken',
    'promise.verified',
  ]
  assert.deepEqual(kinds, [
    'loop.created',
    'promise.verified',
    'checkpoint.taken',
    ...iteration,
    ...iteration,
    ...iteration.slice(0, -1),
    'checkpoint.taken',
    'promise.verified',
    'look.taken',
    'tree.compared',
    'loop.completed',
  ])
  assert.equal(readFileSync(join(rig.tree, 'work'), 'utf8'), 'line\nline\nline\n')
})

test('the agent is told the task, the success condition and what the promise printed', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs(worker, `echo "we have $(cat work 2>/dev/null)"; ${threeLines}`, '--plain'))
  const prompts = readOr(join(rig.aside, 'prompts'))
  assert.match(prompts, /^do the work\n/)
  assert.match(
    prompts,
    /## Result now: FAIL \(exit 1\)\nNew in its output:\n- we have line\n\n```\nwe have line\n/,
  )
  assert.match(prompts, /Iteration 3 of 10, /)
})

test('a promise that already holds needs no agent', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs('touch "$ASIDE/ran"', 'true', '--plain'))
  assert.equal(ended.code, 0)
  assert.match(ended.stdout, /completed: the promise already holds\.\n/)
  assert.match(ended.stdout, / {2}iterations {2}0 of 10\n/)
  assert.equal(existsSync(join(rig.aside, 'ran')), false)
})

test('a promise that cannot run is refused with its output, exit 4, and no agent is run', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs('touch "$ASIDE/ran"', 'no-such-program --all', '--plain'))
  assert.equal(ended.code, 4)
  assert.match(
    ended.stdout,
    /failed: the promise cannot be judged: no-such-program --all: exit 127: command not found\.\n/,
  )
  assert.match(ended.stdout, /│ .*no-such-program.*not found/)
  assert.equal(existsSync(join(rig.aside, 'ran')), false)
})

test('the iteration limit fails the loop with exit 1 and says how to go on', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs(worker, 'false', '-n', '2', '--plain'))
  assert.equal(ended.code, 1)
  const [id = ''] = rig.loops()
  assert.match(
    ended.stdout,
    new RegExp(`Loop ${id} failed: 2 iterations used and the promise does not hold\\.`),
  )
  assert.match(ended.stdout, new RegExp(`next {8}loop resume ${id} --max-iterations 12`))
})

test('an agent that cannot start crashes the loop after three tries, exit 3; the promise is still run', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs('cd . && no-such-agent', 'false', '--plain'))
  assert.equal(ended.code, 3)
  const [id = ''] = rig.loops()
  const kinds = rig.events(id).map(event => event.kind)
  assert.equal(kinds.filter(kind => kind === 'run.started').length, 3)
  assert.equal(kinds.filter(kind => kind === 'promise.verified').length, 4)
  assert.match(
    ended.stdout,
    new RegExp(
      `Loop ${id} crashed: the agent failed three times in a row: unstartable, exit 127: .*no-such-agent: not found\\.`,
    ),
  )
})

test('an agent that exits non-zero is not the end: the promise decides', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs('touch done; exit 9', 'test -e done', '--plain'))
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stderr, /agent ended after .* \(exit 9, 0 B of output\)/)
})

test('a timeout stops the agent and keeps its work and output', async t => {
  const rig = makeRig(t)
  const agent = 'echo early; touch done; sleep 60; echo late'
  const ended = await rig.loop(startArgs(agent, 'test -e done', '--timeout', '500ms', '--plain'))
  assert.equal(ended.code, 0, ended.stderr)
  const [id = ''] = rig.loops()
  const end = rig.events(id).find(event => event.kind === 'run.ended')
  assert.equal(end?.data.how, 'timeout')
  assert.equal(end?.data.out.tail, 'early\n')
})

test('a promise that hangs is ERROR by its own timeout; three in a row pause the loop', async t => {
  const rig = makeRig(t)
  const args = startArgs(
    'echo x >> work',
    'sleep 60',
    '--verify-timeout',
    '200ms',
    '--no-baseline',
    '--plain',
  )
  const ended = await rig.loop(args)
  assert.equal(ended.code, 1)
  const [id = ''] = rig.loops()
  assert.match(
    ended.stdout,
    new RegExp(
      `Loop ${id} paused: the promise could not be judged three times in a row: sleep 60: timed out`,
    ),
  )
  assert.equal(readOr(join(rig.tree, 'work')), 'x\nx\nx\n')
})

test('what an agent reports as cost counts against the budget', async t => {
  const rig = makeRig(t)
  const agent = `printf '{"costUsd": 0.75}' > "$LOOP_USAGE_FILE"`
  const ended = await rig.loop(startArgs(agent, 'false', '--budget', '1.50', '--plain'))
  assert.equal(ended.code, 1)
  const [id = ''] = rig.loops()
  assert.match(ended.stdout, new RegExp(`Loop ${id} paused: \\$1\\.50 of \\$1\\.50 spent\\.`))
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 4)
  assert.equal(
    resumed.stderr,
    `loop: Loop ${id} cannot be resumed: it has spent $1.50 of $1.50; raise the limit with --budget 3.\n`,
  )
  const raised = await rig.loop(['resume', id, '--budget', '2', '--plain'])
  assert.match(raised.stdout, /paused: \$2\.25 of \$2 spent/)
})

test('a loop that gets nowhere is stuck: exit 1, and it says after how many tries', async t => {
  const rig = makeRig(t)
  const idle = await rig.loop(startArgs('true', 'false', '-n', 'unlimited', '--plain'))
  assert.equal(idle.code, 1)
  assert.match(idle.stdout, /failed: stuck: the agent has changed no file in 3 iterations\.\n/)
  const circling = await rig.loop(startArgs('date +%N > work', 'false', '-n', 'unlimited', '--plain'))
  assert.equal(circling.code, 1)
  assert.match(circling.stdout, /failed: stuck: nothing has got better in 5 iterations\.\n/)
})

test('--json prints one document with the shape that scripts rely on', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs(worker, threeLines, '--json'))
  assert.equal(ended.code, 0)
  assert.equal(ended.stderr, '')
  const { id, status, reason, exitCode, iteration, costUsd, criteria } = JSON.parse(ended.stdout)
  const { evidence, ...judged } = criteria[threeLines]
  assert.deepEqual([evidence.command, evidence.exitCode], [threeLines, 0])
  assert.equal(evidence.checkpoint, 'iter-003-after')
  assert.equal(readFileSync(join(rig.dir(id), evidence.output), 'utf8'), '')
  assert.deepEqual(
    { id, status, reason, exitCode, iteration, costUsd, judged },
    {
      id: rig.loops()[0],
      status: 'completed',
      reason: 'the promise holds',
      exitCode: 0,
      iteration: 3,
      costUsd: null,
      judged: { met: true, verification: 'execution output', verdict: 'PASS', why: 'exit 0' },
    },
  )
})

test('--dry-run says what would run and runs nothing', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs('touch ran', 'touch ran; false', '--dry-run'))
  assert.equal(ended.code, 0)
  assert.match(ended.stdout, /agent {7}custom: touch ran\n {2}promise {5}touch ran; false\n/)
  assert.match(ended.stdout, /Nothing was run\.\n$/)
  assert.equal(existsSync(join(rig.tree, 'ran')), false)
  assert.equal(existsSync(rig.paths.data), false)
})

test('a second loop in the same tree is refused while the first is active', async t => {
  const rig = makeRig(t)
  const first = rig.spawn(startArgs('touch "$ASIDE/up"; sleep 60', 'false', '--plain'))

  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  const second = await rig.loop(startArgs('true', 'false'))
  assert.equal(second.code, 4)
  assert.equal(
    second.stderr,
    `loop: Loop ${id} is active in ${rig.tree}. See it with: loop status ${id}. Take it up or end it with: loop resume ${id}, loop cancel ${id}\n`,
  )
  mkdirSync(join(rig.aside, 'other'))
  const elsewhere = await rig.loop(startArgs('true', 'true', '--cwd', join(rig.aside, 'other')))
  assert.equal(elsewhere.code, 0)
  assert.equal((await rig.loop(['cancel', id])).code, 0)
  assert.equal((await first.ended).code, 2)
})

test('a SHAPE.md that is not used is mentioned', async t => {
  const rig = makeRig(t)
  const file = join(rig.tree, '.loop', 'shape', 'SHAPE.md')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '# Shape\n')
  const started = await rig.loop(startArgs('true', 'true'))
  assert.equal(started.code, 0, started.stderr)
  const words = `loop: ${file} is not used: what you gave with -p decides. Without -p, loop plans by that file.`
  assert.equal(started.stderr.split('\n').filter(line => line === words).length, 1, started.stderr)
})
