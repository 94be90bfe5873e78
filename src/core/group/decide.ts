/**
 * decide(state): what a group does next. Judges and never records; works from state alone. The program says by which
 * nodes the graph grows; here is when a node begins, and every way a group can stop.
 */
import type { GroupEvent } from '../../model/group/event.ts'
import type { GroupNode } from '../../model/group/node.ts'
import { programs } from '../programs/all.ts'
import { rank } from './rank.ts'
import {
  checkpointOf,
  find,
  type GroupState,
  isInTree,
  isKind,
  isSettled,
  isWell,
  type NodeState,
  openGate,
} from './state.ts'

type Of = { node: string; attempt: number }

export type GroupStep =
  | { kind: 'save'; name: string; node: string | null }
  /** Gives the node its attempt, and its member an id. */
  | ({ kind: 'begin'; takesTree?: true } & Of)
  | ({ kind: 'copy' } & Of)
  /** Sees a member to its end: `rest` asks it to rest first, `end` to stop now. */
  | ({ kind: 'attend'; member: string; wish: 'none' | 'rest' | 'end' } & Of)
  /** `wake` lets a member go on; `follow` waits until a person does. */
  | ({ kind: 'wake'; member: string } & Of)
  | ({ kind: 'follow'; member: string } & Of)
  | ({ kind: 'run' } & Of)
  | ({ kind: 'merge' } & Of)
  | ({ kind: 'write' } & Of)
  | ({ kind: 'check' } & Of)
  | ({ kind: 'undo' } & Of)
  | { kind: 'free'; node: string }
  | { kind: 'restore'; to: string; tree: string; keepAs: string }

type Next =
  | { do: 'record'; event: GroupEvent; steps?: GroupStep[] }
  | { do: 'steps'; steps: GroupStep[] }
  | { do: 'wait'; until: number }
  | { do: 'rest' }

const rest: Next = { do: 'rest' }

export function decideGroup(state: GroupState): Next {
  if (state.unknown) return rest
  if (state.rollback) return rollback(state, state.rollback)
  if (state.outcome || state.queuedAt !== null) return rest
  if (state.isCancelled) return cancel(state)
  const underWay = state.nodes.flatMap(one => stepOf(one, state.hold ? 'rest' : 'none'))
  if (state.failedStep && !state.hold)
    return record({ kind: 'group.held', data: { reason: 'step-failed' } }, underWay)
  if (state.hold) return atWork(underWay).length > 0 ? { do: 'steps', steps: underWay } : rest
  return advance(state, underWay)
}

function advance(state: GroupState, underWay: GroupStep[]): Next {
  if (checkpointOf(state, 'initial') === null)
    return { do: 'steps', steps: [{ kind: 'save', name: 'initial', node: null }] }
  const event = graphEvent(state)
  if (event) return record(event, underWay)
  const steps = [...underWay, ...beginnings(state)]
  if (atWork(steps).length > 0) return { do: 'steps', steps }
  if (openGate(state)) {
    if (!state.spec.attended && state.background === null)
      return record({ kind: 'group.held', data: { reason: 'unanswered' } })
    return steps.length > 0 ? { do: 'steps', steps } : { do: 'wait', until: Number.POSITIVE_INFINITY }
  }
  const growth = programs[state.spec.program].grow(state)
  // Only members that rest are left, and nobody but a person wakes them.
  if (!('end' in growth)) return record({ kind: 'group.held', data: { reason: restReason(state) } })
  if (growth.end === 'completed') return record({ kind: 'group.completed', data: {} })
  const { reason, why } = growth
  return record({ kind: 'group.failed', data: { reason, why } })
}

function restReason(state: GroupState): 'members-rest' | 'budget-reached' {
  const reasons = state.nodes.flatMap(({ rested }) => rested?.reason ?? [])
  return reasons.length > 0 && reasons.every(reason => reason === 'group-budget')
    ? 'budget-reached'
    : 'members-rest'
}

