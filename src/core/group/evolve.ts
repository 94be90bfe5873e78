/** evolve(state, event): records an event of a group and judges nothing. */
import type { GroupEvent, GroupRecorded, NodeEnd } from '../../model/group/event.ts'
import type { GroupNode } from '../../model/group/node.ts'
import type { PlanSpec } from '../../model/group/plan.ts'
import type { RecordedFacts } from '../../model/recorded-facts.ts'
import { eventVersion } from '../../model/version.ts'
import { tookNothing } from './apply.ts'
import { type Applying, find, type GroupState, isAtRest, type NodeState, openGate } from './state.ts'

export function beginGroup(event: GroupRecorded): GroupState {
  if (event.kind !== 'group.created')
    throw new Error(`Internal error: a journal of a group begins with ${event.kind}`)
  const { loop: id, seq, at, epoch, data } = event
  const turn = { queuedAt: null, background: null, ...free }
  const seen = { interruptedSeq: seq, compared: null }
  const tree = { checkpoints: [], rollback: null, rollbacks: 0, restoredTo: null, inTree: null, ...seen }
  const times = { createdAt: at, lastAt: at, activeMs: 0 }
  return {
    id,
    seq,
    ...times,
    epoch,
    unknown: unknownIn(event),
    spec: data.spec,
    nodes: [],
    picks: [],
    findings: [],
    moreRounds: 0,
    kept: [],
    ...tree,
    ...turn,
  }
}

/** The values at creation, and again after a resume. */
const free = { hold: null, failedStep: null, isCancelled: false, outcome: null, endedAt: null, limits: {} }

export function evolveGroup(state: GroupState, event: GroupRecorded): GroupState {
  const { seq, at: lastAt, epoch } = event
  const unknown = unknownIn(event)
  const activeMs = groupActiveUntil(state, event)
  const interruptedSeq = isInterruption(state, event) ? seq : state.interruptedSeq
  const common = { seq, lastAt, epoch, activeMs, interruptedSeq }
  if (unknown !== null) return { ...state, ...common, unknown }
  return { ...state, ...common, ...changeOf(state, event) }
}

/**
 * Whether a person may have worked in the tree before this event without anybody looking: another host has come, the
 * group goes on, a question was answered, or a model has taken its time.
 */
function isInterruption(state: GroupState, event: GroupRecorded): boolean {
  if (event.epoch !== state.epoch || event.kind === 'group.resumed') return true
  const one = event.kind === 'node.ended' ? find(state, event.data.node) : undefined
  return one !== undefined && one.stage !== 'planned' && ['loop', 'gate'].includes(one.node.kind)
}

type Change = Partial<GroupState>
type Line<K extends GroupEvent['kind']> = (
  state: GroupState,
  event: Extract<GroupRecorded, { kind: K }>,
) => Change

const nothing = () => ({})

