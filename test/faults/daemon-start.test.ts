/**
 * Obstacles to the start of loopd: another loopd, a stopped one, a stale or foreign socket, a path that is too long, a
 * port in use, a directory or a disk that cannot be written, no file descriptors left. loopd serves, or says what is
 * wrong; and there is never more than one.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { platform } from '../../src/platform/platform.ts'
import { call } from '../../src/server/api/client.ts'
import { isRunning, readRecord, writeRecord } from '../../src/server/daemon/record.ts'
import { makeDaemonRig, marked } from '../rig/daemon.ts'
import { loopdProgram, otherNamespace, readOr, startArgs, until } from '../rig/rig.ts'

const long = process.env['LOOP_LONG'] !== undefined
const rounds = long ? 100 : 2

test(`eight daemons started at once, ${rounds} times: exactly one serves`, { timeout: 900_000 }, async t => {
  const rig = makeDaemonRig(t)
  for (let round = 0; round < rounds; round += 1) {
    const all = Array.from({ length: 8 }, () =>
      rig.spawn(['start', '--foreground'], { program: loopdProgram }),
    )
    let ended = 0
    for (const one of all) one.child.once('close', () => ++ended)
    const serving = () => all.filter(one => one.stderr().includes(`(process ${one.pid})`))
    await until('seven to give up and one to serve', () => ended === 7 && serving().length === 1, 60_000)
    const [one] = serving()
    assert.ok(one)
    const status = await call(rig.env['LOOPD_SOCKET'] ?? '', 'daemon')
    assert.ok(status.ok && status.value.pid === one.pid)
    for (const other of all.filter(candidate => candidate !== one)) {
      const { code, stderr } = await other.ended
      assert.equal(code, 4, stderr)
      assert.match(stderr, /^loopd: loopd runs already/)
    }
    // In half of the rounds loopd is killed instead of asked to end.
    one.child.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
    await one.ended
  }
})

test('a loopd in another PID namespace counts too: pids alone say nothing', async t => {
  const rig = makeDaemonRig(t)
  const first = rig.spawn(['start', '--foreground'], { program: loopdProgram, wrap: otherNamespace })
  await until('it to serve', () => first.stderr().includes('serves'))
  const second = await rig.loopd(['start', '--foreground'])
  assert.equal(second.code, 4)
  assert.match(second.stderr, /runs already/)
})

test('a record with the number of another process is not believed', async t => {
  const rig = makeDaemonRig(t)
  mkdirSync(rig.paths.data, { recursive: true, mode: 0o700 })
  writeFileSync(rig.paths.daemon.lock, '')
  const socket = rig.env['LOOPD_SOCKET'] ?? ''
  writeRecord(rig.paths, { pid: process.pid, start: 1, version: '0', socket, startedAt: 0 })
  assert.equal((await rig.loopd(['status'])).code, 5)
  assert.equal((await rig.loopd(['stop'])).stdout, 'loopd does not run.\n')
  const started = await rig.loopd(['start', '--json'])
  assert.equal(started.code, 0, started.stderr)
  assert.notEqual(JSON.parse(started.stdout).pid, process.pid)
})

for (const how of ['SIGCONT', 'SIGKILL'] as const) {
  const then = how === 'SIGCONT' ? 'going on, it goes on' : 'killed, the next one takes over'
  test(`a stopped loopd is not replaced, with advice; ${then}`, { timeout: 600_000 }, async t => {
    const rig = makeDaemonRig(t)
    const first = await rig.startDaemon()
    const agent = 'touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo x > work'
    const id = await rig.background(agent, 'false', '--checkpoint', 'none', '--no-baseline')
    await until('the agent', () => existsSync(join(rig.aside, 'up')))
    await until('it to rest', () => rig.events(id).at(-1)?.kind === 'run.launched')
    first.child.kill('SIGSTOP')
    await until('it to stand still', () => platform.processes.find(first.pid)?.stopped)
    const second = await rig.loopd(['start', '--foreground'])
    assert.equal(second.code, 4)
    assert.match(second.stderr, new RegExp(`runs already \\(process ${first.pid}\\)`))
    const stopped = new RegExp(
      `loopd runs \\(process ${first.pid}\\) but does not answer.*kill -CONT ${first.pid}`,
    )
    for (const command of ['status', 'stop']) {
      const answer = await rig.loopd([command])
      assert.equal(answer.code, 5)
      assert.match(answer.stderr, stopped)
    }
    const background = await rig.loop([...startArgs('true', 'true', '--cwd', rig.aside), '-b'])
    assert.equal(background.code, 5)
    assert.match(background.stderr, /^loop: Loop \w{6} is queued, but nobody will take it up\. loopd runs/)
    const paused = await rig.loop(['pause', id])
    assert.equal(paused.code, 5)
    assert.match(paused.stderr, new RegExp(`process ${first.pid}, which hosts it, does not answer`))
    first.child.kill(how)
    if (how === 'SIGKILL') {
      await first.ended
      await rig.startDaemon()
    }
    writeFileSync(join(rig.aside, 'go'), '')
    await rig.reaches(id, 'paused')
    assert.deepEqual(marked(id), [])
    await rig.reaches(rig.loops().at(-1) ?? '', 'completed')
  })
}

test('a stale socket is replaced, a foreign one and any other file are not', async t => {
  const rig = makeDaemonRig(t)
  const path = rig.env['LOOPD_SOCKET'] ?? ''
  const first = await rig.startDaemon()
  first.child.kill('SIGKILL')
  await first.ended
  assert.ok(existsSync(path), 'it left its socket')
  const second = await rig.startDaemon()
  second.child.kill('SIGTERM')
  await second.ended
  assert.equal(existsSync(path), false)
  const server = createServer().listen(path)
  t.after(() => server.close())
  await until('the server', () => existsSync(path))
  const foreign = await rig.loopd(['start', '--foreground'])
  assert.equal(foreign.code, 5)
  assert.match(foreign.stderr, /^loopd: Another process serves .*LOOPD_SOCKET\.\n$/)
  await new Promise(resolve => server.close(resolve))
  writeFileSync(path, 'mine')
  const file = await rig.loopd(['start', '--foreground'])
  assert.equal(file.code, 5)
  assert.match(file.stderr, /is there and is not a socket/)
  assert.ok(existsSync(path))
})

test('a socket that is removed is made again; one of another is left alone', {
  timeout: 600_000,
}, async t => {
  const rig = makeDaemonRig(t)
  const path = rig.env['LOOPD_SOCKET'] ?? ''
  const daemon = await rig.startDaemon()
  rmSync(path)
  await until('the socket', () => existsSync(path), 20_000)
  // The path exists a moment before a process listens on it.
  await until('it to answer', async () => (await call(path, 'daemon')).ok)
  renameSync(path, `${path}.moved`)
  const server = createServer().listen(path)
  await until('the other server', () => existsSync(path))
  await until('the words', () => readOr(rig.paths.daemon.log).includes(`Another process serves ${path}`))
  daemon.child.kill('SIGTERM')
  await daemon.ended
  assert.ok(existsSync(path), 'it is not ours to remove')
  await new Promise(resolve => server.close(resolve))
})

test('a record that is removed or spoilt is written again: loopd is found', { timeout: 600_000 }, async t => {
  const rig = makeDaemonRig(t)
  const daemon = await rig.startDaemon()
  const isFound = async () => (await rig.loopd(['status'])).stdout.includes(`(process ${daemon.pid})`)
  rmSync(rig.paths.daemon.record)
  assert.equal(await isFound(), false)
  await until('loopd to be found', isFound)
  writeFileSync(rig.paths.daemon.record, '{')
  await until('loopd to be found again', isFound)
})

test('a path that is too long, and a directory that others can reach, are refused', async t => {
  const rig = makeDaemonRig(t)
  const path = join(rig.aside, 'a'.repeat(120), 'loopd.sock')
  const tooLong = await rig.loopd(['start', '--foreground'], { env: { LOOPD_SOCKET: path } })
  assert.equal(tooLong.code, 5)
  assert.match(tooLong.stderr, /is too long for a socket \(\d+ of 107 bytes\)\.\n$/)
  const open = join(rig.aside, 'open')
  mkdirSync(open)
  chmodSync(open, 0o777)
  const env = { LOOPD_SOCKET: join(open, 'loopd.sock') }
  const reachable = await rig.loopd(['start', '--foreground'], { env })
  assert.equal(reachable.code, 5)
  assert.match(reachable.stderr, /is in a directory that others can reach/)
  // Without a configured path loopd takes the first place that works: here the data directory.
  const elsewhere = { LOOPD_SOCKET: '', XDG_RUNTIME_DIR: join(rig.aside, 'a'.repeat(120)) }
  await rig.startDaemon(elsewhere)
  assert.equal(readRecord(rig.paths)?.socket, join(rig.paths.data, 'loopd.sock'))
  const { mode } = statSync(join(rig.paths.data, 'loopd.sock'))
  assert.equal(mode & 0o777, 0o600)
  assert.equal(statSync(rig.paths.data).mode & 0o777, 0o700)
})

test('a port in use is reported, and everything but the page works', async t => {
  const rig = makeDaemonRig(t)
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  const address = await until('the port', () => server.address())
  assert.ok(typeof address === 'object')
  await rig.loop(['config', 'set', 'web_ui_port', String(address.port)])
  const daemon = await rig.startDaemon()
  await until('the words', () => daemon.stderr().includes(`port ${address.port} is taken by another program`))
  assert.match((await rig.loopd(['status'])).stdout, /page +port \d+ is taken/)
  assert.equal((await rig.loop(['ui'])).code, 5)
  const id = await rig.background('echo x > work', 'test -s work')
  await rig.reaches(id, 'completed')
})

test('without file descriptors loopd says so, and goes on later', { timeout: 600_000 }, async t => {
  const rig = makeDaemonRig(t)
  const daemon = await rig.startDaemon()
  const allow = (files: number) =>
    execFileSync('prlimit', ['--pid', String(daemon.pid), `--nofile=${files}:4096`])
  // No file descriptor more than loopd has open.
  allow(readdirSync(`/proc/${daemon.pid}/fd`).length)
  rig.env['ONLY_HERE'] = 'of this shell'
  const agent = 'echo "$ONLY_HERE" >> work'
  const more = ['--checkpoint', 'none', '--no-baseline', '--json']
  const started = Array.from({ length: 4 }, (_, n) => {
    const tree = join(rig.aside, `t${n}`)
    mkdirSync(tree)
    return rig.spawn([...startArgs(agent, 'grep -q "of this shell" work', ...more), '--cwd', tree, '-b'])
  })
  await until('the words', () => daemon.stderr().includes('its log cannot be written: EMFILE'))
  const ids = await until('the loops', () => rig.loops().length === 4 && rig.loops())
  assert.deepEqual(
    ids.filter(id => rig.status(id) === 'completed'),
    [],
  )
  allow(4_096)
  for (const one of started) await one.ended
  const over = (id: string) => ['completed', 'paused'].includes(rig.status(id))
  await until('each to complete, or to be paused with the reason', () => ids.every(over), 90_000)
  for (const id of ids.filter(one => rig.status(one) === 'paused')) {
    assert.match((await rig.loop(['status', id])).stdout, /EMFILE|too many open files|cannot/)
    assert.equal((await rig.loop(['resume', id, '-b'])).code, 0)
    await rig.reaches(id, 'completed')
  }
  // Each loop ran once, in the environment it was started from.
  for (let n = 0; n < 4; n += 1) {
    assert.equal(readOr(join(rig.aside, `t${n}`, 'work')), 'of this shell\n')
  }
})

test('a lock file that is removed ends loopd: two must never run', { timeout: 600_000 }, async t => {
  const rig = makeDaemonRig(t)
  const daemon = await rig.startDaemon()
  rmSync(rig.paths.daemon.lock)
  const { code } = await daemon.ended
  assert.equal(code, 0)
  assert.equal(isRunning(rig.paths), false)
})
