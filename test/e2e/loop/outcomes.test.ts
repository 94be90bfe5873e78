/**
 * Every way in which a loop can come to rest, through the real program: its exit code, its status and reason in words,
 * and the whole receipt, as a person would read it.
 */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

const change = 'echo x >> work'

type Outcome = {
  name: string
  args: string[]
  code: number
  status: string
  reason: string
  /** The receipt without its first line; times are replaced by T, the id by ID. */
  receipt: string
}

const research = (verified: string, tasks: string) => `
╭─ 🔴 RESEARCH ──────────────────────╮
│ ${`Verified: ${verified}`.padEnd(34)} │
│ ${`Tasks: ${tasks} complete`.padEnd(34)} │
│ ${`Subjective: ~– · Type 2B · ${tasks.slice(2)}pt`.padEnd(34)} │
╰────────────────────────────────────╯
`
const unknownCost = '  cost        unknown (the agent reports none)\n  sandbox     none (--sandbox off)\n'
const anotherWay = '  next        loop logs ID\n  next        loop inject ID "another way to do it"\n'

const outcomes: Outcome[] = [
  {
    name: 'iteration-limit',
    args: startArgs(change, 'false', '-n', '2'),
    code: 1,
    status: 'failed',
    reason: '2 iterations used and the promise does not hold',
    receipt: `  promise     false: FAIL (exit 1, T), run by loop itself
  changes     +2 -0 (1 file) since the loop began: work
  iterations  2 of 2
  time        T
${unknownCost}  next        loop resume ID --max-iterations 12
  next        loop diff ID
  next        loop rollback ID initial
${research('nothing', '0/1')}`,
  },
  {
    name: 'stuck',
    args: startArgs(change, 'false', '--stuck-limit', '2'),
    code: 1,
    status: 'failed',
    reason: 'stuck: nothing has got better in 2 iterations',
    receipt: `  promise     false: FAIL (exit 1, T), run by loop itself
  changes     +2 -0 (1 file) since the loop began: work
  iterations  2 of 10
  time        T
${unknownCost}${anotherWay}  next        loop resume ID
  next        loop diff ID
  next        loop rollback ID initial
${research('nothing', '0/1')}`,
  },
  {
    name: 'no-change',
    args: startArgs('true', 'false'),
    code: 1,
    status: 'failed',
    reason: 'stuck: the agent has changed no file in 3 iterations',
    receipt: `  promise     false: FAIL (exit 1, T), run by loop itself
  changes     none since the loop began
  iterations  3 of 10
  time        T
${unknownCost}${anotherWay}  next        loop resume ID
${research('nothing', '0/1')}`,
  },
  {
    name: 'budget-reached',
    args: startArgs(`${change}; echo '{"costUsd": 3}' > "$LOOP_USAGE_FILE"`, 'false', '--budget', '5'),
    code: 1,
    status: 'paused',
    reason: '$6 of $5 spent',
    receipt: `  promise     false: FAIL (exit 1, T), run by loop itself
  changes     +2 -0 (1 file) since the loop began: work
  iterations  2 of 10
  time        T
  cost        $6
  sandbox     none (--sandbox off)
  next        loop resume ID --budget 12
  next        loop diff ID
  next        loop rollback ID initial
`,
  },
  {
    name: 'promise-errors',
    args: startArgs(change, 'test -e work || exit 1; echo no judge; exit 127', '--promise-error-limit', '2'),
    code: 1,
    status: 'paused',
    reason:
      'the promise could not be judged twice in a row: test -e work || exit 1; echo no judge; exit 127: exit 127: command not found',
    receipt: `  promise     test -e work || exit 1; echo no judge; exit 127: ERROR (exit 127: command not found, T), run by loop itself
  changes     +2 -0 (1 file) since the loop began: work
  iterations  2 of 10
  time        T
${unknownCost}  │ no judge
  next        loop resume ID
  next        loop diff ID
  next        loop rollback ID initial
`,
  },
  {
    name: 'agent-errors',
    args: startArgs('exit 127', 'false', '--agent-error-limit', '1'),
    code: 3,
    status: 'crashed',
    reason: 'the agent failed: unstartable, exit 127',
    receipt: `  promise     false: FAIL (exit 1, T), run by loop itself
  changes     none since the loop began
  iterations  1 of 10
  time        T
${unknownCost}  next        loop logs ID
  next        loop resume ID
  next        With another command: loop resume ID --agent-cmd '<command>'
${research('nothing', '0/1')}`,
  },
  {
    name: 'agent-errors, of an agent that fails',
    args: startArgs('echo loading; printf boom >&2; exit 7', 'false', '--agent-error-limit', '1'),
    code: 3,
    status: 'crashed',
    reason: 'the agent failed: exit 7: boom',
    receipt: `  promise     false: FAIL (exit 1, T), run by loop itself
  changes     none since the loop began
  iterations  1 of 10
  time        T
${unknownCost}  next        loop logs ID
  next        loop resume ID
  next        With another command: loop resume ID --agent-cmd '<command>'
${research('nothing', '0/1')}`,
  },
  {
    name: 'no-change, of an agent that fails',
    args: startArgs('exit 7', 'false', '--agent-error-limit', 'off', '--no-change-limit', '1'),
    code: 1,
    status: 'failed',
    reason: 'stuck: the agent has changed no file in 1 iteration; the agent failed: exit 7',
    receipt: `  promise     false: FAIL (exit 1, T), run by loop itself
  changes     none since the loop began
  iterations  1 of 10
  time        T
${unknownCost}${anotherWay}  next        loop resume ID
${research('nothing', '0/1')}`,
  },
  {
    name: 'step-failed',
    args: startArgs(`${change}; cd /; rm -rf "$OLDPWD"`, 'false'),
    code: 1,
    status: 'paused',
    reason: '',
    receipt: '',
  },
  {
    name: 'promise-unrunnable',
    args: startArgs(change, 'no-such-program'),
    code: 4,
    status: 'failed',
    reason: 'the promise cannot be judged: no-such-program: exit 127: command not found',
    receipt: `  promise     no-such-program: ERROR (exit 127: command not found, T), run by loop itself
  iterations  0 of 10
  time        T
  cost        $0
  sandbox     none (--sandbox off)
  │ /bin/sh: 1: no-such-program: not found
  next        Mend the command, or the program it calls, and start again.
${research('nothing', '0/1')}`,
  },
]