const lines: { [K in GroupEvent['kind']]: Line<K> } = {
  'group.created': nothing,
  'command.refused': nothing,
  'group.queued': (_, { at, data }) => ({ queuedAt: at, background: data.priority }),
  'group.dequeued': () => ({ queuedAt: null }),
  'nodes.planned': ({ nodes }, { data }) => ({ nodes: [...nodes, ...data.nodes.map(planned)] }),
  'nodes.changed': ({ nodes }, { data }) => ({
    nodes: nodes.map(one => {
      const node = data.nodes.find(({ id }) => id === one.node.id)
      return node ? { ...one, node } : one
    }),
  }),
  'node.started': (state, { data: { node, attempt, member } }) =>
    changed(state, node, {
      ...fresh,
      stage: 'started',
      attempt,
      member,
      firstMember: find(state, node)?.firstMember ?? member,
    }),
  'copy.made': (state, { data: { node, attempt, ...copy } }) => changed(state, node, { attempt, copy }),
  'copy.freed': (state, { data }) => changed(state, data.node, { copy: null, isFreed: true }),
  'node.ended': (state, { data, seq, at }) => ({
    ...changed(state, data.node, { stage: 'ended', rested: null, end: data, endedSeq: seq, endedAt: at }),
    ...broughtIn(state, data),
  }),
  'node.skipped': (state, { data }) =>
    changed(state, data.node, { stage: 'skipped', skipped: reasonOf(data) }),
  'node.dropped': (state, { data }) => changed(state, data.node, { dropped: reasonOf(data) }),
  'node.reopened': (state, { data }) =>
    changed(state, data.node, {
      ...fresh,
      stage: 'planned',
      copy: null,
      reopened: [
        ...(find(state, data.node)?.reopened ?? []),
        reasonOf({ facts: data.facts, why: data.because }),
      ],
    }),
  'node.called': (state, { data }) => changed(state, data.node, { stage: 'called', rested: null, end: null }),
  'node.rested': (state, { data: { node, status, reason } }) =>
    changed(state, node, { stage: 'rested', rested: { status, reason } }),
  'node.continued': (state, { data }) => changed(state, data.node, { stage: 'started', rested: null }),
  'node.advised': (state, { data }) =>
    changed(state, data.node, {
      stage: 'called',
      rested: null,
      advised: (find(state, data.node)?.advised ?? 0) + 1,
    }),
  'finding.resolved': ({ findings, nodes }, { data, at }) => ({
    findings: [...findings, { ...data, at, nodes: nodes.length }],
  }),
  'notes.kept': ({ kept }, { data }) => ({ kept: [...kept, data.what] }),
  'tree.saved': (state, { data: { name, tree, node } }) => ({
    checkpoints: [...state.checkpoints.filter(one => one.name !== name), { name, tree }],
    ...(node !== null && applying(state, node, { ...untouched, saved: tree })),
  }),
  'tree.merged': (state, { data: { node, ...merged } }) => applying(state, node, { merged }),
  'tree.applied': (state, { data }) => applying(state, data.node, { isApplied: true }),
  'tree.checked': (state, { data: { node, results, tree = null }, seq }) =>
    applying(state, node, { results, checked: { seq, tree } }),
  'tree.compared': (_, { data, seq }) => ({ compared: { seq, same: data.changes?.files === 0 } }),
  'tree.unapplied': (state, { data }) => applying(state, data.node, { isUndone: true }),
  'pick.asked': ({ picks, nodes }, { data }) => ({
    ...free,
    nodes: nodes.map(unstuck),
    picks: [...picks, data],
  }),
  'rollback.requested': ({ rollbacks }, { data }) => ({ rollback: data, rollbacks: rollbacks + 1 }),
  'tree.restored': (_, { data }) => ({ rollback: null, restoredTo: data.to, inTree: null }),
  'rollback.failed': () => ({ rollback: null }),
  'step.failed': (state, { data }) => ({
    failedStep: data,
    ...(data.node !== undefined && changed(state, data.node, { isStuck: true })),
  }),
  'group.held': (_, { data }) => ({ hold: data.reason }),
  'group.resumed': resumed,
  'cancel.requested': ({ nodes }) => ({
    isCancelled: true,
    hold: null,
    queuedAt: null,
    failedStep: null,
    nodes: nodes.map(unstuck),
  }),
  'group.completed': (_, { at }) => ({ outcome: { kind: 'completed' }, endedAt: at, hold: null }),
  'group.failed': (_, { at, data }) => ({ outcome: { kind: 'failed', ...data }, endedAt: at, hold: null }),
  'group.cancelled': (_, { at }) => ({
    outcome: { kind: 'cancelled' },
    endedAt: at,
    isCancelled: false,
    hold: null,
  }),
}

function reasonOf({ facts, why }: RecordedFacts): RecordedFacts {
  return { ...(facts && { facts }), ...(why !== undefined && { why }) }
}

function changeOf(state: GroupState, event: GroupRecorded): Change {
  // The table pairs each kind with its own event type; a lookup by name loses that pairing.
  const line = lines[event.kind] as (state: GroupState, event: GroupRecorded) => Change
  return line(state, event)
}

