/**
 * The summary row of a group: the head that every journal has, the fields that a table of loops shows, and its
 * nodes. `iteration` counts the settled nodes, `maxIterations` the planned ones.
 */
import type { Reason } from '../../model/failure.ts'
import type { GroupRecorded, NodeEnd } from '../../model/group/event.ts'
import type { CriterionResult } from '../../model/loop/event.ts'
import { type Head, headShape } from '../head.ts'
import type { Status } from '../loop/summary.ts'
import { type CheckVerdict, checkVerdict } from '../loop/verdict.ts'
import type { RecentHistory } from '../report.ts'
import { beginGroup, evolveGroup } from './evolve.ts'
import {
  checkpointOf,
  find,
  type GroupState,
  holdsWholeTree,
  isAtRest,
  isInTree,
  isKind,
  isSettled,
  type NodeState,
  openGate,
} from './state.ts'
import { questionOf } from './values.ts'

type LookedAt = Exclude<NonNullable<NodeEnd['looked']>['is'], 'sound'>

type NodeRow = {
  id: string
  kind: string
  /** The id of its loop. */
  member: string | null
  stage: NodeState['stage']
  how: string | null
  /** The reason why its loop rests or ended. */
  reason: string | null
  /**
   * The reason in words, as recorded, if there is one: why it failed, was skipped or is no longer needed; or the
   * answer it got.
   */
  why: string
  /** What a command of the gate of a plan has found out. */
  judged?: { name: string; forbidden: boolean } & CheckVerdict
}

export type GroupSummary = Head & GroupBody & { kind: 'group' }

export type GroupBody = {
  program: string
  nodes: NodeRow[]
  winner: string | null
  /** The criterion that distinguished the winner from the next result. */
  winnerBy: string | null
  /** The node whose result is in the tree. */
  inTree: string | null
  /** The results that a second look did not find sound; `of`: null for a plan as a whole. */
  looked: { of: string | null; is: LookedAt; files: string[] }[]
  /** The checkpoint to which a rollback would undo the apply. */
  undo: string | null
  /** The possible answers to its question; an empty list means yes or no. */
  choices: string[]
}

export function summarizeGroup(state: GroupState): GroupSummary {
  const { spec, nodes } = state
  const { status, reason, detail } = standing(state)
  const gate = openGate(state)
  const choice = nodes.findLast(one => isKind(one, 'choose'))?.end?.choice
  return {
    shape: headShape,
    kind: 'group',
    id: state.id,
    group: null,
    seq: state.seq,
    cwd: spec.cwd,
    status,
    reason,
    detail,
    createdAt: state.createdAt,
    endedAt: state.outcome ? state.lastAt : null,
    outcomeAt: state.endedAt,
    holdsTree: holdsTree(state, status),
    needsSlot: false,
    background: state.background,
    queuedAt: state.queuedAt,
    costUsd: costOf(state),
    costEstimated: false,
    costIncomplete: false,
    iteration: nodes.filter(isSettled).length,
    maxIterations: nodes.length,
    budgetUsd: spec.budgetUsd,
    prompt: spec.name.length > 400 ? `${spec.name.slice(0, 399)}…` : spec.name,
    promise: promiseOf(state),
    agent: agentOf(state),
    activeMs: state.activeMs,
    activeSince: status === 'running' ? state.lastAt : null,
    pending: status === 'running' ? (state.isCancelled ? 'cancel' : state.hold ? 'pause' : null) : null,
    waitUntil: null,
    question: questionOf(state),
    rolledBackTo: state.restoredTo,
    program: spec.program,
    nodes: nodes.map(rowOf),
    winner: choice?.winner ?? null,
    winnerBy: choice?.by ?? null,
    inTree: spec.program === 'best-of' ? state.inTree : null,
    undo: undoOf(state),
    looked: lookedIn(state),
    choices: gate?.node.choices ?? [],
  }
}

/** The newest look at each result counts. */
function lookedIn({ nodes }: GroupState): GroupSummary['looked'] {
  const newest = new Map<string | null, NonNullable<NodeEnd['looked']>>()
  for (const one of nodes)
    if (isKind(one, 'command') && one.end?.looked) newest.set(one.node.of, one.end.looked)
  return [...newest].flatMap(([of, { is, files }]) => (is === 'sound' ? [] : { of, is, files }))
}

/** The checkpoint that undoes the last apply and nothing else. */
function undoOf({ spec, nodes, checkpoints }: GroupState): string | null {
  if (spec.program !== 'best-of') return checkpoints.some(({ name }) => name === 'initial') ? 'initial' : null
  const applied = nodes.findLast(one => isKind(one, 'apply') && one.end?.how === 'completed')
  return applied ? `before-${applied.node.id}-${applied.attempt}` : null
}