/** What changes the graph without anything being done: growth, what is skipped, what is chosen, what is asked. */
function graphEvent(state: GroupState): GroupEvent | null {
  const growth = programs[state.spec.program].grow(state)
  // Before anything is skipped because of what is done again.
  if ('reopen' in growth) {
    return { kind: 'node.reopened', data: { node: growth.reopen, because: growth.because } }
  }
  for (const one of state.nodes) {
    const event = settledBy(one, state)
    if (event) return event
  }
  if ('plan' in growth && growth.plan.length > 0)
    return { kind: 'nodes.planned', data: { nodes: growth.plan } }
  if ('drop' in growth) return { kind: 'node.dropped', data: { node: growth.drop, why: growth.why } }
  return null
}

function settledBy(one: NodeState, state: GroupState): GroupEvent | null {
  const { node, attempt, stage } = one
  if (stage === 'started') return isKind(one, 'apply') ? applyEnd(one) : null
  if (stage !== 'planned' || !isDue(one, state)) return null
  const judged = programs[state.spec.program].judge?.(one, state)
  if (judged && 'fail' in judged) {
    return {
      kind: 'node.ended',
      data: { node: node.id, attempt: attempt + 1, how: 'failed', why: judged.fail },
    }
  }
  const skipped = judged === undefined ? whySkipped(one, state) : (judged?.skip ?? null)
  if (skipped !== null) return { kind: 'node.skipped', data: { node: node.id, why: skipped } }
  if (isKind(one, 'choose')) {
    const choice = rank(state, one.node)
    const how = choice.winner === null ? 'failed' : 'completed'
    return { kind: 'node.ended', data: { node: node.id, attempt: attempt + 1, how, choice } }
  }
  if (isKind(one, 'gate')) {
    return { kind: 'node.started', data: { node: node.id, attempt: attempt + 1, member: null } }
  }
  return null
}

function isDue({ node }: NodeState, state: GroupState): boolean {
  return node.needs.every(id => {
    const needed = find(state, id)
    return needed !== undefined && isSettled(needed)
  })
}

/** Null where it is to be done. A measure is made of what passed, whatever became of other measures. */
function whySkipped({ node, dropped }: NodeState, state: GroupState): string | null {
  if (dropped !== null) return dropped
  if (node.kind === 'choose' || node.kind === 'gate') return null
  const bad = node.needs.find(id => {
    const needed = find(state, id)
    return needed !== undefined && needed.node.kind !== 'command' && !isWell(needed)
  })
  return bad === undefined ? null : `${bad} has not completed`
}

/** An apply is over once the tree is checked, or is what it was. */
function applyEnd({ node, attempt, applying }: NodeState): GroupEvent | null {
  const { merged, isApplied, results, isUndone } = applying
  const ended = (how: 'completed' | 'failed' | 'conflict', why?: string) =>
    ({
      kind: 'node.ended',
      data: {
        node: node.id,
        attempt,
        how,
        ...(why && { why }),
        ...(how === 'conflict' && { conflicts: merged?.conflicts ?? [] }),
      },
    }) satisfies GroupEvent
  if (merged && merged.tree === null) return ended('conflict')
  if (isUndone) return ended('failed', 'the promise fails in the work tree')
  if (!isApplied || results === null) return null
  return results.every(({ verdict }) => verdict === 'PASS') ? ended('completed') : null
}

/** What is under way for a node. */
function stepOf(one: NodeState, wish: 'none' | 'rest' | 'end'): GroupStep[] {
  const { node, attempt, member, stage, copy } = one
  const of = { node: node.id, attempt }
  if (stage === 'called' && member !== null) {
    return [wish === 'none' ? { kind: 'wake', member, ...of } : { kind: 'attend', member, wish, ...of }]
  }
  if (stage === 'rested' && member !== null) {
    return wish === 'end' ? [{ kind: 'attend', member, wish, ...of }] : [{ kind: 'follow', member, ...of }]
  }
  if (stage !== 'started') return []
  switch (node.kind) {
    case 'loop': {
      if (member === null) return []
      const ends = wish === 'end' || one.dropped !== null
      if (node.place === 'copy' && copy === null && !ends) return [{ kind: 'copy', ...of }]
      return [{ kind: 'attend', member, wish: ends ? 'end' : wish, ...of }]
    }
    case 'command':
      return wish === 'end' ? [] : [{ kind: 'run', ...of }]
    case 'apply':
      return [applyStep(one, of)]
    case 'gate':
    case 'choose':
      return []
    default:
      return node satisfies never
  }
}

