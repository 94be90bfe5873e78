/** Loops in the background: started, queued, controlled, left and taken up again, through the real programs. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRunning, readRecord } from '../../../src/server/daemon/record.ts'
import { type DaemonRig, hostIn, makeDaemonRig, marked } from '../../rig/daemon.ts'
import { freePort } from '../../rig/port.ts'
import { loopdProgram, readOr, until } from '../../rig/rig.ts'

/** An agent that works until a file of this name exists. */
const held = (name: string) =>
  `touch "$ASIDE/up-${name}"; while [ ! -e "$ASIDE/go-${name}" ]; do sleep 0.02; done; echo x >> work`
const custom = ['--agent', 'custom', '--agent-cmd', 'true']
const fast = ['--checkpoint', 'none', '--no-baseline']

const go = (rig: DaemonRig, name: string) => writeFileSync(join(rig.aside, `go-${name}`), '')
const isUp = (rig: DaemonRig, name: string) =>
  until(`agent ${name}`, () => existsSync(join(rig.aside, `up-${name}`)))

/** Options that put a loop into a work tree of its own. */
function inTree(rig: DaemonRig, name: string): string[] {
  mkdirSync(join(rig.aside, name), { recursive: true })
  return [...fast, '--cwd', join(rig.aside, name)]
}

test('start -b starts loopd, says the id at once, and the loop runs to its end', async t => {
  const rig = makeDaemonRig(t)
  rig.env['ONLY_HERE'] = 'of this shell'
  const id = await rig.background('echo "$ONLY_HERE" > work', 'grep "of this shell" work')
  await rig.reaches(id, 'completed')
  assert.ok(isRunning(rig.paths))
  assert.deepEqual(
    rig
      .events(id)
      .map(({ kind }) => kind)
      .slice(0, 3),
    ['loop.created', 'loop.queued', 'loop.dequeued'],
  )
  const stopped = await rig.loopd(['stop'])
  assert.equal(stopped.code, 0, stopped.stderr)
  assert.equal(stopped.stdout, 'loopd has ended.\n')
  assert.equal(isRunning(rig.paths), false)
  assert.equal(existsSync(rig.env['LOOPD_SOCKET'] ?? ''), false)
  assert.deepEqual(readdirSync(rig.paths.hosts), [])
  assert.equal((await rig.loopd(['status'])).code, 5)
})

test('loopd keeps no pipe open of whoever started it: a reader of that pipe is not kept waiting', {
  timeout: 60_000,
}, async t => {
  const rig = makeDaemonRig(t)
  // `ended` waits for the end of standard output, which the pipe is.
  const started = await rig.loopd(['start'], { wrap: ['bash', '-c', 'exec 17>&1; exec "$@"', 'bash'] })
  assert.equal(started.code, 0, started.stderr)
  assert.ok(isRunning(rig.paths))
})

test('a second loop in the same work tree waits behind the first; one in the foreground is refused', async t => {
  const rig = makeDaemonRig(t)
  const first = await rig.background(held('1'), 'test -s work', ...fast)
  await isUp(rig, '1')
  const second = await rig.background('touch "$ASIDE/up-2"; echo y >> work', 'grep -q y work', ...fast)
  const refused = await rig.loop(['start', 'x', '-p', 'true', '--agent', 'custom', '--agent-cmd', 'true'])
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, new RegExp(`Loop ${first} is active`))
  assert.equal(rig.status(second), 'queued')
  assert.equal(existsSync(join(rig.aside, 'up-2')), false)
  const words = `waits until loop ${first} (running) lets go of the work tree`
  const third = await rig.loop(['start', 'x', '-p', 'true', ...custom, ...fast, '-b'])
  assert.ok(third.stdout.includes(` ${words}. See it with: `), third.stdout)
  assert.ok((await rig.loop(['status', second])).stdout.startsWith(`loop ${second}: queued (${words})\n`))
  go(rig, '1')
  await rig.reaches(second, 'completed')
  assert.equal(rig.status(first), 'completed')
})

test('an invalid priority is refused, and nothing is queued', async t => {
  const rig = makeDaemonRig(t)
  const refused = await rig.loop(['start', 'x', '-p', 'true', '-b', '--priority', 'urgent', ...custom])
  assert.equal(refused.code, 4)
  assert.equal(refused.stderr, 'loop: --priority is high, normal or low; not "urgent".\n')
  assert.deepEqual(rig.loops(), [])
})

