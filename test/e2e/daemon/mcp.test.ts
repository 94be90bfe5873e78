/** `loop mcp` through the real program and the official client: the calls of an agent, and the answers. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRunning } from '../../../src/server/daemon/record.ts'
import { type DaemonRig, makeDaemonRig } from '../../rig/daemon.ts'
import { connect, type Session } from '../../rig/mcp-client.ts'
import { readOr, startArgs, until } from '../../rig/rig.ts'

/** Each iteration adds one line of work; before that the agent waits for the file `go-N`. */
const counts =
  'n=$(wc -l < work); touch "$ASIDE/at-$n"; while [ ! -e "$ASIDE/go-$n" ]; do sleep 0.02; done; echo x >> work'
const go = (rig: DaemonRig, n: number) => writeFileSync(join(rig.aside, `go-${n}`), '')

const custom = { agent: 'custom', checkpoint: 'none', no_baseline: true }

async function started(session: Session, wish: Record<string, unknown>): Promise<string> {
  const answer = await session.call('start', { prompt: 'do the work', ...custom, ...wish })
  assert.equal(answer.refused, false, answer.text)
  return String(answer.value['id'])
}

test('an agent starts a loop, follows it and talks to it; it completes when loop has seen it pass', async t => {
  const rig = makeDaemonRig(t)
  rig.write('work', '')
  const session = await connect(t, rig)
  assert.equal(isRunning(rig.paths), false)
  const id = await started(session, {
    agent_cmd: counts,
    promise: ['lines=echo looked; test $(wc -l < work) -ge 2', 'any=test -e work'],
    max_iterations: 5,
  })
  assert.ok(isRunning(rig.paths), 'loopd was started')
  await until('the first iteration', () => readOr(join(rig.aside, 'at-0'), 'no') === '')

  const [row] = (await session.call('status')).value['loops'] as Record<string, unknown>[]
  assert.deepEqual([row?.['id'], row?.['status'], row?.['maxIterations']], [id, 'running', 5])
  const told = await session.call('inject', { text: 'mind the gap' })
  assert.deepEqual(told.value, { id, iteration: 2 })
  go(rig, 0)
  await until('the second iteration', () => readOr(join(rig.aside, 'at-1'), 'no') === '')

  const open = await session.call('criteria')
  assert.deepEqual(open.value['unmet'], ['lines'])
  assert.deepEqual(open.value['criteria'], [
    {
      name: 'lines',
      command: 'echo looked; test $(wc -l < work) -ge 2',
      verification: 'execution output',
      met: false,
      verdict: 'FAIL',
      why: 'exit 1',
      output: 'looked\n',
      reported: null,
    },
    {
      name: 'any',
      command: 'test -e work',
      verification: 'execution output',
      met: true,
      verdict: 'PASS',
      why: 'exit 0',
      output: '',
      reported: null,
    },
  ])
  assert.match(readOr(join(rig.dir(id), 'runs', '2', 'prompt')), /mind the gap/)
  go(rig, 1)
  await rig.reaches(id, 'completed')

  const [one] = (await session.call('status', { loop: id })).value['loops'] as Record<string, unknown>[]
  assert.deepEqual([one?.['status'], one?.['exitCode'], one?.['cwd']], ['completed', 0, rig.tree])
  const past = await session.call('history', { loop: '@last', last: 1 })
  const [last] = past.value['iterations'] as Record<string, unknown>[]
  assert.deepEqual([last?.['n'], last?.['verdict'], past.value['more']], [2, 'PASS', 1])
})

test('nothing is started twice: a running loopd is used, a second loop in the tree waits', async t => {
  const rig = makeDaemonRig(t)
  rig.write('work', '')
  const daemon = await rig.startDaemon()
  const session = await connect(t, rig)
  const first = await session.call('start', {
    prompt: 'one',
    ...custom,
    agent_cmd: counts,
    promise: 'test -s work',
  })
  assert.equal(first.value['daemon'], `runs (process ${daemon.pid})`)
  await until('the first loop', () => readOr(join(rig.aside, 'at-0'), 'no') === '')
  const second = await started(session, { agent_cmd: 'true', promise: 'grep x work', priority: 'high' })
  assert.equal(rig.status(second), 'queued')
  const which = await session.call('inject', { text: 'hello' })
  assert.match(which.text, /^Several loops are open in .*: .*\. Say which one is meant/)
  go(rig, 0)
  await rig.reaches(second, 'completed')
})

