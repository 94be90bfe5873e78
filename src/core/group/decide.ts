/**
 * decide(state): the next steps of a group. It judges and never records, and uses state alone. The program of the
 * group says which nodes are added; this file says when a node begins, and all the ways in which a group can stop.
 */
import type { NodeReason } from '../../failures/node.ts'
import type { GroupEvent } from '../../model/group/event.ts'
import type { GroupNode } from '../../model/group/node.ts'
import type { RecordedFacts } from '../../model/recorded-facts.ts'
import { programs } from '../programs/all.ts'
import type { Growth } from '../programs/program.ts'
import { compareSteps } from '../programs/same-tree.ts'
import { applyOver, applySteps } from './apply.ts'
import { rank } from './rank.ts'
import {
  checkpointOf,
  find,
  type GroupState,
  hasCopy,
  isInTree,
  isKind,
  isSettled,
  isWell,
  type NodeState,
  openGate,
} from './state.ts'

export type NodeAttempt = { node: string; attempt: number }

export type GroupStep =
  | { kind: 'save'; name: string; node: string | null }
  /** Gives the node its attempt number, and its member an id. */
  | ({ kind: 'begin'; takesTree?: true } & NodeAttempt)
  | ({ kind: 'copy' } & NodeAttempt)
  /** Follows a member to its end; `rest` asks it to pause first, `end` to stop now. */
  | ({ kind: 'attend'; member: string; wish: 'none' | 'rest' | 'end' } & NodeAttempt)
  /** `wake` resumes a member; `follow` waits until a person does. */
  | ({ kind: 'wake'; member: string } & NodeAttempt)
  | ({ kind: 'follow'; member: string } & NodeAttempt)
  /** Gives a member the advice of a panel. */
  | ({ kind: 'advise'; member: string; by: string } & NodeAttempt)
  /** Notes something outside of the journal. */
  | { kind: 'keep'; what: 'showings' | 'lessons' }
  | ({ kind: 'run' } & NodeAttempt)
  /** Ends a command, including one that an earlier host left running. */
  | ({ kind: 'stop' } & NodeAttempt)
  | ({ kind: 'merge' } & NodeAttempt)
  | ({ kind: 'write' } & NodeAttempt)
  | ({ kind: 'check' } & NodeAttempt)
  | ({ kind: 'undo' } & NodeAttempt)
  | { kind: 'free'; node: string }
  | { kind: 'restore'; to: string; tree: string; keepAs: string }
  | { kind: 'compare'; compareWith: string }

type Next =
  | { do: 'record'; event: GroupEvent; steps?: GroupStep[] }
  | { do: 'steps'; steps: GroupStep[] }
  | { do: 'wait'; until: number }
  | { do: 'rest' }

const rest: Next = { do: 'rest' }

export function decideGroup(state: GroupState): Next {
  if (state.unknown) return rest
  if (state.rollback) return { do: 'steps', steps: [rollbackStep(state, state.rollback)] }
  if (state.outcome || state.queuedAt !== null) return rest
  const underWay = stepsUnderWay(state)
  const over = applyOver(state)
  if (over) return record(over, underWay)
  if (state.isCancelled) return cancel(state, underWay)
  if (state.failedStep && !state.hold)
    return record({ kind: 'group.held', data: { reason: 'step-failed' } }, underWay)
  if (state.hold) return atWork(underWay).length > 0 ? { do: 'steps', steps: underWay } : rest
  return advance(state, underWay)
}

function advance(state: GroupState, underWay: GroupStep[]): Next {
  if (checkpointOf(state, 'initial') === null)
    return { do: 'steps', steps: [{ kind: 'save', name: 'initial', node: null }] }
  const growth = programs[state.spec.program].grow(state)
  const event = graphEvent(state, growth)
  if (event) return record(event, underWay)
  if ('compareWith' in growth) return { do: 'steps', steps: compareSteps(state, growth, underWay) }
  const steps = [...underWay, ...between(state, growth), ...beginnings(state)]
  if (atWork(steps).length > 0) return { do: 'steps', steps }
  if (openGate(state)) {
    if (!state.spec.attended && state.background === null)
      return record({ kind: 'group.held', data: { reason: 'unanswered' } })
    return steps.length > 0 ? { do: 'steps', steps } : { do: 'wait', until: Number.POSITIVE_INFINITY }
  }
  if ('hold' in growth) return record({ kind: 'group.held', data: { reason: growth.hold } })
  // Only resting members are left, and only a person can resume them.
  if (!('end' in growth)) return record({ kind: 'group.held', data: { reason: restReason(state) } })
  if (growth.end === 'completed') return record({ kind: 'group.completed', data: {} })
  const { reason, why } = growth
  return record({ kind: 'group.failed', data: { reason, why } })
}

