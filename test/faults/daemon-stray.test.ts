/**
 * A fault in one loop stays in that loop: whatever an agent or a promise does to loop's files about it, loopd continues
 * and other loops complete. The loop itself is held with a reason and can be ended.
 */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { type DaemonRig, makeDaemonRig } from '../rig/daemon.ts'
import { freePort } from '../rig/port.ts'
import { makeRig, type Rig, type Running, readOr, startArgs, until } from '../rig/rig.ts'

/** An agent that ends when the file `go` exists, long after its neighbour has done its damage. */
const patient = 'while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; touch done'

async function neighbour(rig: DaemonRig): Promise<string> {
  const tree = join(dirname(rig.tree), 'other')
  mkdirSync(tree)
  const args = [
    'start',
    'x',
    '-p',
    'test -e done',
    '--agent',
    'custom',
    '--agent-cmd',
    patient,
    '-b',
    '--json',
  ]
  const started = await rig.loop(args, { cwd: tree })
  return JSON.parse(started.stdout).id
}

async function assertUnharmed(rig: DaemonRig, daemon: Running, other: string): Promise<void> {
  writeFileSync(join(rig.aside, 'go'), '')
  await until(
    'the other loop to be completed, or the end of loopd',
    () => daemon.child.exitCode !== null || rig.status(other) === 'completed',
  )
  assert.equal(daemon.child.exitCode, null, daemon.stderr())
  assert.doesNotMatch(readOr(rig.paths.daemon.log), /a bug in loopd|"level":60/)
}

for (const gone of ['objects', 'objects/pack']) {
  test(`an agent removes ${gone} of the store of its tree: its loop is paused, the others go on`, async t => {
    const rig = makeDaemonRig(t)
    const daemon = await rig.startDaemon()
    const other = await neighbour(rig)
    const agent = `rm -rf ${rig.paths.data}/trees/tree*/git/${gone}; echo x >> work`
    const id = await rig.background(agent, 'test "$(wc -l < work)" -ge 2')
    await until('its end', () => ['paused', 'completed', 'failed'].includes(rig.status(id)))
    assert.equal(rig.status(id), 'paused')
    assert.match(
      (await rig.loop(['status', id])).stdout,
      /objects.*It does not count as done; solve this and resume/,
    )
    await assertUnharmed(rig, daemon, other)
    const cancelled = await rig.loop(['cancel', id])
    assert.equal(cancelled.code, 0, cancelled.stderr)
    assert.equal(rig.status(id), 'cancelled')
  })
}

test('a promise that turns its own output into a link to itself ends neither loopd nor its loop', async t => {
  const rig = makeDaemonRig(t)
  const daemon = await rig.startDaemon()
  const other = await neighbour(rig)
  const spoil = `cd ${rig.paths.loops}/*/verify/1-*; rm out; ln -s out out; sleep 1; false`
  const id = await rig.background('echo x >> work', spoil, '--no-baseline', '--checkpoint', 'none', '-n', '1')
  await until('its end', () => ['paused', 'failed'].includes(rig.status(id)))
  await assertUnharmed(rig, daemon, other)
})

test('a file in place of the backups is reported, and ends nothing', async t => {
  const rig = makeDaemonRig(t)
  const daemon = await rig.startDaemon()
  const other = await neighbour(rig)
  rmSync(rig.paths.backups, { recursive: true, force: true })
  writeFileSync(rig.paths.backups, '')
  await until(
    'the words',
    async () =>
      daemon.child.exitCode !== null || /problem +no backup/.test((await rig.loopd(['status'])).stdout),
  )
  await assertUnharmed(rig, daemon, other)
})

test('a client that asks for another protocol and is gone at once ends nothing', async t => {
  const rig = makeDaemonRig(t)
  const port = await freePort()
  await rig.loop(['config', 'set', 'web_ui_port', String(port)])
  const daemon = await rig.startDaemon()
  const other = await neighbour(rig)
  for (let n = 0; n < 50; n += 1) await upgradeAndReset(port)
  await assertUnharmed(rig, daemon, other)
})

/** Loads `code` into a program of loop before its own code; `aside` in it is the directory beside the work tree. */
function preloaded(rig: Rig, code: string): NodeJS.ProcessEnv {
  const file = join(rig.aside, 'preload.cjs')
  writeFileSync(file, `const fs = require('node:fs'), aside = ${JSON.stringify(rig.aside)}\n${code}\n`)
  return { NODE_OPTIONS: `--require=${file}` }
}

/** A bug that throws, or rejects, without a catch, once the file `bug` exists. */
const strays = {
  'an exception': `setInterval(() => { if (fs.existsSync(aside + '/bug')) throw new Error('planted') }, 20).unref()`,
  'a rejection': `setInterval(() => { if (fs.existsSync(aside + '/bug')) Promise.reject(new Error('planted')) }, 20).unref()`,
}

for (const [kind, code] of Object.entries(strays)) {
  test(`${kind} that nobody catches: loopd says so once, and goes on`, async t => {
    const rig = makeDaemonRig(t)
    const daemon = await rig.startDaemon(preloaded(rig, code))
    const other = await neighbour(rig)
    writeFileSync(join(rig.aside, 'bug'), '')
    await until('the words', async () =>
      /problem +a bug in loopd, which goes on: planted\./.test((await rig.loopd(['status'])).stdout),
    )
    writeFileSync(join(rig.aside, 'go'), '')
    await rig.reaches(other, 'completed')
    assert.equal(daemon.child.exitCode, null, daemon.stderr())
    const said = readOr(rig.paths.daemon.log)
      .split('\n')
      .filter(line => line.includes('planted'))
    assert.equal(said.length, 1, 'thrown again and again, said once')
    assert.match(said[0] ?? '', /preload\.cjs/, 'with its stack')
  })

  test(`${kind} that nobody catches in the foreground: words, and a loop that can be resumed`, async t => {
    const rig = makeRig(t)
    const agent = 'touch "$ASIDE/bug"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; touch done'
    const env = preloaded(rig, code)
    const ended = await rig.loop(startArgs(agent, 'test -e done', '--no-baseline'), { env })
    assert.equal(ended.code, 3, ended.stderr)
    assert.match(ended.stderr, /loop: Error: planted\n/)
    assert.match(ended.stderr, /This is a bug in loop\. Nothing recorded is lost\.\n$/)
    writeFileSync(join(rig.aside, 'go'), '')
    const resumed = await rig.loop(['resume', '@last'])
    assert.equal(resumed.code, 0, resumed.stderr)
  })
}

test('a bug in a step: its loop is let go of, so that it can be cancelled while loopd runs', async t => {
  const rig = makeDaemonRig(t)
  const bug = `const { symlinkSync } = fs
    fs.symlinkSync = (to, path) => {
      if (path.includes('/verify/1-') && fs.existsSync(aside + '/bug')) throw new Error('planted')
      return symlinkSync(to, path)
    }`
  const daemon = await rig.startDaemon(preloaded(rig, bug))
  const other = await neighbour(rig)
  const id = await rig.background('touch "$ASIDE/bug"', 'false', '--no-baseline', '--checkpoint', 'none')
  await until('the words', () => /loop \w+ cannot be driven: planted/.test(readOr(rig.paths.daemon.log)))
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 0, cancelled.stderr)
  rmSync(join(rig.aside, 'bug'))
  await assertUnharmed(rig, daemon, other)
})

/** Resolves once the connection is reset. */
function upgradeAndReset(port: number): Promise<void> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', () =>
        socket.resetAndDestroy(),
      )
    })
    socket.on('error', () => undefined).once('close', () => resolve())
  })
}
