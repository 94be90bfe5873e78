/**
 * Many loops under one loopd, and many watchers of a fast log: memory stays bounded, and a slow reader gets a gap
 * marker. Forty loops in `npm test`, a thousand with LOOP_LONG=1. How long `loop status` takes meanwhile: `bench/`.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { memoryOf, queueMany } from '../../bench/many-loops.ts'
import { call } from '../../src/server/api/client.ts'
import { hostIn, makeDaemonRig, marked } from '../rig/daemon.ts'
import { freePort } from '../rig/port.ts'
import { until } from '../rig/rig.ts'

const long = process.env['LOOP_LONG'] !== undefined
const many = long ? 1_000 : 40
const mostBytes = 300_000_000

test(`${many} loops under one loopd`, { timeout: 1_200_000 }, async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(['config', 'set', 'max_concurrent_loops', String(many)])
  execFileSync('mkfifo', [join(rig.aside, 'gate')])
  const daemon = await rig.startDaemon()
  const began = performance.now()
  const ids = queueMany(rig.env, many)
  const running = () => call(rig.env['LOOPD_SOCKET'] ?? '', 'daemon')
  let hosted = 0
  while (hosted < many) {
    const status = await running()
    assert.ok(status.ok, JSON.stringify(status))
    hosted = status.value.running.length
    await delay(100)
  }
  await until(
    'every agent to run',
    () => ids.every(id => existsSync(join(rig.dir(id), 'runs/1/pid'))),
    900_000,
  )
  const upMs = performance.now() - began
  const idle = await cpuOf(daemon.pid, 5_000)
  const rss = memoryOf(daemon.pid)
  t.diagnostic(
    `${many} loops up in ${(upMs / 1_000).toFixed(1)} s, ${(rss / 1e6).toFixed(0)} MB, ${(idle * 100).toFixed(0)} % of a core while they run`,
  )
  const seqs = () => ids.reduce((sum, id) => sum + rig.events(id).length, 0)
  const [events, at] = [seqs(), performance.now()]
  writeFileSync(join(rig.aside, 'gate'), '')
  for (const id of ids) await until(`loop ${id}`, () => rig.status(id) !== 'running', 900_000)
  const rate = (seqs() - events) / ((performance.now() - at) / 1_000)
  t.diagnostic(
    `${rate.toFixed(0)} events/s while all of them end, ${(memoryOf(daemon.pid) / 1e6).toFixed(0)} MB`,
  )
  assert.ok(rss <= mostBytes, `${rss} bytes`)
  for (const id of ids.slice(0, 20)) assert.deepEqual(marked(id), [])
})

test('24 watchers of a fast log, half of them slow', { timeout: 300_000 }, async t => {
  const rig = makeDaemonRig(t)
  const port = await freePort()
  await rig.loop(['config', 'set', 'web_ui_port', String(port)])
  const daemon = await rig.startDaemon()
  const flood =
    'touch "$ASIDE/up"; head -c 400000000 /dev/zero | tr "\\0" "a" | fold -w 99; sleep 1; echo x > work'
  const id = await rig.background(flood, 'test -s work', '--checkpoint', 'none', '--no-baseline')
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  await until('its host', () => hostIn(rig, id))
  await until('its output', () => existsSync(join(rig.dir(id), 'runs/1/out')))
  const before = memoryOf(daemon.pid)
  const authorization = `Bearer ${readFileSync(rig.paths.daemon.token, 'utf8').trim()}`
  const path = `/v1/loops/${id}/runs/1/out/stream`
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(daemon.pid))
  }, 50)
  const options = { host: '127.0.0.1', port, path, headers: { authorization } }
  const watchers = await Promise.all(Array.from({ length: 24 }, (_, n) => watch(options, n % 2 === 1)))
  clearInterval(timer)
  for (const [n, { text, gaps }] of watchers.entries()) {
    assert.match(text, /event: end\n/, `watcher ${n} sees the end`)
    if (n % 2 === 1) assert.ok(gaps > 0, `slow watcher ${n} is told of a gap`)
  }
  t.diagnostic(`${((most - before) / 1e6).toFixed(0)} MB more at most, ${(most / 1e6).toFixed(0)} MB in all`)
  assert.ok(most < mostBytes, `${most} bytes`)
})

/** Reads to the end, a slow reader with pauses; keeps only the end of the text. */
function watch(options: object, slow: boolean): Promise<{ text: string; gaps: number }> {
  return new Promise((resolve, reject) => {
    const asking = request(options, (response: IncomingMessage) => {
      let text = ''
      let gaps = 0
      response.setEncoding('utf8').on('data', (chunk: string) => {
        gaps += chunk.split('event: gap\n').length - 1
        text = (text + chunk).slice(-1_000)
        if (!slow) return
        response.pause()
        setTimeout(() => response.resume(), 50)
      })
      response.on('end', () => resolve({ text, gaps }))
    })
    asking.on('error', reject)
    asking.end()
  })
}

/** The share of a core that the process takes over some time. */
async function cpuOf(pid: number, ms: number): Promise<number> {
  const ticks = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  }
  const before = ticks()
  await delay(ms)
  return ((ticks() - before) * 10) / ms
}
