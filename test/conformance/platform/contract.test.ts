/** The contract of a platform (platform/contract), tested on the platform that this runs on. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '../../../src/adapters/agents/program.ts'
import type { CopyCommand } from '../../../src/platform/contract.ts'
import { exec } from '../../../src/platform/exec.ts'
import { isAlive, platform, signalProcess } from '../../../src/platform/platform.ts'
import { tempDir } from '../../rig/given.ts'
import { until } from '../../rig/rig.ts'

const { processes, files, locks } = platform
const env = { PATH: process.env['PATH'] ?? '' }

test('this process is among those that can be seen, on the same boot whenever it is asked', () => {
  assert.deepEqual(processes.here(), processes.here())
  const { boot, ns } = processes.here()
  assert.ok(boot !== '' && ns !== '')
  const own = processes.find(process.pid)
  assert.equal(own?.ppid, process.ppid)
  assert.ok(processes.all().some(({ pid, start }) => pid === process.pid && start === own?.start))
  assert.equal(processes.cwd(process.pid), process.cwd())
  assert.ok(processes.argv(process.pid).some(argument => argument.endsWith('contract.test.ts')))
  const before = processes.uptimeMs()
  assert.ok(before > 0 && processes.uptimeMs() >= before)
})

test('a process that does not exist has no answers', () => {
  const nobody = 2 ** 30
  assert.equal(processes.find(nobody), null)
  assert.equal(processes.variable(nobody, 'PATH'), null)
  assert.equal(processes.cwd(nobody), null)
  assert.deepEqual(processes.argv(nobody), [])
})

test('a process is its pid and its start time, and a pid alone is not believed', async t => {
  const child = spawn('sleep', ['60'], { env: { ...process.env, WHO: 'me' }, stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  const gone = once(child, 'exit')
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const proc = await until('the process to be sleep', () => {
    const found = processes.find(pid)
    return found?.command === 'sleep' && found
  })
  assert.equal(proc.ppid, process.pid)
  assert.equal(processes.variable(pid, 'WHO'), 'me')
  assert.equal(processes.variable(pid, 'WH'), null)
  assert.equal(isAlive(proc), true)
  const reused = { pid, start: proc.start + 1 }
  assert.equal(isAlive(reused), false)
  assert.equal(signalProcess(reused, 'SIGKILL'), false, 'another process with the same pid is not signalled')
  assert.equal(isAlive(proc), true)
  assert.equal(signalProcess(proc, 'SIGKILL'), true)
  await gone
  assert.equal(isAlive(proc), false)
  assert.equal(processes.find(pid), null)
  assert.equal(signalProcess(proc, 'SIGKILL'), false)
})

test('a command whose name looks like the rest of the line is read right', async t => {
  const dir = tempDir(t)
  const name = join(dir, 'a) R 1 (b')
  writeFileSync(name, '#!/bin/sh\nread line\n', { mode: 0o755 })
  const child = spawn(name, { stdio: ['pipe', 'ignore', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  const proc = await until('its name', () => {
    const found = processes.find(child.pid ?? 0)
    return found?.command === 'a) R 1 (b' && found
  })
  assert.equal(proc.ppid, process.pid)
  assert.equal(proc.dead, false)
})

test('a lock is seen while another process holds it, and not after its death', async t => {
  const file = join(tempDir(t), 'file')
  writeFileSync(file, '')
  assert.equal(locks.isHeld(file), false)
  const holder = spawn('flock', [file, 'sleep', '60'], { stdio: 'ignore', detached: true })
  const gone = once(holder, 'exit')
  t.after(() => holder.kill('SIGKILL'))
  await until('the lock to be held', () => locks.isHeld(file))
  process.kill(-(holder.pid ?? 0), 'SIGKILL')
  await gone
  await until('the lock to be free', () => !locks.isHeld(file))
})

test('a copy has permissions, times and links; hard links share the file', async t => {
  const dir = tempDir(t)
  const from = join(dir, 'from')
  mkdirSync(join(from, 'in'), { recursive: true })
  writeFileSync(join(from, 'in/file'), 'content')
  chmodSync(join(from, 'in/file'), 0o640)
  utimesSync(join(from, 'in/file'), 1_000_000, 1_000_000)
  symlinkSync('in/file', join(from, '-link'))
  const copy = async (command: CopyCommand) =>
    assert.equal((await exec({ argv: files.copyCommand(command), cwd: '/', env })).code, 0)
  const into = join(dir, 'into')
  mkdirSync(into)
  await copy({ from: [from], to: { as: join(dir, 'as') }, how: { reflink: 'auto' } })
  await copy({ from: ['in', '-link'].map(name => join(from, name)), to: { into }, how: { reflink: 'never' } })
  await copy({ from: [from], to: { as: join(dir, 'linked') }, how: 'link' })
  const original = lstatSync(join(from, 'in/file'))
  for (const name of ['as', 'into', 'linked']) {
    const place = join(dir, name)
    const { mode, mtimeMs, ino } = lstatSync(join(place, 'in/file'))
    assert.deepEqual(readdirSync(place).sort(), ['-link', 'in'])
    assert.equal(readFileSync(join(place, 'in/file'), 'utf8'), 'content')
    assert.deepEqual([mode, mtimeMs], [original.mode, original.mtimeMs])
    assert.equal(readlinkSync(join(place, '-link')), 'in/file')
    assert.equal(ino === original.ino, name === 'linked')
  }
  assert.equal((await exec({ argv: files.syncCommand(dir), cwd: '/', env })).code, 0)
})

test('a file system is known by what it can do, and a path that is not there is an error', t => {
  const dir = tempDir(t)
  assert.ok(files.freeBytes(dir) > 0)
  assert.throws(() => files.freeBytes(join(dir, 'none')), { code: 'ENOENT' })
  assert.equal(files.isSubvolume(dir), false)
  assert.deepEqual(files.mountedBelow(dir), [])
  assert.equal(files.isWhiteout(lstatSync(dir)), false)
  // A tty is a character device too.
  assert.deepEqual(
    [0, 1].map(rdev => files.isWhiteout({ mode: 0o020600, rdev })),
    [true, false],
  )
})

test('a service starts its program with its arguments as they are', () => {
  const { text, file } = platform.services
  const program = ['/a b/node', '--x="y"', '$HOME', '100%', 'back\\slash']
  const given = { name: 'loopd', description: 'what it is', program, env: { PATH: '/bin:/usr bin' } }
  const unit = text(given).split('\n')
  assert.ok(
    unit.includes(String.raw`ExecStart="/a b/node" "--x=\"y\"" "$$HOME" "100%%" "back\\slash"`),
    unit.join('\n'),
  )
  assert.ok(unit.includes('Environment="PATH=/bin:/usr bin"'))
  assert.equal(file('/home/me/.config', 'loopd'), '/home/me/.config/systemd/user/loopd.service')
})

test('the programs that loop needs are on this machine', () => {
  const { needed, wanted, notable } = platform.programs
  assert.deepEqual(
    [...needed, ...wanted].filter(name => findProgram(name, process.env) === null),
    [],
  )
  assert.deepEqual(
    notable.filter(name => ![...needed, ...wanted].includes(name)),
    [],
  )
})
