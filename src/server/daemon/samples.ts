/** Figures of loopd over the last day, one sample a minute, in memory, for the charts of the page. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { RouteAnswer } from '../api/contract.ts'
import type { Metrics } from './metrics.ts'

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