test('no more loops run than configured; priority decides who is next', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(['config', 'set', 'max_concurrent_loops', '1'])
  await rig.startDaemon()
  const ids = [await rig.background(held('1'), 'test -s work', ...inTree(rig, 't1'))]
  await isUp(rig, '1')
  const order = 'echo "$LOOP_ID" >> "$ASIDE/order"; echo x >> work'
  for (const priority of ['low', 'normal', 'high']) {
    const more = ['--priority', priority, ...inTree(rig, `t-${priority}`)]
    ids.push(await rig.background(order, 'test -s work', ...more))
  }
  assert.deepEqual(
    ids.map(id => rig.status(id)),
    ['running', 'queued', 'queued', 'queued'],
  )
  const fifth = await rig.loop(['start', 'x', '-p', 'true', ...custom, ...inTree(rig, 't5'), '-b'])
  const words = 'waits for its turn: 1 of 1 loops run (max_concurrent_loops)'
  assert.ok(fifth.stdout.includes(` ${words}. See it with: `), fifth.stdout)
  go(rig, '1')
  for (const id of ids) await rig.reaches(id, 'completed')
  assert.deepEqual(readOr(join(rig.aside, 'order')).trim().split('\n'), ids.slice(1).toReversed())
})

test('pause, resume -b, inject and cancel reach a loop of the background, queued or running', async t => {
  const rig = makeDaemonRig(t)
  const running = await rig.background(held('1'), 'false', ...fast, '-n', '2')
  await isUp(rig, '1')
  const queued = await rig.background('true', 'true', ...fast)
  assert.equal((await rig.loop(['inject', queued, 'look here'])).code, 0)
  assert.equal((await rig.loop(['pause', queued])).code, 0)
  assert.equal(rig.status(queued), 'paused')
  assert.equal((await rig.loop(['resume', queued, '-b'])).code, 0)
  assert.equal(rig.status(queued), 'queued')
  assert.equal((await rig.loop(['cancel', queued])).code, 0)
  assert.equal(rig.status(queued), 'cancelled')
  assert.equal((await rig.loop(['pause', running])).code, 0)
  go(rig, '1')
  await rig.reaches(running, 'paused')
  assert.equal((await rig.loop(['resume', running, '-b'])).code, 0)
  await rig.reaches(running, 'failed')
  assert.equal(rig.events(running).filter(({ kind }) => kind === 'run.started').length, 2)
})

test('a pause of the background that is taken back in time leaves the loop to loopd, also to the next one', async t => {
  const rig = makeDaemonRig(t)
  const loopd = await rig.startDaemon()
  const id = await rig.background(held('1'), 'test "$(wc -l < work)" -ge 2', ...fast)
  await isUp(rig, '1')
  assert.equal((await rig.loop(['pause', id])).code, 0)
  const resumed = await rig.loop(['resume', id, '-b'])
  assert.deepEqual([resumed.code, resumed.stdout], [0, `Loop ${id} goes on without a pause.\n`])
  loopd.child.kill('SIGKILL')
  await loopd.ended
  await rig.startDaemon()
  go(rig, '1')
  await rig.reaches(id, 'completed')
})

test('cancel of a running loop of the background leaves nothing of its agent', async t => {
  const rig = makeDaemonRig(t)
  const id = await rig.background(`${held('1')} & wait`, 'false', ...fast)
  await isUp(rig, '1')
  assert.ok(marked(id).length > 0)
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 0, cancelled.stderr)
  assert.deepEqual(marked(id), [])
})

test('loopd stop waits for the iteration; the next loopd goes on with the next', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const id = await rig.background(held('1'), 'test "$(wc -l < work)" -ge 2', ...fast)
  await isUp(rig, '1')
  const stopping = rig.spawn(['stop'], { program: loopdProgram })
  await until('the word', () => stopping.stderr().includes('waiting for 1 iteration'))
  assert.ok(isRunning(rig.paths), 'not before the iteration has ended')
  go(rig, '1')
  assert.equal((await stopping.ended).code, 0)
  assert.equal(hostIn(rig, id), null)
  assert.equal(rig.events(id).at(-1)?.kind, 'promise.verified')
  await rig.startDaemon()
  await rig.reaches(id, 'completed')
  assert.equal(readFileSync(join(rig.tree, 'work'), 'utf8'), 'x\nx\n')
})

