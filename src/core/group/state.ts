/** What is known about a group: its nodes in the order in which they were planned, its tree, and whose turn it is. */
import type { GroupEventOf, NodeEnd } from '../../model/group/event.ts'
import type { GroupNode, NodeOf } from '../../model/group/node.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { CriterionResult } from '../../model/loop/event.ts'
import type { Priority } from '../../model/loop/spec.ts'

type Copy = Omit<GroupEventOf<'copy.made'>['data'], 'node' | 'attempt'>

/** How far a copy has been brought into the tree. */
export type Applying = {
  /** The tree as it was before. */
  saved: string | null
  merged: { tree: string | null; conflicts: string[] } | null
  isApplied: boolean
  results: CriterionResult[] | null
  isUndone: boolean
}

export type NodeState = {
  node: GroupNode
  /** `called`: its member is to go on. */
  stage: 'planned' | 'started' | 'rested' | 'called' | 'ended' | 'skipped'
  /** How often it was begun. */
  attempt: number
  member: string | null
  /** Of the first time it was begun: what was there before it. */
  firstMember: string | null
  copy: Copy | null
  /** Nothing of its copy is left. */
  isFreed: boolean
  /** Why the member rests. */
  rested: { status: string; reason: string | null } | null
  /** A step of it has failed: it is done again when the group goes on. */
  isStuck: boolean
  /** Why it is not needed any more, though it was begun. */
  dropped: string | null
  end: NodeEnd | null
  /** The number of the event by which it ended. */
  endedSeq: number | null
  skipped: string | null
  /** Why it was begun again, each time. */
  reopened: string[]
  applying: Applying
}

type Outcome =
  | { kind: 'completed' | 'cancelled' }
  | { kind: 'failed'; reason: GroupEventOf<'group.failed'>['data']['reason']; why: string }

export type GroupState = {
  id: string
  seq: number
  createdAt: number
  lastAt: number
  epoch: number
  /** What this version does not know, where the journal holds such a thing. */
  unknown: string | null
  spec: GroupSpec
  nodes: NodeState[]
  /** Saved states of the tree, in the order in which they were taken. */
  checkpoints: { name: string; tree: string }[]
  rollback: GroupEventOf<'rollback.requested'>['data'] | null
  rollbacks: number
  restoredTo: string | null
  /** The node whose result was brought into the tree last, as a whole; null once the tree was rolled back. */
  inTree: string | null
  /** What a person picked, in order. */
  picks: GroupEventOf<'pick.asked'>['data'][]
  queuedAt: number | null
  background: Priority | null
  hold: GroupEventOf<'group.held'>['data']['reason'] | null
  failedStep: GroupEventOf<'step.failed'>['data'] | null
  /** What members that are called go on with. */
  limits: NonNullable<GroupEventOf<'group.resumed'>['data']['limits']>
  isCancelled: boolean
  outcome: Outcome | null
  endedAt: number | null
}

export function find(state: GroupState, id: string): NodeState | undefined {
  return state.nodes.find(({ node }) => node.id === id)
}

/** A node is over once it has ended or was skipped. */
export function isSettled({ stage }: NodeState): boolean {
  return stage === 'ended' || stage === 'skipped'
}

export function isWell(one: NodeState): boolean {
  return one.stage === 'ended' && one.end?.how === 'completed'
}

export function isKind<K extends GroupNode['kind']>(
  one: NodeState,
  kind: K,
): one is NodeState & { node: NodeOf<K> } {
  return one.node.kind === kind
}

/** The node whose result an apply brings in: its own, or the one that was chosen. */
export function appliedNode(state: GroupState, { from }: NodeOf<'apply'>): NodeState | undefined {
  const source = find(state, from)
  const winner = source?.end?.choice?.winner
  return source && isKind(source, 'choose') ? (winner == null ? undefined : find(state, winner)) : source
}

export function checkpointOf({ checkpoints }: GroupState, name: string): string | null {
  return checkpoints.findLast(one => one.name === name)?.tree ?? null
}

/** The tree of the group is worked in, or is about to be read as a whole. */
export function isInTree({ node, stage, copy }: NodeState): boolean {
  if (stage !== 'started' && stage !== 'rested' && stage !== 'called') return false
  if (node.kind === 'apply') return true
  if (node.kind !== 'loop') return false
  return node.place === 'tree' || (node.base === 'now' && copy === null)
}

/** Nothing is done, or about to be, until somebody asks for it: so of a group that is held. */
export function isAtRest(state: GroupState): boolean {
  const { nodes, isCancelled } = state
  if (nodes.some(one => !one.isStuck && isInMotion(state, one))) return false
  return !isCancelled || nodes.some(({ isStuck }) => isStuck)
}

function isInMotion({ hold, isCancelled }: GroupState, one: NodeState): boolean {
  const { node, stage, dropped, applying } = one
  if (isCancelled && hasCopy(one)) return true
  switch (stage) {
    case 'started':
      return node.kind === 'apply' && isCancelled ? applying.merged !== null : node.kind !== 'gate'
    case 'called':
      return hold === null || isCancelled || dropped !== null
    case 'rested':
      return isCancelled || dropped !== null
    default:
      return false
  }
}

/** Also where it may be half made. */
export function hasCopy({ node, attempt, isFreed }: NodeState): boolean {
  return node.kind === 'loop' && node.place === 'copy' && attempt > 0 && !isFreed
}

/** Whether the tree is the group's from its beginning to its end; else only while something is done in it. */
export const holdsWholeTree: Record<GroupSpec['program'], boolean> = { 'best-of': false, workflow: true }

/** The gate that waits for an answer. */
export function openGate(state: GroupState): (NodeState & { node: NodeOf<'gate'> }) | null {
  const open = state.nodes.find(one => isKind(one, 'gate') && one.stage === 'started')
  return open && isKind(open, 'gate') ? open : null
}
