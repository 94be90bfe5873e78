/**
 * Clients of the feed that do not read: loopd buffers a bounded piece for each, not everything they miss, and serves
 * the others.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { answered, api, collect, serveForTests } from '../rig/api.ts'
import { until } from '../rig/rig.ts'

serveForTests()

const readers = 20
const floodBytes = 40_000_000

function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** Opens the feed and reads nothing from it. */
function deaf(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, '127.0.0.1', () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nAuthorization: Bearer ${api.token}\r\n\r\n`,
      )
      socket.pause()
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

test('twenty readers that do not read cost a piece each, whatever is printed; one that reads gets a gap and the end', async t => {
  const { rig } = api
  const wait = (file: string) => `while [ ! -e "$ASIDE/${file}" ]; do sleep 0.05; done`
  const line = 'x'.repeat(99)
  const flood = `yes ${line} | head -c ${floodBytes}; echo the last line; touch "$ASIDE/flooded"`
  const id = await rig.background(
    `echo begun; ${wait('flood')}; ${flood}; ${wait('end')}; touch done`,
    'test -e done',
  )
  await until('the run', async () => (await answered('runs', { params: { id } })).length === 1)
  const path = `/v1/feed?list=1&journals=${id}:0&outputs=${id}/1/out:0`
  const sockets = await Promise.all(Array.from({ length: readers }, () => deaf(path)))
  t.after(() => sockets.map(socket => socket.destroy()))
  const { pid } = await answered('daemon', {})
  const slow = collect(path, 4)
  await slow
  const before = memoryOf(pid)
  writeFileSync(join(rig.aside, 'flood'), '')
  await until('the flood', () => existsSync(join(rig.aside, 'flooded')), 60_000)
  const late = await collect(`/v1/feed?outputs=${id}/1/out:0`, 3)
  const grown = memoryOf(pid) - before
  assert.ok(grown < 60_000_000, `loopd has grown by ${Math.round(grown / 1e6)} MB`)
  const gap = late.find(({ event }) => event === 'gap')?.data as { from: number; to: number } | undefined
  assert.ok(gap && gap.to - gap.from > 100_000, JSON.stringify(gap))
  const lines = late.flatMap(({ event, data }) =>
    event === 'lines' ? (data as { lines: { text: string }[] }).lines.map(one => one.text) : [],
  )
  assert.equal(lines.at(-1), 'the last line')
  writeFileSync(join(rig.aside, 'end'), '')
  await rig.reaches(id, 'completed')
})

test('a reader goes on exactly where it was after loopd was killed and started again', async () => {
  const { rig } = api
  const wait = (file: string) => `while [ ! -e "$ASIDE/${file}" ]; do sleep 0.05; done`
  const id = await rig.background(
    `echo one; echo two; touch "$ASIDE/spoken"; ${wait('speak')}; echo three; touch kept`,
    'test -e kept',
  )
  await until('it to speak', () => existsSync(join(rig.aside, 'spoken')))
  const path = `/v1/feed?journals=${id}:0&outputs=${id}/1/out:0`
  const events = rig.events(id).length
  const before = await collect(path, events + 2)
  const { pid } = await answered('daemon', {})
  process.kill(pid, 'SIGKILL')
  await rig.startDaemon()
  writeFileSync(join(rig.aside, 'speak'), '')
  await rig.reaches(id, 'completed')
  const all = rig.events(id).length
  const after = await collect(path, all - events + 3, before.at(-1)?.id)
  const seqs = [...before, ...after].flatMap(({ event, data }) =>
    event === 'event' ? (data as { seq: number }).seq : [],
  )
  assert.deepEqual(
    seqs,
    Array.from({ length: all }, (_, i) => i + 1),
  )
  const lines = [...before, ...after].flatMap(({ event, data }) =>
    event === 'lines' ? (data as { lines: { text: string }[] }).lines.map(({ text }) => text) : [],
  )
  assert.deepEqual(lines, ['one', 'two', 'three'])
  const pids = [before, after].map(frames => /"pid":(\d+)/.exec(JSON.stringify(frames[0]))?.[1])
  assert.equal(pids[0], String(pid))
  assert.notEqual(pids[0], pids[1], 'hello tells that it is another loopd')
})
