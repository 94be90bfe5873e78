/**
 * Notices and the death of loopd: the next loopd sends the notices that the dead one had not sent, with the same id,
 * and sends none again.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type DaemonRig, makeDaemonRig, withRows } from '../rig/daemon.ts'
import { readOr, until } from '../rig/rig.ts'

const fast = ['--checkpoint', 'none', '--no-baseline']
const work = (rig: DaemonRig) => rig.background('echo x >> work', 'test -s work', ...fast)

/** Configures a command for notices; returns the ids and titles it was called with. */
async function byCommand(rig: DaemonRig): Promise<() => string[]> {
  const teller = join(rig.aside, 'tell.sh')
  writeFileSync(teller, '#!/bin/sh\necho "$LOOP_NOTICE $1" >> "$ASIDE/told"\n', { mode: 0o755 })
  await rig.loop(['config', 'set', 'notification_cmd', teller])
  return () => readOr(join(rig.aside, 'told')).trim().split('\n').filter(Boolean)
}

/** Waits until the store has recorded that the notice was sent: a loopd killed before that sends it once more. */
const isRecorded = (rig: DaemonRig, id: string) =>
  until('what was told to be recorded', () =>
    withRows(rig.paths, db => db.prepare('select 1 from told where loop = ? and seq > 2').get(id)),
  )

type Body = { id: string; title: string; at: number }

/** A webhook that answers with `code()`; returns the bodies it was sent. */
async function byWebhook(t: TestContext, rig: DaemonRig, code: () => number): Promise<Body[]> {
  const bodies: Body[] = []
  const server = createServer((asked, answer) => {
    let text = ''
    asked.on('data', chunk => {
      text += chunk
    })
    asked.on('end', () => {
      bodies.push(JSON.parse(text))
      answer.writeHead(code()).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  await rig.loop(['config', 'set', 'webhook', `http://127.0.0.1:${address.port}/`])
  return bodies
}

test('loopd dies right after a loop has completed: the next one tells, once', {
  timeout: 600_000,
}, async t => {
  const rig = makeDaemonRig(t)
  const told = await byCommand(rig)
  const first = await rig.startDaemon()
  const one = await work(rig)
  await until('the first word', () => told().length === 1)
  const last = rig.events(one).at(-1)
  assert.equal(last?.kind, 'loop.completed')
  assert.deepEqual(told(), [`${one}:${last?.seq} loop ${one} completed`])
  await isRecorded(rig, one)
  first.child.kill('SIGKILL')
  await first.ended
  // A second loop of the same kind ends with an event of the same number.
  const dying = await rig.startDaemon({ LOOP_FAULT: `append:${last?.seq}` })
  const two = await work(rig).catch(() => rig.loops().at(-1) ?? '')
  await dying.ended
  assert.equal(rig.status(two), 'completed')
  assert.equal(told().length, 1, 'nobody was there to tell')
  const next = await rig.startDaemon()
  await until('the second word', () => told().length === 2)
  assert.equal(told()[1], `${two}:${last?.seq} loop ${two} completed`)
  await isRecorded(rig, two)
  next.child.kill('SIGKILL')
  await next.ended
  await rig.startDaemon()
  const three = await work(rig)
  await until('the third word', () => told().some(line => line.includes(three)))
  assert.equal(told().length, 3, 'nothing was told twice')
})

test('a webhook that had refused a notice when loopd died gets it from the next loopd', {
  timeout: 600_000,
}, async t => {
  const rig = makeDaemonRig(t)
  let code = 503
  const bodies = await byWebhook(t, rig, () => code)
  const first = await rig.startDaemon()
  const id = await work(rig)
  await until('the first try', () => bodies.length > 0)
  first.child.kill('SIGKILL')
  await first.ended
  code = 204
  const tries = bodies.length
  const next = await rig.startDaemon()
  await until('the next try', () => bodies.length > tries)
  assert.deepEqual(new Set(bodies.map(body => body.id)).size, 1, 'all of them are one notice')
  assert.equal(bodies[0]?.title, `loop ${id} completed`)
  assert.equal(bodies.at(-1)?.at, rig.events(id).at(-1)?.at)
  await isRecorded(rig, id)
  // On SIGTERM loopd ends at once; an accepted notice is not sent again.
  next.child.kill('SIGTERM')
  await next.ended
  await rig.startDaemon()
  const other = await work(rig)
  await until('the other', () => bodies.some(body => body.title.includes(other)))
  assert.equal(bodies.length, tries + 2)
})

test('events before loopd sent its first notice cause none', { timeout: 600_000 }, async t => {
  const rig = makeDaemonRig(t)
  const told = await byCommand(rig)
  const foreground = await rig.loop([
    'start',
    'x',
    '-p',
    'test -s work',
    '--agent',
    'custom',
    '--agent-cmd',
    'echo x > work',
    ...fast,
  ])
  assert.equal(foreground.code, 0, foreground.stderr)
  await rig.startDaemon()
  const id = await work(rig)
  await until('the word', () => told().length > 0)
  assert.deepEqual(
    told().map(line => line.split(' ')[2]),
    [id],
  )
})

test('a command that hangs is ended with loopd, with what it has started', { timeout: 600_000 }, async t => {
  const rig = makeDaemonRig(t)
  const teller = join(rig.aside, 'hang.sh')
  const lines = ['#!/bin/sh', 'trap "" TERM', 'sleep 600 &', 'echo "$$ $!" > "$ASIDE/pids"', 'wait', '']
  writeFileSync(teller, lines.join('\n'), { mode: 0o755 })
  await rig.loop(['config', 'set', 'notification_cmd', teller])
  await rig.startDaemon()
  await work(rig)
  const pids = await until('the command', () => readOr(join(rig.aside, 'pids')).match(/\d+/g))
  assert.equal((await rig.loopd(['stop', '--now'])).code, 0)
  // The command line of a zombie is empty.
  const left = pids.filter(pid => readOr(`/proc/${pid}/cmdline`) !== '')
  for (const pid of left) process.kill(Number(pid), 'SIGKILL')
  assert.deepEqual(left, [])
})
