/** admit(state, command): turns a command to a group into events, or refuses it with facts. */
import type { NodeReason } from '../../failures/node.ts'
import type { RefusalFacts } from '../../failures/refusal.ts'
import type { GroupCommand, GroupInternal } from '../../model/group/command.ts'
import type { GroupEvent } from '../../model/group/event.ts'
import type { GroupNode, NodeOf } from '../../model/group/node.ts'
import { resolutions } from '../../model/group/words.ts'
import type { WorkflowSpec } from '../../model/group/workflow.ts'
import { newestNames } from '../loop/parts/tree.ts'
import { asksForWords, meantBy, withoutConfirmation } from '../plan/gates.ts'
import { findingsIn } from '../plan/review.ts'
import { programs } from '../programs/all.ts'
import { workflowNodes } from '../programs/workflow.ts'
import {
  checkpointOf,
  type GroupState,
  hooksLeft,
  isAtRest,
  isKind,
  isWell,
  type NodeState,
  openGate,
} from './state.ts'

export type GroupWish = GroupCommand | GroupInternal

type Admission = { ok: true; events: GroupEvent[] } | { ok: false; because: RefusalFacts }

export function admitGroup(state: GroupState, wish: GroupWish): Admission {
  if (state.unknown) return no({ kind: 'journal-too-new', holds: state.unknown })
  switch (wish.kind) {
    case 'pause':
      return pause(state)
    case 'resume':
      return resume(state, wish)
    case 'cancel':
      return cancel(state)
    case 'answer':
      return answer(state, wish)
    case 'pick':
      return pick(state, wish)
    case 'review':
      return review(state, wish)
    case 'rollback':
      return rollback(state, wish)
    case 'dequeue':
      return yes({ kind: 'group.dequeued', data: {} })
    case 'enqueue':
      return enqueue(state, wish)
    default:
      return unknownWish(wish)
  }
}

/** Commands such as `inject` go to one loop, and a group has several. */
function unknownWish(wish: never): Admission {
  const { kind } = wish as { kind: string }
  return no({ kind: 'for-one-loop', asked: kind })
}

/** While only hooks are left, a cancel stops the hooks: the result of the work is already decided and stays. */
function cancel(state: GroupState): Admission {
  if (state.outcome) return no({ kind: 'has-ended', outcome: state.outcome.kind })
  const hooks = state.isCancelled ? [] : hooksLeft(state)
  if (hooks.length === 0) return yes({ kind: 'cancel.requested', data: {} })
  const wanted = hooks.filter(({ dropped }) => dropped === null)
  if (wanted.length === 0) return no({ kind: 'hook-stops-already' })
  const facts: NodeReason = { kind: 'stopped-by-user' }
  return {
    ok: true,
    events: wanted.map(({ node }) => ({ kind: 'node.dropped', data: { node: node.id, facts } })),
  }
}

function pause(state: GroupState): Admission {
  if (state.outcome) return no({ kind: 'has-ended', outcome: state.outcome.kind })
  if (state.isCancelled) return no({ kind: 'cancels-already' })
  if (state.hold) return no({ kind: 'already-paused' })
  return yes({ kind: 'group.held', data: { reason: 'paused-by-user' } })
}

function resume(state: GroupState, command: Extract<GroupCommand, { kind: 'resume' }>): Admission {
  const { kind: _, ...changes } = command
  const { outcome, hold, failedStep } = state
  if (outcome?.kind === 'completed') return no({ kind: 'has-completed' })
  if (outcome?.kind === 'cancelled') return no({ kind: 'copies-gone' })
  // A background group that lost its host: whoever resumes it also hosts its members.
  if (!outcome && !hold && !failedStep && state.background === null) return { ok: true, events: [] }
  const { budgetUsd = state.spec.budgetUsd } = changes
  if (hold === 'budget-reached' && budgetUsd !== null && budgetUsd <= (state.spec.budgetUsd ?? 0)) {
    return no({ kind: 'group-budget-used-up', id: state.id })
  }
  const { events, anew } = changedBy(state, changes.workflow)
  return { ok: true, events: [{ kind: 'group.resumed', data: changes }, ...events, ...dueAgain(state, anew)] }
}

type ByFile = {
  events: GroupEvent[]
  /** Nodes whose member still works by the old file. */
  anew: string[]
}

/**
 * The effect of a changed workflow file: nodes that have not completed follow the new file; nodes that it no
 * longer has are dropped.
 */