test('a report is a claim: it is recorded, and the loop goes on until loop has seen the criterion pass', async t => {
  const rig = makeDaemonRig(t)
  rig.write('work', '')
  const session = await connect(t, rig)
  const id = await started(session, { agent_cmd: counts, promise: 'two=test $(wc -l < work) -ge 2' })
  await until('the first iteration', () => readOr(join(rig.aside, 'at-0'), 'no') === '')
  const claim = await session.call('report', { criterion: 'two', met: true, evidence: 'I counted' })
  const { next, ...said } = claim.value
  assert.deepEqual(said, { id, criterion: 'two', reported: true, met: false, unmet: ['two'] })
  assert.match(String(next), /loop runs the command of every criterion itself when the run/)
  const [row] = (await session.call('criteria')).value['criteria'] as Record<string, unknown>[]
  assert.deepEqual([row?.['met'], row?.['reported']], [false, true])
  const strange = await session.call('report', { criterion: 'three', met: true })
  assert.match(strange.text, /it has no criterion "three"; it has: two/)
  go(rig, 0)
  await until('the second iteration', () => readOr(join(rig.aside, 'at-1'), 'no') === '')
  go(rig, 1)
  await rig.reaches(id, 'completed')
  const kinds = rig.events(id).map(({ kind }) => kind)
  const verdicts = rig
    .events(id)
    .flatMap(event =>
      event.kind === 'promise.verified' ? event.data.results.map(({ verdict }) => verdict) : [],
    )
  assert.equal(kinds.filter(kind => kind === 'criterion.reported').length, 1)
  assert.deepEqual(verdicts, ['FAIL', 'PASS'])
  assert.match(
    (await session.call('report', { loop: id, criterion: 'two', met: false })).text,
    /has already ended/,
  )
})

test('in a session: its tasks, its loop, and a report that stands in its state file as a claim', async t => {
  const rig = makeDaemonRig(t)
  const env = { CLAUDE_CODE_SESSION_ID: 'a-session' }
  const list = join(rig.env['HOME'] ?? '', '.claude', 'tasks', 'a-session')
  mkdirSync(list, { recursive: true })
  const task = { description: 'as it says', blocks: [], blockedBy: [] }
  writeFileSync(
    join(list, '1.json'),
    JSON.stringify({ id: '1', subject: 'Look', status: 'completed', ...task }),
  )
  writeFileSync(
    join(list, '2.json'),
    JSON.stringify({ id: '2', subject: 'Mend', status: 'pending', ...task }),
  )
  const begun = await rig.loop(
    ['init', 'mending', '-p', 'one=test -e one', '-p', 'two=test -e two', '--json'],
    { env },
  )
  assert.equal(begun.code, 0, begun.stderr)
  const { id } = JSON.parse(begun.stdout)
  const session = await connect(t, rig, { env })
  const tasks = (await session.call('tasks')).value
  assert.deepEqual([tasks['session'], tasks['current'], tasks['open']], ['a-session', '2', 1])
  assert.match(String(tasks['run']), /^\.loop\/runs\/[\d-]+-mending$/)
  assert.equal((await session.call('criteria')).value['id'], id)

  const state = () => JSON.parse(readOr(join(rig.tree, '.loop', 'state.json')))
  await session.call('report', { criterion: 'one', met: true })
  assert.deepEqual([state().criteriaStatus, state().exit_signal], [{ one: true, two: false }, false])
  await session.call('report', { criterion: 'two', met: true, exit_signal: true })
  assert.deepEqual([state().criteriaStatus, state().exit_signal], [{ one: true, two: true }, true])
  await session.call('report', { criterion: 'two', met: false })
  assert.equal(state().exit_signal, false)
  assert.equal(rig.status(id), 'running', 'it is claimed, and nothing has passed')

  rmSync(join(rig.tree, '.loop'), { recursive: true })
  await session.call('report', { criterion: 'one', met: true })
  assert.deepEqual(
    state().criteriaStatus,
    { one: true, two: false },
    'a file that was removed is there again',
  )
  rmSync(join(rig.tree, '.loop'), { recursive: true })
  symlinkSync(rig.aside, join(rig.tree, '.loop'))
  const refused = await session.call('report', { criterion: 'one', met: true })
  assert.match(refused.text, /^The report is kept, but .*\.loop is not a directory/)
  assert.ok(!existsSync(join(rig.aside, 'state.json')), 'nothing is written through a link')
})

