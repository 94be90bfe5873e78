/** Timeouts, failing agents, and `loop resume` with other limits or another agent, through the real program. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { EventOf } from '../../../src/model/loop/event.ts'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { makeRig, type Rig, startArgs, until } from '../../rig/rig.ts'

const tap = 'not ok 1\nnot ok 2\nnot ok 3\nnot ok 4\n1..4\n'
const countsTap = 'cat tap; ! grep -q "^not ok" tap'

const detail = async (rig: Rig, id: string) => JSON.parse((await rig.loop(['status', id, '--json'])).stdout)

const promptOf = (rig: Rig, id: string, run: number) =>
  readFileSync(join(rig.dir(id), `runs/${run}/prompt`), 'utf8')

function resumedIn(rig: Rig, id: string): EventOf<'loop.resumed'>['data'] | undefined {
  return rig.events(id).flatMap(event => (event.kind === 'loop.resumed' ? event.data : []))[0]
}

test('an agent that mends one test in each run and is stopped by its timeout gets there', async t => {
  const rig = makeRig(t)
  rig.write('tap', tap)
  const agent = 'sed -i "0,/^not ok/s//ok/" tap; exec sleep 60'
  const ended = await rig.loop(startArgs(agent, countsTap, '--timeout', '3s'))
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  const [id = ''] = rig.loops()
  const ends = rig.events(id).flatMap(event => (event.kind === 'run.ended' ? event.data.how : []))
  assert.deepEqual(ends, ['timeout', 'timeout', 'timeout', 'timeout'])
  const told = promptOf(rig, id, 3)
  assert.match(told, /\nThe last run was stopped after 3\.0s, its time limit; .* Continue where it/)
  assert.match(told, / changed 1 file \(\+1 -1 lines\): 3 → 2 failing\.\n/)
  assert.doesNotMatch(ended.stderr, /next try/, 'no wait as after an error')
})

test('a loop stopped by timeouts with nothing done names --timeout, and goes on with it', async t => {
  const rig = makeRig(t)
  const agent = 'test -e "$ASIDE/slow" || exec sleep 60; sleep 0.6; echo x > done'
  const crashed = await rig.loop(
    startArgs(agent, 'test -e done', '--timeout', '0.5s', '--agent-error-limit', '1'),
  )
  const [id = ''] = rig.loops()
  assert.equal(crashed.code, 3, crashed.stderr)
  assert.match(crashed.stdout, /crashed: the agent failed: timed out after 0\.5s, with nothing done\.\n/)
  assert.ok(crashed.stdout.includes(`  next        loop resume ${id} --timeout 1.5s\n`), crashed.stdout)
  rig.write('../aside/slow', '')
  const went = await rig.loop(['resume', id, '--timeout', '5m'])
  assert.equal(went.code, 0, went.stdout + went.stderr)
  assert.match(went.stderr, /agent 5m, promise 5m/)
  assert.deepEqual(resumedIn(rig, id)?.timeoutMs, 300_000)
})

test('an idle timeout counts like any other', async t => {
  const rig = makeRig(t)
  rig.write('tap', tap)
  const agent = 'sed -i "0,/^not ok/s//ok/" tap; exec sleep 60'
  const ended = await rig.loop(startArgs(agent, countsTap, '--idle-timeout', '2s'))
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  const [id = ''] = rig.loops()
  assert.match(promptOf(rig, id, 2), /\nThe last run printed nothing for 2\.0s and was stopped; /)
})

test('an agent that fails and changes files is no error; the promise decides', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(
    startArgs('echo x >> work; exit 7', 'test "$(wc -l < work)" -ge 3', '--agent-error-limit', '1'),
  )
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
})

test('a loop goes on with another command, and with another agent', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('echo no model >&2; exit 7', 'test -e done', '--agent-error-limit', '1'))
  const [id = ''] = rig.loops()
  const agentOf = async () => (await detail(rig, id)).agent
  const absent = await rig.loop(['resume', id, '--agent', 'codex'], { env: { PATH: '/usr/bin:/bin' } })
  assert.equal(absent.code, 4)
  assert.match(absent.stderr, /The program codex is not on the PATH/)
  const mistyped = await rig.loop(['resume', id, '--agent-cmd', './nosuch'])
  assert.deepEqual([mistyped.code, resumedIn(rig, id)], [4, undefined], 'nothing was recorded')
  const other = await rig.loop(['resume', id, '--agent-cmd', 'echo x >> work; exit 0', '-n', '2'])
  assert.equal(other.code, 1, other.stderr)
  assert.deepEqual(resumedIn(rig, id)?.agent, { agent: 'custom', agentCmd: 'echo x >> work; exit 0' })
  rig.write('../aside/claude', '#!/bin/sh\ntouch done\necho \'{"type":"result","is_error":false}\'\n')
  chmodSync(join(rig.aside, 'claude'), 0o755)
  const claude = ['resume', id, '--agent', 'claude', '--model', 'opus', '-n', '3']
  const done = await rig.loop(claude, { env: { PATH: `${rig.aside}:${rig.env['PATH']}` } })
  assert.equal(done.code, 0, done.stdout + done.stderr)
  assert.equal(await agentOf(), 'claude')
  const runs = rig.events(id).flatMap(event => (event.kind === 'run.started' ? event.data.agent : []))
  assert.deepEqual(runs, ['custom', 'custom', 'claude'])
})

test('under loopd a loop goes on with another limit and another command too', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const id = await rig.background('echo x >> work', 'test -e done', '-n', '1')
  await rig.reaches(id, 'failed')
  const missing = await rig.loop(['resume', id, '-b', '-n', '2', '--agent-cmd', './nosuch'])
  assert.equal(missing.code, 4, missing.stdout)
  const other = ['--agent-cmd', 'touch done', '--timeout', '15m', '-n', '2']
  const resumed = await rig.loop(['resume', id, '-b', ...other])
  assert.equal(resumed.code, 0, resumed.stderr)
  await rig.reaches(id, 'completed')
  const { timeoutMs, agent, maxIterations } = resumedIn(rig, id) ?? {}
  assert.deepEqual([timeoutMs, agent?.agentCmd, maxIterations], [900_000, 'touch done', 2])
})

test('an impossible flag of resume is refused by name, and nothing happens', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('echo x >> work', 'false', '-n', '1'))
  const [id = ''] = rig.loops()
  const refusals: [string[], RegExp][] = [
    [['--timeout', 'soon'], /--timeout is a time like 90s, 5m or 1h30m; not "soon"\./],
    [['--idle-timeout', '0'], /--idle-timeout is a time/],
    [['--verify-timeout', ''], /--verify-timeout is a time/],
    [['--agent', 'gpt'], /There is no agent gpt/],
    [['--model', 'opus'], /The agent custom has no --model/],
    [['--fallback-agent', 'custom'], /--fallback-agent names custom twice, or it is the agent itself/],
    [['--budget', 'much'], /--budget is an amount/],
  ]
  for (const [flags, sentence] of refusals) {
    const refused = await rig.loop(['resume', id, '-n', '9', ...flags])
    assert.equal(refused.code, 4, flags.join(' '))
    assert.match(refused.stderr, sentence)
  }
  assert.equal(resumedIn(rig, id), undefined)
})

test('while its agent works, the limits can be changed and the agent cannot', async t => {
  const rig = makeRig(t)
  const wait = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x >> work'
  const running = rig.spawn(startArgs(wait, 'false', '-n', '1'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  await rig.loop(['pause', id])
  const refused = await rig.loop(['resume', id, '--agent-cmd', 'true'])
  assert.deepEqual(
    [refused.code, refused.stderr],
    [
      4,
      `loop: Loop ${id} cannot be resumed: its agent may still be at work; end that first: loop cancel ${id}.\n`,
    ],
  )
  const kept = await rig.loop(['resume', id, '--timeout', '7m', '-n', '2'])
  assert.equal(kept.code, 0, kept.stderr)
  rig.write('../aside/go', '')
  assert.equal((await running.ended).code, 1)
  assert.match(promptOf(rig, id, 2), /, stopped after 7m; /)
})

test('a custom agent whose program is not there is found at the start, and no loop is made', async t => {
  const rig = makeRig(t)
  for (const agent of ['/nonexistent/agent', 'no-such-agent --yes']) {
    const refused = await rig.loop(startArgs(agent, 'false'))
    assert.equal(refused.code, 4, agent)
    assert.ok(refused.stderr.startsWith(`loop: ${agent.split(' ')[0]} is `), refused.stderr)
  }
  assert.deepEqual(rig.loops(), [])
})