function changedBy({ nodes }: GroupState, spec: WorkflowSpec | undefined): ByFile {
  if (!spec) return { events: [], anew: [] }
  const wanted = workflowNodes(spec)
  const open = nodes.filter(one => !isWell(one))
  const isOther = (node: GroupNode) => open.some(one => one.node.id === node.id && !isSame(one.node, node))
  const changed = wanted.filter(isOther)
  const gone = open.filter(one => one.stage === 'planned' && !wanted.some(({ id }) => id === one.node.id))
  const facts: NodeReason = { kind: 'out-of-file' }
  const dropped = gone.map(
    ({ node }): GroupEvent => ({ kind: 'node.skipped', data: { node: node.id, facts } }),
  )
  const replaced: GroupEvent[] =
    changed.length > 0 ? [{ kind: 'nodes.changed', data: { nodes: changed } }] : []
  return { events: [...replaced, ...dropped], anew: changed.map(({ id }) => id) }
}

function isSame(one: GroupNode, other: GroupNode): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * The nodes that continue: members that rest because of the group, otherwise all that rest; in a failed group, the
 * failed ones.
 */
function dueAgain(state: GroupState, anew: readonly string[]): GroupEvent[] {
  const { nodes } = state
  const facts: NodeReason = { kind: 'group-resumed' }
  const called = (one: NodeState): GroupEvent =>
    anew.includes(one.node.id) || isOver(one) || !hasMember(one)
      ? { kind: 'node.reopened', data: { node: one.node.id, facts } }
      : { kind: 'node.called', data: { node: one.node.id } }
  // A node that waits for advice continues only once it has the advice.
  const resting = nodes.filter(
    ({ stage, rested }) => stage === 'rested' && rested?.reason !== 'advice-wanted',
  )
  const ours = resting.filter(({ rested }) => ofGroup.includes(rested?.reason ?? ''))
  const waking = ours.length > 0 ? ours : resting
  const again = programs[state.spec.program].again?.(state)
  const failed = again ? nodes.filter(({ node }) => again.includes(node.id)) : failedIn(state)
  return [...waking, ...failed].map(called)
}

function failedIn({ nodes, outcome, picks }: GroupState): NodeState[] {
  if (outcome?.kind !== 'failed') return []
  const { reason } = outcome
  const failed = nodes.filter(one => one.stage === 'ended' && !isWell(one) && one.dropped === null)
  const loops = reason === 'nobody-passed' || reason === 'node-failed' ? failed.filter(hasMember) : []
  const lastApply = nodes.findLast(one => isKind(one, 'apply'))
  // A new pick replaces what was applied before; a hook runs only once.
  const isPast = (one: NodeState) =>
    (picks.length > 0 && isKind(one, 'apply') && one !== lastApply) ||
    (isKind(one, 'command') && one.node.purpose === 'hook')
  const others = nodes.filter(
    one =>
      (failed.includes(one) && !hasMember(one) && !isPast(one)) ||
      (one.stage === 'skipped' && one.dropped === null) ||
      failed.some(choose => isKind(choose, 'choose') && choose.node.by === one.node.id),
  )
  return [...loops, ...others]
}

/** A question that has ended is asked again from the beginning, because its copy is gone. */
function isOver(one: NodeState): boolean {
  return one.stage === 'ended' && isKind(one, 'loop') && one.node.reads === true
}

const ofGroup = ['paused-by-group', 'group-budget']

function hasMember({ member }: NodeState): boolean {
  return member !== null
}

function enqueue(state: GroupState, wish: Extract<GroupInternal, { kind: 'enqueue' }>): Admission {
  if (state.queuedAt !== null && !state.outcome && !state.hold) return no({ kind: 'already-queued' })
  const admission = resume(state, { ...wish.resume, attended: false })
  if (!admission.ok) return admission
  const priority = state.background ?? 'normal'
  return { ok: true, events: [...admission.events, { kind: 'group.queued', data: { priority } }] }
}

function answer(state: GroupState, { by, text }: Extract<GroupCommand, { kind: 'answer' }>): Admission {
  const gate = openGate(state)
  if (!gate) return no({ kind: 'no-open-question' })
  const { id, asks } = gate.node
  const exact = meaningOf(gate.node, text.trim())
  if (typeof exact !== 'string') return no(exact)
  // An answer that is none of the four words is a comment for the reviewers.
  if (asks === 'finding' && !isResolution(exact)) {
    return review(state, {
      kind: 'review',
      finding: id.slice('finding/'.length),
      how: 'discuss',
      by,
      text: exact,
    })
  }
  const how = exact === 'no' ? 'failed' : 'completed'
  const ended: GroupEvent = {
    kind: 'node.ended',
    data: { node: id, attempt: gate.attempt, how, answer: exact, by },
  }
  return { ok: true, events: [ended, ...unanswered(state)] }
}

