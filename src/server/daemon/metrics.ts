/**
 * The metrics of loopd in the text format of Prometheus: counted from events since its start; values in the store
 * are read on request.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { JournalKind, KindsOf } from '../../core/folds.ts'
import type { Told } from '../../engine/feed.ts'
import type { Store } from '../../store/contract.ts'
import type { RouteAnswer } from '../api/contract.ts'

type AnyTold = Told<KindsOf[JournalKind]>

type Histogram = { counts: number[]; sum: number; count: number }

const bounds = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300]

export type Metrics = {
  told(told: AnyTold): void
  text(store: Store, hosted: number): string
  /** The totals since loopd was started. */
  totals(): { iterations: number; verdicts: number; costUsd: number }
  stop(): void
}

export function countMetrics(): Metrics {
  const counters = new Map<string, number>()
  const times = { checkpoint: histogram(), verify: histogram() }
  const lag = monitorEventLoopDelay({ resolution: 20 })
  lag.enable()
  const add = (name: string, amount = 1) => counters.set(name, (counters.get(name) ?? 0) + amount)
  return {
    told(told) {
      const { event } = told
      add('loop_events_total')
      count(told, add)
      if (event.kind === 'checkpoint.taken') observe(times.checkpoint, event.data.durationMs)
      if (event.kind === 'promise.verified')
        for (const { durationMs } of event.data.results) observe(times.verify, durationMs)
    },
    text: (store, hosted) =>
      [
        ...statusLines(store),
        ...gauge('loopd_hosted_loops', 'Loops that loopd drives.', hosted),
        ...counterLines(counters),
        ...histogramLines('loop_checkpoint_seconds', 'How long a checkpoint took.', times.checkpoint),
        ...histogramLines('loop_verify_seconds', 'How long one criterion took.', times.verify),
        ...lagLines(lag),
        ...memoryLines(),
        '',
      ].join('\n'),
    totals() {
      const sum = (begin: string) =>
        [...counters].reduce((total, [name, value]) => total + (name.startsWith(begin) ? value : 0), 0)
      return {
        iterations: sum('loop_iterations_total'),
        verdicts: sum('loop_verdicts_total'),
        costUsd: sum('loop_cost_usd_total'),
      }
    },
    stop: () => void lag.disable(),
  }
}

function count({ event, before }: AnyTold, add: (name: string, amount?: number) => void): void {
  switch (event.kind) {
    case 'run.started':
      return add('loop_iterations_total')
    case 'run.ended':
      add('loop_agent_seconds_total', event.data.durationMs / 1_000)
      add('loop_cost_usd_total', event.data.costUsd ?? 0)
      return add(`loop_runs_total{how="${event.data.how}"}`)
    case 'run.lost':
      add('loop_cost_usd_total', event.data.costUsd ?? 0)
      return add('loop_runs_total{how="lost"}')
    case 'promise.verified':
      for (const { verdict } of event.data.results) add(`loop_verdicts_total{verdict="${verdict}"}`)
      return
    case 'wait.started':
      return add(`loop_waits_total{for="${event.data.for}"}`)
    case 'wait.ended':
      return before && 'turn' in before && before.limits.wait
        ? add('loop_wait_seconds_total', Math.max(0, event.at - before.lastAt) / 1_000)
        : undefined
    case 'loop.queued':
      return event.data.restart ? add('loop_restarts_total') : undefined
    default:
      return undefined
  }
}

const help: Record<string, string> = {
  loop_events_total: 'Events recorded.',
  loop_iterations_total: 'Agent runs started.',
  loop_runs_total: 'Agent runs that ended, by how.',
  loop_verdicts_total: 'Verdicts of criteria.',
  loop_agent_seconds_total: 'Time agents have run.',
  loop_cost_usd_total: 'What agents said they cost.',
  loop_waits_total: 'Waits begun.',
  loop_wait_seconds_total: 'Time spent waiting.',
  loop_restarts_total: 'Crashed loops started again.',
}

