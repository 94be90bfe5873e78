/** Runs at the level of the kernel: the identity of a process, and that exactly one of several shims starts a run. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { claimForNobody, identify, readExit } from '../../../../src/adapters/process/files.ts'
import { clear, type Handle, launch, lookAtRun, stopRunning } from '../../../../src/adapters/process/run.ts'
import type { Launch } from '../../../../src/adapters/process/shim.ts'
import { exec } from '../../../../src/platform/exec.ts'
import { isAlive, platform } from '../../../../src/platform/platform.ts'
import { tempDir } from '../../../rig/given.ts'
import { without } from '../../../rig/needs.ts'
import { readOr, until } from '../../../rig/rig.ts'

const place = platform.processes.here()

function runIn(dir: string, script: string): Launch {
  mkdirSync(dir)
  return {
    dir,
    cwd: dir,
    argv: ['/bin/sh', '-c', script],
    env: { PATH: process.env['PATH'] },
    timeoutMs: 20_000,
    graceMs: 100,
    marker: dir,
  }
}

/** The run as seen by a host that has only its files. */
function seen({ dir, marker, cwd }: Launch): Handle {
  return { dir, marker, tree: cwd, here: place, identity: null }
}

test('of two shims that race for a run exactly one wins, every time', async t => {
  const dir = tempDir(t)
  for (let round = 0; round < 20; round += 1) {
    const run = runIn(join(dir, String(round)), 'echo ran; echo ran >>tally')
    const launched = await Promise.all([launch(run, place), launch(run, place)])
    assert.ok(
      launched.every(({ ok }) => ok),
      JSON.stringify(launched),
    )
    const exit = await until('the end of the run', () => readExit(run.dir))
    assert.equal(exit.code, 0)
    await clear(seen(run))
    assert.equal(readOr(join(run.dir, 'tally')), 'ran\n', `round ${round}`)
    assert.equal(readOr(join(run.dir, 'out')), 'ran\n')
    assert.deepEqual(lookAtRun(seen(run)), { claimed: true, exited: true, alive: false })
  }
})

test('a run that removes its claim before the host looks still counts as claimed', async t => {
  const run = runIn(join(tempDir(t), 'run'), 'rm claim claim.*; echo ran >>tally; exec sleep 60')
  const pending = launch(run, place)
  // A busy wait: no other code of this process runs, so it looks only after the claim is gone.
  while (readOr(join(run.dir, 'tally')) !== 'ran\n') continue
  const launched = await pending
  await clear(seen(run))
  assert.deepEqual(launched.ok && launched.value.identity, null, JSON.stringify(launched))
})

test('a run that was claimed without a shim never starts, and a second claim fails', async t => {
  const run = runIn(join(tempDir(t), 'run'), 'echo ran >>tally')
  assert.deepEqual(lookAtRun(seen(run)), { claimed: false, exited: false, alive: false })
  assert.equal(claimForNobody(run.dir), true)
  assert.equal(claimForNobody(run.dir), false)
  const launched = await launch(run, place)
  assert.ok(launched.ok)
  assert.equal(launched.value.identity, null)
  assert.deepEqual(lookAtRun(seen(run)), { claimed: true, exited: false, alive: false })
  assert.equal(identify(run.dir), null)
  await stopRunning(seen(run), 100)
  assert.equal(readOr(join(run.dir, 'tally'), 'nothing'), 'nothing')
})

test('a run that a shim has claimed cannot be claimed without one; stopped and cleared it is gone', async t => {
  const run = runIn(join(tempDir(t), 'run'), 'echo begun; exec sleep 60')
  const launched = await launch(run, place)
  assert.ok(launched.ok)
  assert.equal(launched.value.identity?.verified, true)
  assert.equal(launched.value.identity?.shim.pid, identify(run.dir)?.shim.pid)
  assert.equal(claimForNobody(run.dir), false)
  await until('the command to run', () => readOr(join(run.dir, 'out')) === 'begun\n')
  assert.deepEqual(lookAtRun(seen(run)), { claimed: true, exited: false, alive: true })
  await stopRunning(seen(run), 60_000)
  const { alive } = await clear({ ...seen(run), identity: launched.value.identity })
  assert.deepEqual(alive, [])
  assert.equal(lookAtRun(seen(run)).alive, false)
  assert.equal(readExit(run.dir)?.code, 128 + 15)
  assert.match(readFileSync(join(run.dir, 'claim'), 'utf8'), /^v 1\npid \d+\nstart \d+\n/)
})

/** A program that prints the signals it gets, and ends at the named one; a shell in the background would ignore INT. */
const listener = `
const [last] = process.argv.slice(1)
const heard = new Set()
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (heard.has(signal)) return
    heard.add(signal)
    console.log(signal)
    // Not at once: a second TERM while Node exits would kill it.
    if (signal === last) setTimeout(() => process.exit(7), 300)
  })
}
console.log('LOOP_STOP=' + process.env.LOOP_STOP)
setInterval(() => {}, 1_000)`

function listening(dir: string, last: string, given: Partial<Launch>): Launch {
  const argv = [process.execPath, '-e', listener, last]
  return { ...runIn(dir, ''), argv, graceMs: 10_000, ...given }
}