function isResolution(text: string): boolean {
  return (resolutions as readonly string[]).includes(text)
}

/** The choice or lettered option that an answer means; if any text is allowed, the text itself. */
function meaningOf(
  { choices, options, free, asks, question }: NodeOf<'gate'>,
  said: string,
): string | RefusalFacts {
  if (options && said !== '') {
    const option = meantBy(said, options)
    return asksForWords(option, options) ? { kind: 'answer-wordless', option } : option
  }
  const words = choices.length > 0 ? choices : ['yes', 'no']
  const begins = (word: string) => said !== '' && word.toLowerCase().startsWith(said.toLowerCase())
  const meant = words.filter(begins)
  const exact = words.includes(said) ? said : meant.length === 1 ? meant[0] : undefined
  if (exact !== undefined) return exact
  if (asks === 'gate' && said.toLowerCase() === withoutConfirmation) return withoutConfirmation
  if (free && said !== '') return said
  return { kind: 'answer-unfit', question, choices: [...(options ?? words)] }
}

/** Answers the gate of this finding if one is open; otherwise the decision is recorded for the next round. */
function review(state: GroupState, wish: Extract<GroupCommand, { kind: 'review' }>): Admission {
  const { finding, how, by, text } = wish
  if (state.spec.program !== 'plan') return no({ kind: 'no-reviews' })
  // What is said of a plan that has failed counts when it is resumed.
  if (state.outcome && state.outcome.kind !== 'failed')
    return no({ kind: 'has-ended', outcome: state.outcome.kind })
  const has = findingsIn(state)
  if (!has.includes(finding)) return no({ kind: 'finding-unknown', finding, has })
  const resolved: GroupEvent = { kind: 'finding.resolved', data: { finding, how, by, text } }
  const gate = openGate(state)
  if (gate?.node.id !== `finding/${finding}`) return yes(resolved)
  const ended: GroupEvent = {
    kind: 'node.ended',
    data: { node: gate.node.id, attempt: gate.attempt, how: 'completed', answer: how, by },
  }
  return { ok: true, events: [resolved, ended, ...unanswered(state)] }
}

/** The event that continues a group which rests because nobody was there to be asked. */
function unanswered({ hold }: GroupState): GroupEvent[] {
  return hold === 'unanswered' ? [{ kind: 'group.resumed', data: {} }] : []
}

function pick(
  state: GroupState,
  { node: asked, files, resolve }: Extract<GroupCommand, { kind: 'pick' }>,
): Admission {
  const attempts = state.nodes.filter(one => isKind(one, 'loop') && one.node.place === 'copy')
  const has = attempts.map(({ node }) => node.id)
  const meant = attempts.filter(
    ({ node, member }) => node.id === asked || member === asked || node.id.split('-')[0] === asked,
  )
  const [one] = meant
  if (!one || meant.length > 1) return no({ kind: 'attempt-unknown', attempt: asked, has })
  if (!one.end?.tree) return no({ kind: 'attempt-without-result', node: one.node.id })
  if (state.outcome?.kind === 'cancelled') return no({ kind: 'was-cancelled' })
  if (!isResting(state)) return no({ kind: 'pick-too-early' })
  const stray = files?.find(file => file.startsWith('/') || file.split('/').includes('..'))
  if (stray !== undefined) return no({ kind: 'pick-outside-tree', file: stray })
  const data = { node: one.node.id, ...(files && { files }), ...(resolve && { resolve }) }
  return yes({ kind: 'pick.asked', data })
}

function rollback(state: GroupState, { to }: Extract<GroupCommand, { kind: 'rollback' }>): Admission {
  const tree = checkpointOf(state, to)
  const names = state.checkpoints.map(({ name }) => name)
  if (tree === null) return no({ kind: 'checkpoint-unknown', name: to, ...newestNames(names) })
  // A rollback that was interrupted is completed.
  if (state.rollback?.to === to) return { ok: true, events: [] }
  if (!isResting(state)) return no({ kind: 'group-not-at-rest' })
  return yes({
    kind: 'rollback.requested',
    data: { to, tree, keepAs: `before-rollback-${state.rollbacks + 1}` },
  })
}

function isResting(state: GroupState): boolean {
  return state.outcome !== null || (state.hold !== null && isAtRest(state))
}

function yes(event: GroupEvent): Admission {
  return { ok: true, events: [event] }
}

function no(because: RefusalFacts): Admission {
  return { ok: false, because }
}