function counterLines(counters: Map<string, number>): string[] {
  return Object.entries(help).flatMap(([name, words]) => {
    const rows = [...counters].filter(([key]) => key === name || key.startsWith(`${name}{`))
    const lines = rows.map(([key, value]) => `${key} ${value}`)
    return head(name, words, 'counter').concat(lines.length > 0 ? lines : [`${name} 0`])
  })
}

function statusLines(store: Store): string[] {
  const lines = (name: string, kind: string) =>
    Array.from(store.heads.count(kind), ([status, n]) => `${name}{status="${status}"} ${n}`)
  return [
    ...head('loops', 'Loops by status, those of groups too.', 'gauge').concat(lines('loops', 'loop')),
    ...head('loop_groups', 'Groups of loops by status.', 'gauge').concat(lines('loop_groups', 'group')),
  ]
}

function lagLines(lag: ReturnType<typeof monitorEventLoopDelay>): string[] {
  const seconds = (ns: number) => (Number.isFinite(ns) ? ns / 1e9 : 0)
  const lines = [0.5, 0.9, 0.99].map(
    q => `loopd_event_loop_lag_seconds{quantile="${q}"} ${seconds(lag.percentile(q * 100))}`,
  )
  const all = head('loopd_event_loop_lag_seconds', 'The delay of the event loop of loopd.', 'summary').concat(
    lines,
  )
  lag.reset()
  return all
}

function memoryLines(): string[] {
  const { rss, heapUsed } = process.memoryUsage()
  return [
    ...gauge('process_resident_memory_bytes', 'Memory of loopd.', rss),
    ...gauge('nodejs_heap_used_bytes', 'Of which objects.', heapUsed),
  ]
}

function histogram(): Histogram {
  return { counts: bounds.map(() => 0), sum: 0, count: 0 }
}

function observe(into: Histogram, ms: number): void {
  const seconds = ms / 1_000
  for (const [i, bound] of bounds.entries()) if (seconds <= bound) into.counts[i] = (into.counts[i] ?? 0) + 1
  into.sum += seconds
  into.count += 1
}

function histogramLines(name: string, words: string, { counts, sum, count: n }: Histogram): string[] {
  const buckets = bounds.map((bound, i) => `${name}_bucket{le="${bound}"} ${counts[i]}`)
  return [
    ...head(name, words, 'histogram'),
    ...buckets,
    `${name}_bucket{le="+Inf"} ${n}`,
    `${name}_sum ${sum}`,
    `${name}_count ${n}`,
  ]
}

function gauge(name: string, words: string, value: number): string[] {
  return [...head(name, words, 'gauge'), `${name} ${value}`]
}

function head(name: string, words: string, type: string): string[] {
  return [`# HELP ${name} ${words}`, `# TYPE ${name} ${type}`]
}

/** Figures of loopd over the last day, one sample a minute, in memory, for the charts of the page. */

type Sample = RouteAnswer<'metricHistory'>['samples'][number]

export type Samples = { everyMs: number; all(): Sample[]; stop(): void }

const sampleMs = 60_000
const mostSamples = 1_440

type Watched = { metrics: Pick<Metrics, 'totals'>; running(): number; queued(): number; now(): number }

export function sampleEvery(watched: Watched, everyMs = sampleMs): Samples {
  const samples: Sample[] = []
  const lag = monitorEventLoopDelay({ resolution: 20 })
  lag.enable()
  let before = watched.metrics.totals()
  const take = () => {
    const totals = watched.metrics.totals()
    const lagMs = Number.isFinite(lag.max) ? Math.round(lag.max / 1e6) : 0
    lag.reset()
    samples.push({
      at: watched.now(),
      rssBytes: process.memoryUsage().rss,
      lagMs,
      running: watched.running(),
      queued: watched.queued(),
      iterations: totals.iterations - before.iterations,
      verdicts: totals.verdicts - before.verdicts,
      costUsd: totals.costUsd - before.costUsd,
    })
    before = totals
    if (samples.length > mostSamples) samples.shift()
  }
  take()
  const timer = setInterval(take, everyMs).unref()
  return {
    everyMs,
    all: () => [...samples],
    stop() {
      clearInterval(timer)
      lag.disable()
    },
  }
}
