/** What the world may answer to each step of a loop, for tests of the rules. */
import type { Step } from '../../src/core/loop/decide.ts'
import type { State } from '../../src/core/loop/state.ts'
import type { Event } from '../../src/model/loop/event.ts'
import {
  aResult,
  broken,
  cleared,
  compared,
  ended,
  hookEnded,
  hookStarted,
  lost,
  pass,
  started,
  survived,
  taken,
  unjudged,
  verified,
} from './given.ts'

const limited = (run: number, until: number | null = null) => ended(run, { limit: { until, why: 'full' } })
const barred = (run: number) => ended(run, { auth: 'no key' })

/** What the world may answer to a step; the world is as bad as it likes. */
export function answers(next: Step, state: State): Event[] {
  const run = state.work.runs
  switch (next.kind) {
    case 'verify':
      return [{}, pass, unjudged].map(verdict => verified(next.iteration, verdict))
    case 'checkpoint':
      return [taken(next.name), broken]
    case 'prepare':
      return [started(next.run, next.iteration)]
    case 'attach':
      return [
        ended(run, { costUsd: 1 }),
        ended(run, { how: 'killed' }),
        lost(run),
        limited(run),
        barred(run),
        broken,
      ]
    case 'stop':
      return [ended(run, { how: 'stopped' })]
    case 'clear':
      return [cleared(run), survived]
    case 'restore':
      return [{ kind: 'rollback.failed', data: { to: next.to, why: 'not simulated' } }]
    case 'compare':
      return [compared(next.iteration), compared(next.iteration, 1), compared(next.iteration, null)]
    case 'holdout':
      return (['PASS', 'FAIL', 'ERROR'] as const).map(verdict => ({
        kind: 'holdout.judged',
        data: { iteration: next.iteration, result: aResult({ verdict }) },
      }))
    case 'look': {
      const { kind: _, ...look } = next
      return (['PASS', 'FAIL', 'ERROR'] as const).map(verdict => ({
        kind: 'look.taken',
        data: { ...look, verdict, why: 'simulated', durationMs: 1 },
      }))
    }
    case 'hook-start':
      return [hookStarted(next.hook, next.on), hookEnded(next.hook, { on: next.on, how: 'not-run' })]
    case 'hook':
      return [hookEnded(next.hook), hookEnded(next.hook, { how: 'lost', exitCode: null })]
    case 'hook-stop':
      return [hookEnded(next.hook, { how: 'stopped' })]
    default:
      return next satisfies never
  }
}
