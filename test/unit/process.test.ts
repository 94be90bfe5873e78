/** Runs as the kernel sees them: who a process is, and that of many who would start a run one does. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { claimForNobody, readClaim, readExit } from '../../src/adapters/process/files.ts'
import { here, isAlive, procOf, signalProcess, variableOf } from '../../src/adapters/process/proc.ts'
import { clear, type Launch, launch, look, stop } from '../../src/adapters/process/run.ts'
import { readOr, until } from '../rig.ts'
import { tempDir } from './given.ts'

const place = here()

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

test('a process is its pid and its start time, and a pid alone is not believed', async t => {
  const child = spawn('sleep', ['60'], { env: { ...process.env, WHO: 'me' }, stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  const gone = once(child, 'exit')
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const proc = await until('the process to be sleep', () => {
    const found = procOf(pid)
    return found?.command === 'sleep' && found
  })
  assert.equal(proc.ppid, process.pid)
  assert.equal(variableOf(pid, 'WHO'), 'me')
  assert.equal(variableOf(pid, 'WH'), null)
  assert.equal(isAlive(proc), true)
  const reused = { pid, start: proc.start + 1 }
  assert.equal(isAlive(reused), false)
  assert.equal(signalProcess(reused, 'SIGKILL'), false, 'another process with the same pid is not signalled')
  assert.equal(isAlive(proc), true)
  assert.equal(signalProcess(proc, 'SIGKILL'), true)
  await gone
  assert.equal(isAlive(proc), false)
  assert.equal(procOf(pid), null)
  assert.equal(signalProcess(proc, 'SIGKILL'), false)
})

test('a command whose name looks like the rest of the line is read right', async t => {
  const dir = tempDir(t)
  const name = join(dir, 'a) R 1 (b')
  writeFileSync(name, '#!/bin/sh\nread line\n', { mode: 0o755 })
  const child = spawn(name, { stdio: ['pipe', 'ignore', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  const proc = await until('its name', () => {
    const found = procOf(child.pid ?? 0)
    return found?.command === 'a) R 1 (b' && found
  })
  assert.equal(proc.ppid, process.pid)
  assert.equal(proc.dead, false)
})

test('of two shims that race for a run exactly one runs it, every time', async t => {
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
    await clear(run.dir, place, { marker: run.marker, tree: run.cwd })
    assert.equal(readOr(join(run.dir, 'tally')), 'ran\n', `round ${round}`)
    assert.equal(readOr(join(run.dir, 'out')), 'ran\n')
    assert.deepEqual(look(run.dir, place), { claimed: true, exited: true, alive: false })
  }
})

test('a run that was claimed for nobody never starts, and who claims second is told', async t => {
  const run = runIn(join(tempDir(t), 'run'), 'echo ran >>tally')
  assert.deepEqual(look(run.dir, place), { claimed: false, exited: false, alive: false })
  assert.equal(claimForNobody(run.dir), true)
  assert.equal(claimForNobody(run.dir), false)
  assert.deepEqual(await launch(run, place), { ok: true, value: null })
  assert.deepEqual(look(run.dir, place), { claimed: true, exited: false, alive: false })
  assert.equal(readClaim(run.dir)?.mode, 'never')
  await stop(run.dir, place, 100)
  assert.equal(readOr(join(run.dir, 'tally'), 'nothing'), 'nothing')
})

test('a run that a shim has claimed can not be claimed for nobody; stopped and cleared it is gone', async t => {
  const run = runIn(join(tempDir(t), 'run'), 'echo begun; exec sleep 60')
  assert.ok((await launch(run, place)).ok)
  assert.equal(claimForNobody(run.dir), false)
  await until('the command to run', () => readOr(join(run.dir, 'out')) === 'begun\n')
  assert.deepEqual(look(run.dir, place), { claimed: true, exited: false, alive: true })
  await stop(run.dir, place, 5_000)
  const { alive } = await clear(run.dir, place, { marker: run.marker, tree: run.cwd })
  assert.deepEqual(alive, [])
  assert.equal(look(run.dir, place).alive, false)
  assert.equal(readExit(run.dir)?.code, 128 + 15)
  assert.match(readFileSync(join(run.dir, 'claim'), 'utf8'), /^v 1\npid \d+\nstart \d+\n/)
})
