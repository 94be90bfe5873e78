/**
 * The notices for a person who is not watching, by the kind of journal: it has ended, waits for them, or has spent most
 * of its budget. The loops of a group send none of their own.
 */

import type { JournalKind, KindsOf } from '../../core/folds.ts'
import { type GroupState, isKind, type NodeState } from '../../core/group/state.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import { canBeAsked } from '../../core/loop/criteria.ts'
import { knownOf } from '../../core/loop/spent.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import type { Replayed } from '../../core/machine.ts'
import { restartOf } from '../../core/queue.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import type { NodeOf } from '../../model/group/node.ts'
import type { Recorded } from '../../model/loop/event.ts'
import { formatCost, formatMoney } from '../../model/units.ts'
import { reasonWords } from '../words/message.ts'
import { shortReason } from '../words/reasons.ts'

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
const noticeKinds: readonly Recorded['kind'][] = [
  'loop.completed',
  'loop.failed',
  'loop.crashed',
  'loop.held',
  'question.asked',
  'run.ended',
  'run.lost',
]

const mostOfBudget = 0.8
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
      return isMostSpent(state.spec.budgetUsd, before && before.cost, state.cost)
        ? { ...about('warning', '', ''), ...spent(state) }
        : null
    default:
      return null
  }
}

/** Once: when this event took the cost over the threshold. `before`: null if it is not known. */
function isMostSpent(budgetUsd: number | null, before: Cost | null, now: Cost): boolean {
  if (budgetUsd === null || !before) return false
  const mark = budgetUsd * mostOfBudget
  return (before.costUsd ?? 0) < mark && (now.costUsd ?? 0) >= mark
}

type Cost = { costUsd: number | null }

function spent({ id, cost, spec }: State): Pick<Notice, 'title' | 'message' | 'reason'> {
  const message = `${formatCost(cost.costUsd ?? 0, knownOf(cost))} of ${formatMoney(spec.budgetUsd ?? 0)} spent: ${firstLine(spec.prompt)}`
  return {
    title: `loop ${id} has spent most of its budget`,
    message: safeLine(message),
    reason: 'budget-80',
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

/** The kinds of events that can cause a notice. */
const groupNoticeKinds: readonly GroupRecorded['kind'][] = [
  'group.completed',
  'group.failed',
  'group.held',
  'node.started',
  'node.rested',
  'node.ended',
]

/** Rests that you or the group asked for, and those that the group ends by itself: it asks its own panel for advice. */
const asAsked = ['paused-by-user', 'paused-by-group', 'group-budget', 'advice-wanted']

/** Null if nobody has to be told. `before` is the state before the event, null if unknown. */
export function groupNotice(
  event: GroupRecorded,
  state: GroupState,
  before: GroupState | null,
): Notice | null {
  const summary = summarizeGroup(state)
  const about = (what: string, given: Pick<Notice, 'level' | 'reason'> & { words?: string }): Notice => {
    const words = given.words ?? reasonWords(summary, event.at)
    return {
      id: `${event.loop}:${event.seq}`,
      at: event.at,
      title: `group ${state.id} ${what}`,
      message: safeLine(`${firstLine(state.spec.name)}${words ? `: ${words}` : ''}`),
      level: given.level,
      loop: state.id,
      reason: given.reason,
    }
  }
  switch (event.kind) {
    case 'group.completed':
      return about('completed', { level: 'info', reason: 'completed' })
    case 'group.failed':
      return event.data.reason === 'apply-conflict'
        ? about('completed, not applied', { level: 'warning', reason: event.data.reason })
        : about('failed', { level: 'error', reason: event.data.reason })
    case 'group.held':
      return heldNotice(event.data.reason, about)
    case 'node.started': {
      const one = nodeOf(state, event.data.node)
      // If nobody can be asked, the group rests and that is the notice.
      const isAsked = state.background !== null || state.spec.attended === true
      if (!one || !isKind(one, 'gate') || !isAsked) return null
      return about('waits for you', { level: 'warning', reason: 'question', words: shortQuestion(one.node) })
    }
    case 'node.rested': {
      const one = nodeOf(state, event.data.node)
      const isFirst = !before?.nodes.some(waitsForPerson)
      if (!one || !waitsForPerson(one) || !isFirst) return null
      const words = `${one.node.id} (${one.member}) rests: ${shortReason(event.data.reason)}`
      return about('waits for you', { level: 'warning', reason: 'members-rest', words })
    }
    case 'node.ended':
      return isMostSpent(state.spec.budgetUsd, before && summarizeGroup(before), summary)
        ? about('has spent most of its budget', spentOfGroup(state))
        : null
    default:
      return null
  }
}

/** In one line: without the lettered answers below the question and the text above it. */
function shortQuestion({ question, options }: NodeOf<'gate'>): string {
  const lines = question.split('\n')
  return (options ? lines[0] : lines.at(-1)) ?? question
}

type About = (what: string, given: Pick<Notice, 'level' | 'reason'> & { words?: string }) => Notice

/** Resting loops were reported when the first of them rested. */
function heldNotice(
  reason: Extract<GroupRecorded, { kind: 'group.held' }>['data']['reason'],
  about: About,
): Notice | null {
  if (reason === 'paused-by-user' || reason === 'members-rest') return null
  return about(reason === 'step-failed' ? 'is paused' : 'waits for you', { level: 'warning', reason })
}

function nodeOf({ nodes }: GroupState, id: string): NodeState | undefined {
  return nodes.find(({ node }) => node.id === id)
}

function waitsForPerson({ stage, rested }: NodeState): boolean {
  return stage === 'rested' && !asAsked.includes(rested?.reason ?? '')
}

function spentOfGroup(state: GroupState): { level: 'warning'; reason: string; words: string } {
  const { costUsd, budgetUsd } = summarizeGroup(state)
  const words = `${formatMoney(costUsd ?? 0)} of ${formatMoney(budgetUsd ?? 0)} spent`
  return { level: 'warning', reason: 'budget-80', words }
}

/** The kinds of events that can cause a notice. */
export const toldKinds: readonly string[] = [...noticeKinds, ...groupNoticeKinds]

type AnyTold = Replayed<KindsOf[JournalKind]>

const rows: { [N in JournalKind]: (told: Replayed<KindsOf[N]>) => Notice | null } = {
  loop: ({ event, state, before }) => noticeOf(event, state, before),
  group: ({ event, state, before }) => groupNotice(event, state, before),
}

/** Null if nobody has to be told, or the journal is of a kind that only a newer loop knows. */
export function noticeFor(kind: string, told: AnyTold): Notice | null {
  return Object.hasOwn(rows, kind)
    ? (rows[kind as JournalKind] as (told: AnyTold) => Notice | null)(told)
    : null
}