test('a command with a stop signal of its own gets that first and TERM later; any other gets TERM', async t => {
  const table: [last: string, given: Partial<Launch>, heard: string[]][] = [
    ['SIGINT', { stopSignal: 'INT', graceMs: 10_000 }, ['SIGINT']],
    ['SIGTERM', { stopSignal: 'INT', graceMs: 2_000 }, ['SIGINT', 'SIGTERM']],
    ['SIGTERM', {}, ['SIGTERM']],
  ]
  const stopped = async ([last, given, heard]: (typeof table)[number]) => {
    const run = listening(join(tempDir(t), 'run'), last, given)
    const launched = await launch({ ...run, env: { ...run.env, LOOP_STOP: 'of somebody else' } }, place)
    assert.ok(launched.ok)
    const out = () => readOr(join(run.dir, 'out')).trimEnd().split('\n')
    await until('the command to listen', () => out()[0] === 'LOOP_STOP=undefined')
    await stopRunning({ ...seen(run), identity: launched.value.identity }, 60_000)
    assert.deepEqual(out().slice(1), heard)
    assert.deepEqual([readExit(run.dir)?.code, readExit(run.dir)?.timedOut], [7, false])
    await clear({ ...seen(run), identity: launched.value.identity })
  }
  await Promise.all(table.map(stopped))
})

test('its wall timeout stops a command the same way, and KILL ends one that listens to neither', async t => {
  const table: [last: string, given: Partial<Launch>, heard: string[], code: number][] = [
    ['SIGINT', { stopSignal: 'INT', timeoutMs: 3_000, graceMs: 10_000 }, ['SIGINT'], 7],
    ['SIGTERM', { timeoutMs: 3_000, graceMs: 10_000 }, ['SIGTERM'], 7],
    ['none', { stopSignal: 'INT', timeoutMs: 3_000, graceMs: 4_000 }, ['SIGINT', 'SIGTERM'], 128 + 9],
  ]
  const timedOut = async ([last, given, heard, code]: (typeof table)[number]) => {
    const run = listening(join(tempDir(t), 'run'), last, given)
    const launched = await launch(run, place)
    assert.ok(launched.ok)
    const exit = await until('the end of the run', () => readExit(run.dir))
    assert.deepEqual([exit.code, exit.timedOut], [code, true])
    assert.deepEqual(readOr(join(run.dir, 'out')).trimEnd().split('\n').slice(1), heard)
    await clear({ ...seen(run), identity: launched.value.identity })
  }
  await Promise.all(table.map(timedOut))
})

test('an agent that changes the files of its run neither hides itself nor points to another process', async t => {
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' })
  t.after(() => stranger.kill('SIGKILL'))
  await once(stranger, 'spawn')
  const victim = platform.processes.find(stranger.pid ?? 0)
  const spoiled = {
    garbage: 'garbage',
    empty: '',
    'another process': `v 1\npid ${victim?.pid}\nstart ${victim?.start}\nboot ${place.boot}\nns ${place.ns}\nmode namespace\nlock yes\n`,
    'another boot': `v 1\npid 7\nstart 7\nboot x\nns ${place.ns}\nmode group\nlock yes\n`,
  }
  for (const [name, claim] of Object.entries(spoiled)) {
    const run = runIn(join(tempDir(t), 'run'), 'echo begun; exec sleep 60')
    const launched = await launch(run, place)
    assert.ok(launched.ok)
    const handle = { ...seen(run), identity: launched.value.identity }
    writeFileSync(join(run.dir, 'claim'), claim)
    writeFileSync(join(run.dir, 'pid'), claim)
    assert.deepEqual(lookAtRun(handle), { claimed: true, exited: false, alive: true }, name)
    await clear(seen(run))
    assert.equal(isAlive({ pid: victim?.pid ?? 0, start: victim?.start ?? 0 }), true, `${name}: a stranger`)
    assert.deepEqual((await clear(handle)).alive, [], name)
    assert.equal(lookAtRun(handle).alive, false, name)
  }
})

test('a stopped helper is over, even if a process it started still holds its output', async t => {
  const dir = tempDir(t)
  const script = 'sleep 60 & echo $! > left; wait'
  const leave = new AbortController()
  const asked = exec({
    argv: ['/bin/sh', '-c', script],
    cwd: dir,
    env: { PATH: process.env['PATH'] ?? '' },
    signal: leave.signal,
  })
  const left = Number(await until('its child', () => readOr(join(dir, 'left'))))
  t.after(() => process.kill(left, 'SIGKILL'))
  leave.abort()
  assert.equal((await asked).cut, 'stopped')
  assert.notEqual(platform.processes.find(left), null, 'it holds the pipe still')
})

// Only root can write to the memory of process 1 of a namespace.
const skip = without('root')

test('a run whose processes have lost their mark is stopped and cleared by their identity', {
  skip,
}, async t => {
  const run = runIn(join(tempDir(t), 'run'), 'trap "" TERM; sleep 60')
  const launched = await launch(run, place)
  assert.ok(launched.ok && launched.value.identity?.verified && launched.value.identity.inner)
  const { identity } = launched.value
  const processes = [identity.shim, launched.value.identity.inner]
  for (const { pid } of processes) eraseMark(pid)
  assert.deepEqual(
    processes.map(({ pid }) => platform.processes.variable(pid, 'LOOP_RUN')),
    [null, null],
  )
  const handle = { ...seen(run), identity }
  await stopRunning(handle, 100)
  assert.deepEqual((await clear(handle)).alive, [])
  assert.deepEqual(processes.map(isAlive), [false, false])
})

/**
 * Overwrites the variable in the memory from which the kernel reads the environment, as an agent that is root could.
 */
function eraseMark(pid: number): void {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  const from = Number(fields[47])
  const environ = readFileSync(`/proc/${pid}/environ`, 'latin1')
  const at = environ.indexOf('LOOP_RUN=')
  assert.ok(from > 0 && at >= 0)
  const memory = openSync(`/proc/${pid}/mem`, 'r+')
  writeSync(memory, 'x'.repeat(8), from + at)
  closeSync(memory)
}
