/**
 * The words for what happened: why a loop is where it is, and what to do next. The one place for them;
 * events and summaries hold facts, never sentences.
 */
import { unchangedLimit, unmetLimit } from '../core/decide.ts'
import type { Summary } from '../core/summary.ts'
import type { CriterionResult } from '../model/event.ts'
import type { Reason } from '../model/failure.ts'
import { exitCodeOf } from '../model/failure.ts'
import { formatDuration, formatMoney } from '../model/units.ts'

/** Why the loop is in its status, in words; empty while it simply runs. */
export function reasonWords(summary: Summary, now: number): string {
  if (summary.status === 'waiting') {
    const left = formatDuration(Math.max(0, (summary.waitUntil ?? now) - now))
    return `the agent failed (${summary.detail}); next try in ${left}`
  }
  return summary.reason === null ? '' : wordsFor(summary.reason, summary)
}

function wordsFor(reason: Reason, summary: Summary): string {
  const { detail } = summary
  switch (reason) {
    case 'completed':
      return summary.iteration === 0 ? 'the promise already holds' : 'the promise holds'
    case 'cancelled':
      return 'cancelled by you'
    case 'paused-by-user':
      return 'paused by you'
    case 'iteration-limit':
      return `${count(summary.iteration, 'iteration')} used and the promise does not hold`
    case 'stuck':
      return `stuck: nothing has got better in ${unmetLimit} iterations`
    case 'no-change':
      return `stuck: the agent has changed no file in ${unchangedLimit} iterations`
    case 'budget-reached':
      return `${formatMoney(summary.costUsd ?? 0)} of ${formatMoney(summary.budgetUsd ?? 0)} spent`
    case 'promise-unrunnable':
      return `the promise can not be judged: ${detail}`
    case 'promise-errors':
      return `the promise could not be judged three times in a row: ${detail}`
    case 'agent-errors':
      return `the agent failed three times in a row: ${detail}`
    case 'store-damaged':
      return 'its journal is damaged'
    case 'newer-journal':
      return `its journal holds ${detail}, which this version of loop does not know`
    case 'step-failed':
      return detail
    case 'survivors':
      return `processes of the agent can not be killed: ${detail}`
    default:
      return reason
  }
}

/** What a person can do about it: one command or sentence each. */
export function nextSteps(summary: Summary): string[] {
  const { id, reason } = summary
  switch (reason) {
    case 'completed':
    case null:
      return []
    case 'iteration-limit':
      return [`loop resume ${id} --max-iterations ${summary.iteration + 10}`]
    case 'budget-reached':
      return [
        `loop resume ${id} --budget ${Math.ceil(Math.max(summary.budgetUsd ?? 0, summary.costUsd ?? 0) * 2)}`,
      ]
    case 'promise-unrunnable':
      return ['Mend the command, or the program it calls, and start again.']
    case 'store-damaged':
      return ['Start a new loop; the files are as the agent left them.']
    case 'newer-journal':
      return ['Update loop.']
    case 'survivors':
      return [`End those processes, then: loop resume ${id}`]
    case 'step-failed':
      return [`Mend the cause, then: loop resume ${id}`]
    case 'agent-errors':
      return [`loop logs ${id}`, `loop resume ${id}`]
    default:
      return [`loop resume ${id}`]
  }
}

/** The exit code of a program that drove this loop to where it is now. */
export function exitCodeFor(summary: Summary): number {
  return exitCodeOf(summary.reason ?? 'detached')
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`
}

export function cost(usd: number | null): string {
  return usd === null ? 'unknown (the agent reports none)' : formatMoney(usd)
}

/** `npm test: FAIL (exit 1, 3 failing, 0.4s)` */
export function verdictLine(result: CriterionResult): string {
  const failing = result.failing ? [`${result.failing} failing`] : []
  const facts = [result.why, ...failing, formatDuration(result.durationMs)]
  return `${result.command}: ${result.verdict} (${facts.join(', ')})`
}