function between(state: GroupState, growth: Growth): GroupStep[] {
  if ('keep' in growth) return [{ kind: 'keep', what: growth.keep }]
  const one = 'advise' in growth ? find(state, growth.advise) : undefined
  if (!one || one.member === null || !('advise' in growth)) return []
  return [{ kind: 'advise', node: one.node.id, attempt: one.attempt, member: one.member, by: growth.by }]
}

function restReason(state: GroupState): 'members-rest' | 'budget-reached' {
  const reasons = state.nodes.flatMap(({ rested }) => rested?.reason ?? [])
  return reasons.length > 0 && reasons.every(reason => reason === 'group-budget')
    ? 'budget-reached'
    : 'members-rest'
}

/** Changes of the graph without any work: growth, skipped nodes, the choice, a question. */
function graphEvent(state: GroupState, growth: Growth): GroupEvent | null {
  // Reopening comes first, before nodes are skipped because of a node that is done again.
  if ('reopen' in growth) {
    return { kind: 'node.reopened', data: { node: growth.reopen, facts: growth.because } }
  }
  for (const one of state.nodes) {
    const event = settledBy(one, state)
    if (event) return event
  }
  if ('plan' in growth && growth.plan.length > 0)
    return { kind: 'nodes.planned', data: { nodes: growth.plan } }
  if ('drop' in growth) return { kind: 'node.dropped', data: { node: growth.drop, facts: growth.because } }
  return null
}