const refusals: [string, string, Record<string, unknown>, RegExp][] = [
  ['a loop that is not there', 'status', { loop: 'zzzzzz' }, /^There is no loop zzzzzz\. See the ones/],
  ['no loop here', 'criteria', {}, /^No loop is open in .*\. Say which one is meant/],
  ['an empty name', 'history', { loop: '' }, /loop/],
  ['no promise', 'start', { prompt: 'x' }, /promise: expected a text/],
  ['an option that is none', 'start', { prompt: 'x', promise: 'true', budgets: 3 }, /budgets/],
  ['an option for people', 'start', { prompt: 'x', promise: 'true', trust: true }, /trust/],
  [
    'a number that is none',
    'start',
    { prompt: 'x', promise: 'true', ...custom, agent_cmd: 'true', budget: -1 },
    /--budget is an amount/,
  ],
  ['an agent that is none', 'start', { prompt: 'x', promise: 'true', agent: 'claud' }, /Did you mean claude/],
  [
    'a directory that is none',
    'start',
    { prompt: 'x', promise: 'true', cwd: 'nowhere' },
    /nowhere is not there/,
  ],
  [
    'the prompt of stdin',
    'start',
    { prompt: ' - ', promise: 'true' },
    /^Give the prompt as text: there is no standard input here/,
  ],
  ['a report about no loop', 'report', { criterion: 'x', met: true }, /^No loop is open/],
  ['a report that says nothing', 'report', { criterion: 'x' }, /met/],
  ['tasks of no session', 'tasks', {}, /^This server belongs to no session/],
  ['an empty text', 'inject', { text: '' }, /text/],
  ['a spec that says nothing', 'score', { spec: '  ' }, /spec/],
]

test('an impossible call is refused with the way out, and nothing is started', async t => {
  const rig = makeDaemonRig(t)
  const session = await connect(t, rig)
  for (const [what, tool, asked, message] of refusals) {
    const answer = await session.call(tool, asked)
    assert.ok(answer.refused, what)
    assert.match(answer.text, message, what)
    assert.deepEqual(answer.value, {}, `${what}: clients hold structured content against the output schema`)
  }
  await assert.rejects(session.client.callTool({ name: 'shutdown', arguments: {} }), /shutdown/)
  assert.deepEqual(rig.loops(), [])
  assert.equal(isRunning(rig.paths), false)
})

test('a spec is scored as on the command line, without a store', async t => {
  const rig = makeDaemonRig(t)
  const session = await connect(t, rig)
  const spec = 'fix /api/auth/token: p95 latency <100ms, no new deps'
  const { value } = await session.call('score', { spec })
  assert.deepEqual([value['score'], value['shape']], [7, 'tool'])
  const typed = await rig.loop(['score', spec, '--json'])
  assert.deepEqual(JSON.parse(typed.stdout), value)
})

test('in the run of an agent: its own loop is meant, and it starts no other in the name of its user', async t => {
  const rig = makeDaemonRig(t)
  const ended = await rig.loop(startArgs('true', 'false', '-n', '1'))
  assert.equal(ended.code, 1)
  const [id = ''] = rig.loops()
  const session = await connect(t, rig, { env: { LOOP_RUN: `${id}/1`, LOOP_ID: id } })
  assert.equal((await session.call('history')).value['id'], id)
  const refused = await session.call('start', { prompt: 'x', promise: 'false', ...custom, agent_cmd: 'true' })
  assert.match(refused.text, /^start is for the user, and this is inside a run of loop /)
  assert.deepEqual(rig.loops(), [id])
  assert.equal(isRunning(rig.paths), false)
})

test('no answer contains a secret', async t => {
  const rig = makeDaemonRig(t)
  rig.env['DEPLOY_TOKEN'] = 'correct-horse-battery'
  await rig.loop(startArgs('true', 'echo "$DEPLOY_TOKEN"; false', '-n', '1'))
  const [id = ''] = rig.loops()
  const session = await connect(t, rig)
  const open = await session.call('criteria', { loop: id })
  assert.doesNotMatch(open.text, /correct-horse/)
  assert.match(open.text, /DEPLOY_TOKEN/)
  const echoed = await session.call('status', { loop: 'correct-horse-battery' })
  assert.doesNotMatch(echoed.text, /correct-horse/)
})