/** The stages of an apply, each of which finds what the one before has left, also half-way. */
function applyStep({ applying: { saved, merged, isApplied, results } }: NodeState, of: Of): GroupStep {
  if (saved === null) return { kind: 'save', name: `before-${of.node}-${of.attempt}`, node: of.node }
  if (merged === null) return { kind: 'merge', ...of }
  if (!isApplied) return { kind: 'write', ...of }
  return { kind: results === null ? 'check' : 'undo', ...of }
}

/** What is at work, as against what only waits for somebody. */
function atWork(steps: GroupStep[]): GroupStep[] {
  return steps.filter(({ kind }) => kind !== 'follow')
}

/** The nodes that can begin now, in the order of the plan, as far as there is room. */
function beginnings(state: GroupState): GroupStep[] {
  const { parallel } = state.spec
  const started = state.nodes.filter(({ stage }) => stage === 'started')
  const commands = started.filter(one => isKind(one, 'command'))
  const loops = started.filter(one => isKind(one, 'loop'))
  const isBackground = state.background !== null || parallel === null
  const room = {
    // In the background loopd has the queue.
    loop: isBackground ? Number.POSITIVE_INFINITY : parallel - loops.length,
    command: (parallel ?? mostCommands) - commands.length,
    apply: 1,
  }
  let isTreeFree = !state.nodes.some(isInTree)
  const busy = new Set(commands.map(placeOf))
  const steps: GroupStep[] = []
  for (const one of state.nodes) {
    const { node, stage, attempt } = one
    if (stage !== 'planned' || node.kind === 'choose' || node.kind === 'gate' || !isDue(one, state)) continue
    const takesTree = needsTree(node)
    const place = placeOf(one)
    if ((takesTree && !isTreeFree) || (place !== null && busy.has(place)) || room[node.kind] <= 0) continue
    room[node.kind] -= 1
    if (place !== null) busy.add(place)
    if (takesTree) isTreeFree = false
    steps.push({ kind: 'begin', node: node.id, attempt: attempt + 1, ...(takesTree && { takesTree }) })
  }
  return steps
}

const mostCommands = 2

/** Of a command, the copy it runs in: two at once would find each other's files. */
function placeOf({ node }: NodeState): string | null {
  return node.kind === 'command' ? node.of : null
}

/** Two of these at once would not know the tree they find. */
function needsTree(node: GroupNode): true | undefined {
  if (node.kind === 'apply') return true
  return node.kind === 'loop' && (node.place === 'tree' || node.base === 'now') ? true : undefined
}

/** Every member is ended first, whatever was half done in the tree is finished, then the copies go. */
function cancel(state: GroupState): Next {
  const steps = state.nodes.flatMap(one => {
    // What was merged and not yet written stays as it is.
    const isUntouched = isKind(one, 'apply') && !one.applying.merged
    return isUntouched ? [] : stepOf(one, 'end')
  })
  if (steps.length > 0) return { do: 'steps', steps }
  const copies = state.nodes.filter(hasCopy)
  if (copies.length > 0)
    return { do: 'steps', steps: copies.map(({ node }) => ({ kind: 'free', node: node.id })) }
  return record({ kind: 'group.cancelled', data: {} })
}

/** Also where it may be half made. */
function hasCopy({ node, attempt, isFreed }: NodeState): boolean {
  return node.kind === 'loop' && node.place === 'copy' && attempt > 0 && !isFreed
}

function rollback(state: GroupState, { to, tree, keepAs }: NonNullable<GroupState['rollback']>): Next {
  const isKept = checkpointOf(state, keepAs) !== null
  const step: GroupStep = isKept
    ? { kind: 'restore', to, tree, keepAs }
    : { kind: 'save', name: keepAs, node: null }
  return { do: 'steps', steps: [step] }
}

function record(event: GroupEvent, steps: GroupStep[] = []): Next {
  return { do: 'record', event, steps }
}