function settledBy(one: NodeState, state: GroupState): GroupEvent | null {
  const { node, attempt, stage } = one
  if (stage !== 'planned' || !isDue(one, state)) return null
  const judged = programs[state.spec.program].judge?.(one, state)
  if (judged && 'fail' in judged) {
    const { fail: facts, ...more } = judged
    const data = { node: node.id, attempt: attempt + 1, how: 'failed', facts, ...more } as const
    return { kind: 'node.ended', data }
  }
  const skipped = judged === undefined ? whySkipped(one, state) : judged && { facts: judged.skip }
  if (skipped !== null) return { kind: 'node.skipped', data: { node: node.id, ...skipped } }
  if (isKind(one, 'choose')) {
    const choice = rank(state, one.node)
    const how = choice.winner === null ? 'failed' : 'completed'
    return { kind: 'node.ended', data: { node: node.id, attempt: attempt + 1, how, choice } }
  }
  const given = isKind(one, 'gate') ? programs[state.spec.program].answer?.(one, state) : null
  if (given) {
    const how = /^no?$/i.test(given.answer) ? 'failed' : 'completed'
    return { kind: 'node.ended', data: { node: node.id, attempt: attempt + 1, how, ...given } }
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

type Skip = RecordedFacts | { facts: NodeReason }

/** The reason to skip a node; null if it is to be done. A failed measure keeps no other one from being taken. */
function whySkipped({ node, dropped }: NodeState, state: GroupState): Skip | null {
  if (dropped !== null) return dropped
  if (node.kind === 'choose' || node.kind === 'gate') return null
  const unmet = node.needs.find(id => {
    const needed = find(state, id)
    return needed !== undefined && needed.node.kind !== 'command' && !isWell(needed)
  })
  return unmet === undefined ? null : { facts: { kind: 'need-unmet', node: unmet } }
}

function stepsUnderWay(state: GroupState): GroupStep[] {
  const wish = state.isCancelled ? 'end' : state.hold ? 'rest' : 'none'
  let room = roomIn(state)
  return state.nodes.flatMap(one => {
    if (one.isStuck) return []
    if (wish !== 'none' || !isCalled(one)) return stepOf(one, wish)
    room -= 1
    return room < 0 ? [] : stepOf(one, wish)
  })
}

export type Halt = 'none' | 'rest' | 'end'

/** The step that is under way for a node. */
function stepOf(one: NodeState, wish: Halt): GroupStep[] {
  const { node, attempt, stage } = one
  const of = { node: node.id, attempt }
  if (node.kind === 'loop') return memberSteps(one, of, one.dropped === null ? wish : 'end')
  if (stage !== 'started') return []
  switch (node.kind) {
    case 'command':
      return [{ kind: wish === 'end' || one.dropped !== null ? 'stop' : 'run', ...of }]
    case 'apply':
      return applySteps(one, of, wish)
    case 'gate':
    case 'choose':
      return []
    default:
      return node satisfies never
  }
}

function memberSteps({ node, stage, member, copy }: NodeState, of: NodeAttempt, wish: Halt): GroupStep[] {
  if (member === null) return []
  const attend: GroupStep = { kind: 'attend', member, wish, ...of }
  switch (stage) {
    case 'started': {
      const isWithoutPlace = node.kind === 'loop' && node.place === 'copy' && copy === null
      return [isWithoutPlace && wish !== 'end' ? { kind: 'copy', ...of } : attend]
    }
    case 'called':
      if (wish === 'end') return [attend]
      // The member is resumed when the group continues.
      return wish === 'rest' ? [] : [{ kind: 'wake', member, ...of }]
    case 'rested':
      return [wish === 'end' ? attend : { kind: 'follow', member, ...of }]
    default:
      return []
  }
}

/** The steps that are at work, without those that only wait for somebody. */
function atWork(steps: GroupStep[]): GroupStep[] {
  return steps.filter(({ kind }) => kind !== 'follow')
}

/** How many more loops may run now. In the background loopd limits that instead. */
function roomIn({ spec: { parallel }, background, nodes }: GroupState): number {
  if (background !== null || parallel === null) return Number.POSITIVE_INFINITY
  return parallel - nodes.filter(one => isKind(one, 'loop') && one.stage === 'started').length
}

function isCalled({ stage, dropped }: NodeState): boolean {
  return stage === 'called' && dropped === null
}

/** The nodes that can begin now, in the order of the plan, as many as there is room for. */
function beginnings(state: GroupState): GroupStep[] {
  const { parallel } = state.spec
  const commands = state.nodes.filter(one => isKind(one, 'command') && one.stage === 'started')
  const room = {
    loop: roomIn(state) - state.nodes.filter(isCalled).length,
    command: (parallel ?? mostCommands) - commands.length,
    apply: 1,
  }
  const inTree = state.nodes.filter(isInTree)
  let isTreeFree = inTree.length === 0
  // A panel looks at the tree while the loop in it rests.
  const isStill = inTree.every(({ stage: now }) => now === 'rested')
  const busy = new Set(commands.map(placeOf))
  const steps: GroupStep[] = []
  for (const one of state.nodes) {
    const { node, stage, attempt } = one
    if (stage !== 'planned' || node.kind === 'choose' || node.kind === 'gate' || !isDue(one, state)) continue
    const takesTree = needsTree(node)
    const place = placeOf(one)
    const mayRead = isStill && node.kind === 'loop' && node.reads === true
    if ((takesTree && !isTreeFree && !mayRead) || (place !== null && busy.has(place)) || room[node.kind] <= 0)
      continue
    room[node.kind] -= 1
    if (place !== null) busy.add(place)
    if (takesTree) isTreeFree = false
    steps.push({ kind: 'begin', node: node.id, attempt: attempt + 1, ...(takesTree && { takesTree }) })
  }
  return steps
}

const mostCommands = 2

/** The copy that a command runs in: two commands at once would find each other's files. */
function placeOf({ node }: NodeState): string | null {
  return node.kind === 'command' ? node.of : null
}

/** Nodes that need the tree for themselves: with two at once, neither would know the state of the tree. */
function needsTree(node: GroupNode): true | undefined {
  if (node.kind === 'apply') return true
  return node.kind === 'loop' && (node.place === 'tree' || node.base === 'now') ? true : undefined
}

/** A cancel ends all members first, then completes what is half done in the tree, then removes the copies. */
function cancel(state: GroupState, underWay: GroupStep[]): Next {
  if (underWay.length > 0) return { do: 'steps', steps: underWay }
  const copies = state.nodes.filter(one => hasCopy(one) && !one.isStuck)
  if (copies.length > 0)
    return { do: 'steps', steps: copies.map(({ node }) => ({ kind: 'free', node: node.id })) }
  if (state.nodes.some(({ isStuck }) => isStuck))
    return state.hold ? rest : record({ kind: 'group.held', data: { reason: 'step-failed' } })
  return record({ kind: 'group.cancelled', data: {} })
}

function record(event: GroupEvent, steps: GroupStep[] = []): Next {
  return { do: 'record', event, steps }
}

/** The next step of a rollback of a group: the tree as it is now is saved first, then the older one is brought back. */
function rollbackStep(
  state: GroupState,
  { to, tree, keepAs }: NonNullable<GroupState['rollback']>,
): GroupStep {
  const isKept = checkpointOf(state, keepAs) !== null
  return isKept ? { kind: 'restore', to, tree, keepAs } : { kind: 'save', name: keepAs, node: null }
}
