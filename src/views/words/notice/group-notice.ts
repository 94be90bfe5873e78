/**
 * The notices about a group for a person who is not watching: its end, a wait for that person, or most of its budget
 * spent. Its loops send no notices of their own.
 */
import { type GroupState, isKind, type NodeState } from '../../../core/group/state.ts'
import { summarizeGroup } from '../../../core/group/summary.ts'
import { safeLine } from '../../../core/text/plain-text.ts'
import type { GroupRecorded } from '../../../model/group/event.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import { formatMoney } from '../../../model/units.ts'
import { reasonWords } from '../message.ts'
import { shortReason } from '../reasons.ts'
import { firstLine, mostOfBudget, type Notice } from './notice.ts'

/** The kinds of events that can cause a notice. */
export const groupNoticeKinds: readonly GroupRecorded['kind'][] = [
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
      return isMostSpent(state, before) ? about('has spent most of its budget', spent(state)) : null
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

/** Once: when this loop's end took the cost over the threshold. */
function isMostSpent(state: GroupState, before: GroupState | null): boolean {
  const { budgetUsd } = state.spec
  if (budgetUsd === null || !before) return false
  const mark = budgetUsd * mostOfBudget
  return (summarizeGroup(before).costUsd ?? 0) < mark && (summarizeGroup(state).costUsd ?? 0) >= mark
}

function spent(state: GroupState): { level: 'warning'; reason: string; words: string } {
  const { costUsd, budgetUsd } = summarizeGroup(state)
  const words = `${formatMoney(costUsd ?? 0)} of ${formatMoney(budgetUsd ?? 0)} spent`
  return { level: 'warning', reason: 'budget-80', words }
}