test('loopd stop --now leaves the agent running, and the next loopd attaches to it', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const id = await rig.background(held('1'), 'test -s work', ...fast)
  await isUp(rig, '1')
  const before = marked(id)
  assert.equal((await rig.loopd(['stop', '--now'])).code, 0)
  // The shell of the agent lives all the time; its `sleep` is a new process each time.
  assert.ok(marked(id).some(pid => before.includes(pid)))
  assert.match(
    (await rig.loop(['status', id])).stdout,
    /no process hosts it any more; take it up with: loopd start/,
  )
  await rig.startDaemon()
  go(rig, '1')
  await rig.reaches(id, 'completed')
  assert.equal(rig.events(id).filter(({ kind }) => kind === 'run.started').length, 1)
})

test('a loop whose agent fails too often is started again three times, later each time, and then left', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon({ LOOPD_RESTART_MS: '50' })
  const more = [...fast, '--agent-error-limit', '1', '-n', 'unlimited']
  const id = await rig.background('kill -9 $$', 'false', ...more)
  await until('four crashes', () => count(rig, id, 'loop.crashed') === 4, 30_000)
  await until('loopd to let go', () => hostIn(rig, id) === null)
  const restarts = rig.events(id).filter(event => event.kind === 'loop.queued' && event.data.restart)
  assert.equal(restarts.length, 3)
  assert.equal(rig.status(id), 'crashed')
})

test('the command of the user is told, its arguments never through a shell', async t => {
  const rig = makeDaemonRig(t)
  const teller = join(rig.aside, 'tell me.sh')
  const told = 'printf "%s\\n" "$#|$1|$2|$LOOP_TITLE|$LOOP_LEVEL|$LOOP_ID" >> "$ASIDE/told"'
  writeFileSync(teller, `#!/bin/sh\n${told}\n`, { mode: 0o755 })
  await rig.loop(['config', 'set', 'notification_cmd', `"${teller}"`])
  const args = ['start', 'do $(touch pwned); `touch pwned`', '-p', 'test -s work', ...fast, '-b', '--json']
  const started = await rig.loop([...args, '--agent', 'custom', '--agent-cmd', 'echo x > work'])
  const { id } = JSON.parse(started.stdout)
  const line = await until('the word', () => readOr(join(rig.aside, 'told')).trim())
  const message = 'do $(touch pwned); `touch pwned`: the promise holds'
  assert.equal(line, `2|loop ${id} completed|${message}|loop ${id} completed|info|${id}`)
  assert.equal(existsSync(join(rig.tree, 'pwned')), false)
})

test('inside the run of an agent loopd is not started: it would end with it', async t => {
  const rig = makeDaemonRig(t)
  const started = await rig.loop(
    ['start', 'x', '-p', 'true', '--agent', 'custom', '--agent-cmd', 'true', '-b'],
    { env: { LOOP_RUN: 'abcdef/runs/1' } },
  )
  assert.equal(started.code, 5)
  assert.match(started.stderr, /^loop: Loop \w{6} is queued, but nobody will take it up\. .*loopd start\n$/)
  assert.equal(readRecord(rig.paths), null)
})

function count(rig: DaemonRig, id: string, kind: string): number {
  return rig.events(id).filter(event => event.kind === kind).length
}

test('loopd follows its configuration while it runs: another port, or no command for notices', {
  timeout: 600_000,
}, async t => {
  const rig = makeDaemonRig(t)
  const [one, two] = [await freePort(), await freePort()]
  await rig.loop(['config', 'set', 'web_ui_port', String(one)])
  await rig.loop(['config', 'set', 'notification_cmd', 'none'])
  await rig.startDaemon()
  const page = async () => /^ {2}page +(\S+)/m.exec((await rig.loopd(['status'])).stdout)?.[1]
  assert.equal(await page(), `http://127.0.0.1:${one}/`)
  await rig.loop(['config', 'set', 'web_ui_port', String(two)])
  await until('the other port', async () => (await page()) === `http://127.0.0.1:${two}/`)
  assert.equal((await fetch(`http://127.0.0.1:${two}/v1/loops`)).status, 401)
  await assert.rejects(fetch(`http://127.0.0.1:${one}/`))
  const id = await rig.background('echo x > work', 'test -s work', ...fast)
  await rig.reaches(id, 'completed')
  assert.doesNotMatch((await rig.loopd(['status'])).stdout, /problem/)
})