function rowOf({ node, member, stage, end, rested, skipped, dropped }: NodeState): NodeRow {
  const judges = node.kind === 'command' ? node.judges : undefined
  return {
    id: node.id,
    kind: node.kind,
    member,
    stage,
    how: end?.how ?? null,
    reason: rested?.reason ?? end?.reason ?? null,
    why: skipped?.why ?? dropped?.why ?? end?.why ?? (node.kind === 'gate' ? end?.answer : undefined) ?? '',
    ...(judges && end && { judged: { ...judges, ...checkVerdict(end) } }),
  }
}

/** The status of a group, with its reason. */
function standing(state: GroupState): { status: Status; reason: Reason | null; detail: string } {
  const { outcome, hold } = state
  if (state.unknown) return { status: 'paused', reason: 'newer-journal', detail: state.unknown }
  if (outcome?.kind === 'failed') {
    // The work passed in its copy; only the tree does not have it.
    const status = outcome.reason === 'apply-conflict' ? 'completed' : 'failed'
    return { status, reason: outcome.reason, detail: outcome.why }
  }
  if (outcome) return { status: outcome.kind, reason: outcome.kind, detail: '' }
  if (hold && isAtRest(state)) return { status: 'paused', reason: hold, detail: holdDetail(state) }
  if (state.queuedAt !== null) return { status: 'queued', reason: null, detail: '' }
  const gate = openGate(state)
  if (gate && isAtRest(state)) return { status: 'waiting', reason: null, detail: questionOf(state) ?? '' }
  return { status: 'running', reason: null, detail: '' }
}

function holdDetail(state: GroupState): string {
  if (state.hold === 'step-failed' && state.failedStep)
    return `${state.failedStep.step}: ${state.failedStep.why}`
  if (state.hold === 'unanswered') return questionOf(state) ?? ''
  return state.nodes
    .filter(({ stage }) => stage === 'rested')
    .map(({ node, member, rested }) => `${node.id} (${member}): ${rested?.reason ?? rested?.status}`)
    .join(', ')
}

function holdsTree(state: GroupState, status: Status): boolean {
  if (state.rollback) return true
  if (state.outcome || status === 'queued') return false
  if (state.nodes.some(isInTree)) return true
  if (status === 'paused') return false
  return holdsWholeTree[state.spec.program] || checkpointOf(state, 'initial') === null
}

/** Null while nothing is known. */
function costOf({ nodes }: GroupState): number | null {
  const known = nodes.flatMap(({ end }) => end?.costUsd ?? [])
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}

function promiseOf({ spec }: GroupState): string {
  if (spec.plan) return 'plan'
  if (spec.workflow) return `workflow of ${spec.workflow.loops.length} loops`
  return (spec.bestOf?.loop.criteria ?? []).flatMap(({ command }) => command ?? []).join(' && ')
}

function agentOf({ spec }: GroupState): string {
  const agents = spec.workflow?.loops.map(loop => loop.spec.agent) ?? []
  return spec.plan?.loop.agent ?? spec.bestOf?.loop.agent ?? [...new Set(agents)].join(', ')
}

/** `members`: the histories of its loops. A group counts once, with everything that its members did. */
export function recentOfGroup(
  events: readonly GroupRecorded[],
  members: readonly RecentHistory[],
): RecentHistory {
  let state: GroupState | null = null
  let restingSince: number | null = null
  let unmet: CriterionResult[] = []
  for (const event of events) {
    state = state ? evolveGroup(state, event) : beginGroup(event)
    const isAsked = event.kind === 'node.started' && find(state, event.data.node)?.node.kind === 'gate'
    if (event.kind === 'group.held' || event.kind === 'node.rested' || isAsked) restingSince = event.at
    if (event.kind === 'tree.checked') unmet = event.data.results.filter(({ verdict }) => verdict !== 'PASS')
  }
  const changes = state?.inTree ? find(state, state.inTree)?.end?.changes : undefined
  return {
    runs: members.flatMap(({ runs }) => runs).toSorted((a, b) => a.at - b.at),
    worked: changes ? { ...changes, atLeast: false } : null,
    restingSince,
    unmet,
  }
}

/** The cost of all members of a group up to now. The group's own row counts only members that have ended. */

type Spent = Pick<Head, 'costUsd' | 'costEstimated' | 'costIncomplete' | 'iteration'>

/** `costUsd` is null while nothing is known. */
export function costTogether(members: readonly Spent[]): Omit<Spent, 'iteration'> {
  const known = members.flatMap(({ costUsd }) => costUsd ?? [])
  // A member whose agent does not report a cost has cost something too.
  const isIncomplete = ({ costUsd, costIncomplete, iteration }: Spent) =>
    costIncomplete || (costUsd === null && iteration > 0)
  return {
    costUsd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    costEstimated: members.some(({ costEstimated }) => costEstimated),
    costIncomplete: known.length > 0 && members.some(isIncomplete),
  }
}