for (const { name, args, code, status, reason, receipt } of outcomes) {
  test(`${name}: exit ${code}, ${status}`, async t => {
    const rig = makeRig(t)
    const ended = await rig.loop(args)
    const [id = ''] = rig.loops()
    assert.equal(ended.code, code, ended.stderr)
    const shown = await detail(rig, id)
    assert.deepEqual([shown.status, shown.exitCode], [status, code])
    if (receipt === '') return assert.match(shown.reason, /: .*tree/)
    assert.equal(shown.reason, reason)
    assert.equal(normal(ended.stdout, id), `\nLoop ID ${status}: ${reason}.\n${receipt}`)
  })
}

test('a promise that takes too long at the baseline: exit 4, and the flag that helps', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(
    startArgs(change, 'test -e slept || exec sleep 60', '--verify-timeout', '200ms'),
  )
  const [id = ''] = rig.loops()
  assert.equal(ended.code, 4, ended.stderr)
  assert.equal(
    ended.stdout
      .replaceAll(id, 'ID')
      .replace(/0\.2s, [\d.]+m?s/, '0.2s, T')
      .replace(/time .*/, 'time T'),
    `
Loop ID failed: the promise cannot be judged: test -e slept || exec sleep 60: timed out after 0.2s.
  promise     test -e slept || exec sleep 60: ERROR (timed out after 0.2s, T), run by loop itself
  iterations  0 of 10
  time T
  cost        $0
  sandbox     none (--sandbox off)
  next        loop resume ID --verify-timeout 0.6s
${research('nothing', '0/1')}`,
  )
  rig.write('slept', '')
  const again = await rig.loop(['resume', id, '--verify-timeout', '1m', '--json'])
  assert.deepEqual([again.code, JSON.parse(again.stdout).status], [0, 'completed'], again.stderr)
})

test('cancelled: exit 2, from this terminal and from another', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(startArgs(`${change}; touch "$ASIDE/up"; exec sleep 60`, 'false'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  const cancel = await rig.loop(['cancel', id])
  const ended = await running.ended
  const receipt = `Loop ID cancelled: cancelled by you.
  promise     false: FAIL (exit 1, T), run by loop itself
  changes     +1 -0 (1 file) since the loop began: work
  iterations  1 of 10
  time        T
${unknownCost}  next        loop resume ID
  next        loop diff ID (without iteration 1, which was cut short)
  next        loop rollback ID initial
${research('nothing', '0/1')}`
  assert.deepEqual([cancel.code, normal(cancel.stdout, id)], [0, receipt])
  assert.deepEqual([ended.code, normal(ended.stdout, id)], [2, `\n${receipt}`])
  assert.equal((await detail(rig, id)).status, 'cancelled')
})

test('running, then paused by you: exit 2', async t => {
  const rig = makeRig(t)
  const wait = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done'
  const running = rig.spawn(startArgs(`${change}; ${wait}`, 'false'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  assert.deepEqual(await shape(rig, id), ['running', '', null])
  const pause = await rig.loop(['pause', id])
  assert.equal(pause.stdout, `Loop ${id} pauses after this iteration. Go on with: loop resume ${id}\n`)
  writeFileSync(join(rig.aside, 'go'), '')
  const ended = await running.ended
  assert.deepEqual(
    [ended.code, normal(ended.stdout, id)],
    [
      2,
      `
Loop ID paused: paused by you.
  promise     false: FAIL (exit 1, T), run by loop itself
  changes     +1 -0 (1 file) since the loop began: work
  iterations  1 of 10
  time        T
${unknownCost}  next        loop resume ID
  next        loop diff ID
  next        loop rollback ID initial
`,
    ],
  )
  assert.deepEqual(await shape(rig, id), ['paused', 'paused by you', 2])
})

test('waiting after an agent error, with the time of the next try', async t => {
  const rig = makeRig(t)
  const tries = ['--agent-error-limit', '20']
  const running = rig.spawn(startArgs('echo x >> work; exit 127', 'false', ...tries))
  await until('the wait', () => running.stderr().includes('next try in'))
  const [id = ''] = rig.loops()
  // A slow machine may look at the moment of the next try: then there is another wait.
  const reason = await until('the wait in its status', async () => {
    const shown = await detail(rig, id)
    return shown.status === 'waiting' && !shown.reason.endsWith('next try now') && shown.reason
  })
  assert.match(reason, /^the agent failed \(unstartable, exit 127\); next try in [\d.]+m?s$/)
  await rig.loop(['cancel', id])
  assert.equal((await running.ended).code, 2)
})

async function detail(rig: Rig, id: string) {
  return JSON.parse((await rig.loop(['status', id, '--json'], { cwd: rig.aside })).stdout)
}

async function shape(rig: Rig, id: string) {
  const { status, reason, exitCode } = await detail(rig, id)
  return [status, reason, exitCode]
}

function normal(text: string, id: string): string {
  return text.replaceAll(id, 'ID').replaceAll(/\b[\d.]+m?s\b/g, 'T')
}
