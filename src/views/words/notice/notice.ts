/** The notices for a person who is not watching: a loop has ended, waits for them, or has spent most of its budget. */
import { canBeAsked } from '../../../core/loop/criteria.ts'
import { knownOf } from '../../../core/loop/spent.ts'
import type { State } from '../../../core/loop/state.ts'
import { summarize } from '../../../core/loop/summary.ts'
import { restartOf } from '../../../core/queue.ts'
import { safeLine } from '../../../core/text/plain-text.ts'
import type { Recorded } from '../../../model/loop/event.ts'
import { formatCost, formatMoney } from '../../../model/units.ts'
import { reasonWords } from '../message.ts'

export type Notice = {
  /** Identifies the loop and the event; the same for each attempt to send it. */
  id: string
  /** The time of the event; the notice can be sent later. */
  at: number
  title: string
  message: string
  level: 'info' | 'warning' | 'error'
  loop: string | null
  /** The reason as a word for programs. */
  reason: string
}

/** The kinds of events that can cause a notice. */
export const noticeKinds: readonly Recorded['kind'][] = [
  'loop.completed',
  'loop.failed',
  'loop.crashed',
  'loop.held',
  'question.asked',
  'run.ended',
  'run.lost',
]

export const mostOfBudget = 0.8
const waitsForHuman = new Set([
  'suspect',
  'agent-blocked',
  'unanswered',
  'promise-doubtful',
  'budget-reached',
  'must-not',
  'protected-changed',
  'assumption',
])

/** Null if nobody has to be told. `before` is the state before the event, null if unknown. */
export function noticeOf(event: Recorded, state: State, before: State | null): Notice | null {
  // Its group sends the notice.
  if (state.spec.group !== undefined) return null
  const summary = summarize(state)
  const words = reasonWords(summary, event.at)
  const about = (level: Notice['level'], what: string, reason: string): Notice => ({
    id: `${event.loop}:${event.seq}`,
    at: event.at,
    title: `loop ${state.id} ${what}`,
    message: safeLine(`${firstLine(state.spec.prompt)}${words ? `: ${words}` : ''}`),
    level,
    loop: state.id,
    reason,
  })
  switch (event.kind) {
    case 'loop.completed':
      return about('info', 'completed', 'completed')
    case 'loop.crashed':
      return about(restartOf(summary) ? 'warning' : 'error', summary.status, event.data.reason)
    case 'loop.failed':
      return about('error', summary.status, event.data.reason)
    case 'loop.held': {
      const { reason } = event.data
      if (reason === 'paused-by-user') return null
      return about('warning', waitsForHuman.has(reason) ? 'waits for you' : 'is paused', reason)
    }
    case 'question.asked':
      return canBeAsked(state) ? about('warning', 'waits for you', 'question') : null
    case 'run.ended':
    case 'run.lost':
      return isMostSpent(state, before) ? { ...about('warning', '', ''), ...spent(state) } : null
    default:
      return null
  }
}

/** Once: when this run took the cost over the threshold. */
function isMostSpent(state: State, before: State | null): boolean {
  const { budgetUsd } = state.spec
  if (budgetUsd === null || !before) return false
  const mark = budgetUsd * mostOfBudget
  return (before.cost.costUsd ?? 0) < mark && (state.cost.costUsd ?? 0) >= mark
}

function spent({ id, cost, spec }: State): Pick<Notice, 'title' | 'message' | 'reason'> {
  const message = `${formatCost(cost.costUsd ?? 0, knownOf(cost))} of ${formatMoney(spec.budgetUsd ?? 0)} spent: ${firstLine(spec.prompt)}`
  return {
    title: `loop ${id} has spent most of its budget`,
    message: safeLine(message),
    reason: 'budget-80',
  }
}

export function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
