/**
 * loopd with a thousand loops whose agents wait: its memory, how long `loop status` takes beside a bare start of
 * the same Node, how many events a second loopd writes while all loops end, and how soon after kill -9 the next
 * loopd hosts every loop again. The agents run on the same machine, so their load is part of every figure.
 */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { failureWords } from '../src/failures/words.ts'
import type { Store } from '../src/store/contract.ts'
import { loopDir, pathsFrom } from '../src/store/files/paths.ts'
import { openStore } from '../src/store/sqlite/open.ts'
import { memoryOf, queueMany } from './many-loops.ts'
import {
  loopProgram,
  makePlace,
  ms,
  nodeProgram,
  type Place,
  printTable,
  root,
  runOrThrow,
  timesOf,
} from './measure.ts'

const loops = Number(process.env['BENCH_LOOPS'] ?? 1_000)
const rounds = 200
const kills = 20
const program = join(root, 'bin', 'loopd')

export async function daemon(): Promise<void> {
  const place = makePlace()
  const aside = join(place.tree, '..', 'aside')
  mkdirSync(aside)
  Object.assign(place.env, { ASIDE: aside, LOOPD_SOCKET: join(aside, 'loopd.sock') })
  execFileSync('mkfifo', [join(aside, 'gate')])
  runOrThrow([loopProgram, 'config', 'set', 'max_concurrent_loops', String(loops)], {
    cwd: place.tree,
    env: place.env,
  })
  const ids = queueMany(place.env, loops)
  const opened = openStore(pathsFrom(place.env))
  if (!opened.ok) throw new Error(failureWords(opened.failure))
  const store = opened.value
  let loopd = start(place)
  const up = await since(() => ids.every(id => existsSync(join(loopDir(store.paths, id), 'runs/1/pid'))))
  await isHosted(store, ids)
  const memory = memoryOf(loopd.pid ?? 0)
  const run = (...argv: string[]) => runOrThrow(argv, { cwd: place.tree, env: place.env })
  const times = timesOf(rounds, {
    bare: () => run(nodeProgram, '-e', '0'),
    status: () => run(loopProgram, 'status'),
    json: () => run(loopProgram, 'status', '--json'),
  })
  const attached: number[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    loopd.kill('SIGKILL')
    await ended(loopd)
    loopd = start(place)
    attached.push(await isHosted(store, ids))
  }
  const before = eventsIn(store)
  writeFileSync(join(aside, 'gate'), '')
  const over = await since(() => store.heads.open().length === 0)
  const rate = (eventsIn(store) - before) / (over / 1_000)
  const most = memoryOf(loopd.pid ?? 0)
  loopd.kill('SIGTERM')
  await ended(loopd)
  store.close()
  place.dispose()
  report({ up, memory, most, rate, attached, times })
}

type Figures = {
  up: number
  memory: number
  most: number
  rate: number
  attached: number[]
  times: Record<string, number[]>
}

function report({ up, memory, most, rate, attached, times }: Figures): void {
  const row = (what: string, value: string, ratio = '') => ({ what, value, ratio })
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
  const versus = (name: string, share: number) =>
    (quantile(times[name], share) / quantile(times['bare'], share)).toFixed(2)
  const timed = (what: string, name: string) => [
    row(`${what}, p50`, ms(quantile(times[name], 0.5)), versus(name, 0.5)),
    row(`${what}, p99`, ms(quantile(times[name], 0.99)), versus(name, 0.99)),
  ]
  printTable([
    row(`${loops} loops up`, `${(up / 1_000).toFixed(1)} s`),
    row('memory of loopd while they run (bar: 300 MB)', megabytes(memory)),
    row('memory after all have ended', megabytes(most)),
    ...timed('bare start of node', 'bare'),
    ...timed('loop status (bar: p99 200 ms)', 'status'),
    ...timed('loop status --json', 'json'),
    row('events while all end', `${rate.toFixed(0)} /s`),
    row(`all hosted again after kill -9, p95 of ${kills} (bar: 2 s)`, ms(quantile(attached, 0.95))),
  ])
}

function start({ env, tree }: Place): ChildProcess {
  return spawn(program, ['start', '--foreground'], { env, cwd: tree, stdio: 'ignore' })
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise(resolve => child.once('close', () => resolve()))
}

/** The time until every loop has a living host, in ms. */
function isHosted(store: Store, ids: string[]): Promise<number> {
  return since(() => {
    const host = store.leases.finder()
    return ids.every(id => host(id) !== null)
  })
}

async function since(isTrue: () => boolean): Promise<number> {
  const began = performance.now()
  while (!isTrue()) await delay(10)
  return performance.now() - began
}

function eventsIn({ journals }: Store): number {
  return journals.ids().reduce((sum, id) => sum + journals.lastSeq(id), 0)
}

function quantile(list: number[] | undefined, share: number): number {
  const sorted = (list ?? []).toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}