const untouched: Applying = {
  saved: null,
  merged: null,
  isApplied: false,
  results: null,
  checked: null,
  isUndone: false,
}

const fresh = {
  member: null,
  isFreed: false,
  isStuck: false,
  rested: null,
  dropped: null,
  end: null,
  endedSeq: null,
  endedAt: null,
  skipped: null,
  applying: untouched,
} satisfies Partial<NodeState>

function planned(node: GroupNode): NodeState {
  return {
    node,
    stage: 'planned',
    attempt: 0,
    copy: null,
    reopened: [],
    advised: 0,
    firstMember: null,
    ...fresh,
  }
}

function unstuck(one: NodeState): NodeState {
  return one.isStuck ? { ...one, isStuck: false } : one
}

function changed({ nodes }: GroupState, id: string, change: Partial<NodeState>): Change {
  return { nodes: nodes.map(one => (one.node.id === id ? { ...one, ...change } : one)) }
}

/** After picked files, conflict markers or only yours, the tree does not have the result as it was verified. */
function broughtIn({ nodes }: GroupState, { node: id, how }: NodeEnd): Change {
  const { node, applying: came } = nodes.find(one => one.node.id === id) ?? {}
  const isWhole = node?.kind === 'apply' && !node.files && came?.merged?.conflicts.length === 0
  return isWhole && how === 'completed' && !tookNothing(node, came) ? { inTree: node.from } : {}
}

function applying(state: GroupState, id: string, change: Partial<Applying>): Change {
  return {
    nodes: state.nodes.map(one =>
      one.node.id === id ? { ...one, applying: { ...one.applying, ...change } } : one,
    ),
  }
}

function resumed(state: GroupState, { data }: Extract<GroupRecorded, { kind: 'group.resumed' }>): Change {
  const { budgetUsd, attended, limits = {}, workflow } = data
  const spec = {
    ...state.spec,
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(attended !== undefined && { attended }),
    ...(workflow && { workflow }),
    ...planWith(state.spec.plan, limits.maxIterations),
  }
  const moreRounds = state.moreRounds + (isOutOfRounds(state) ? 1 : 0)
  return {
    ...free,
    nodes: state.nodes.map(unstuck),
    queuedAt: null,
    background: null,
    spec,
    limits,
    moreRounds,
  }
}

/** A plan that failed by its review or its gate: whoever resumes it wants one more round. */
function isOutOfRounds({ outcome }: GroupState): boolean {
  if (outcome?.kind !== 'failed') return false
  return outcome.reason === 'review-failed' || outcome.reason === 'gate-failed'
}

/** The iterations of a plan are the sum of those of its tasks. */
function planWith(plan: PlanSpec | undefined, maxIterations: number | null | undefined): { plan?: PlanSpec } {
  if (!plan || maxIterations === undefined) return {}
  return { plan: { ...plan, loop: { ...plan.loop, maxIterations } } }
}

function unknownIn({ v, kind }: GroupRecorded): string | null {
  if (v > eventVersion) return `version ${v}`
  return Object.hasOwn(lines, kind) ? null : kind
}

/**
 * The working time of a group. The time between two events counts if the group was at work after the first one;
 * rests, queueing and waiting for an answer do not count. If its host had died in between, only members were at
 * work, for as long as the run of the one that ended.
 */
function groupActiveUntil(state: GroupState, event: GroupRecorded): number {
  return state.activeMs + (isAtWork(state) ? between(state, event) : 0)
}

function isAtWork(state: GroupState): boolean {
  if (state.unknown || state.outcome || state.queuedAt !== null) return false
  return !((state.hold || openGate(state)) && isAtRest(state))
}

function between({ lastAt, epoch }: GroupState, event: GroupRecorded): number {
  const gapMs = Math.max(0, event.at - lastAt)
  if (event.epoch === epoch) return gapMs
  return event.kind === 'node.ended' ? Math.min(gapMs, event.data.durationMs ?? 0) : 0
}
