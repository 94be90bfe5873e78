/**
 * The state of a group: its nodes in the order in which they were planned, its tree, and whether it rests or
 * waits.
 */

import type { GroupEventOf, NodeEnd } from '../../model/group/event.ts'
import type { GroupNode, NodeOf } from '../../model/group/node.ts'
import type { GroupSpec } from '../../model/group/spec.ts'
import type { CriterionResult } from '../../model/loop/event.ts'
import type { Priority } from '../../model/loop/spec.ts'
import type { RecordedFacts } from '../../model/recorded-facts.ts'

type Copy = Omit<GroupEventOf<'copy.made'>['data'], 'node' | 'attempt'>

/** How far the result of a copy has been brought into the tree. */
export type Applying = {
  /** The tree before the apply. */
  saved: string | null
  merged: { tree: string | null; conflicts: string[] } | null
  isApplied: boolean
  results: CriterionResult[] | null
  /** When the promise was run, and the tree that it left; null: not saved. */
  checked: { seq: number; tree: string | null } | null
  isUndone: boolean
}

export type NodeState = {
  node: GroupNode
  /** `called`: the member has been asked to continue. */
  stage: 'planned' | 'started' | 'rested' | 'called' | 'ended' | 'skipped'
  /** How many times it was begun. */
  attempt: number
  member: string | null
  /** The member of its first attempt; its checkpoints show the tree before the node. */
  firstMember: string | null
  copy: Copy | null
  /** Its copy has been removed completely. */
  isFreed: boolean
  /** The status and reason of the resting member. */
  rested: { status: string; reason: string | null } | null
  /** A step of the node failed; the step is repeated when the group continues. */
  isStuck: boolean
  /** The reason why the node is no longer needed although it was begun. */
  dropped: RecordedFacts | null
  end: NodeEnd | null
  /** The sequence number of the event that ended it. */
  endedSeq: number | null
  endedAt: number | null
  skipped: RecordedFacts | null
  /** The reasons for which it was begun again, one per time. */
  reopened: RecordedFacts[]
  /** How many times its member was given advice. */
  advised: number
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
  /** The working time up to the newest event. */
  activeMs: number
  epoch: number
  /** The first thing in the journal that this version does not know. */
  unknown: string | null
  spec: GroupSpec
  nodes: NodeState[]
  /** The saved states of the tree, oldest first. */
  checkpoints: { name: string; tree: string }[]
  rollback: GroupEventOf<'rollback.requested'>['data'] | null
  rollbacks: number
  restoredTo: string | null
  /** The node whose whole result was applied to the tree last; null after a rollback. */
  inTree: string | null
  /** The newest event before which somebody may have changed the tree unseen: see `isInterruption` in evolve. */
  interruptedSeq: number
  /** The newest comparison of the tree with the one that a verdict is about. */
  compared: { seq: number; same: boolean } | null
  /** The decisions of people about findings, in order; `nodes`: how many nodes there were by then. */
  findings: (GroupEventOf<'finding.resolved'>['data'] & { at: number; nodes: number })[]
  /** How often it was resumed after its review or its gate had failed: each time is one more round. */
  moreRounds: number
  /** The notes that were written outside of the journal so far. */
  kept: GroupEventOf<'notes.kept'>['data']['what'][]
  /** What a person picked, in order. */
  picks: GroupEventOf<'pick.asked'>['data'][]
  queuedAt: number | null
  background: Priority | null
  hold: GroupEventOf<'group.held'>['data']['reason'] | null
  failedStep: GroupEventOf<'step.failed'>['data'] | null
  /** The limits with which resumed members continue. */
  limits: NonNullable<GroupEventOf<'group.resumed'>['data']['limits']>
  isCancelled: boolean
  outcome: Outcome | null
  endedAt: number | null
}

export function find(state: GroupState, id: string): NodeState | undefined {
  return state.nodes.find(({ node }) => node.id === id)
}

/** A node is settled once it has ended or was skipped. */
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

/** The node whose result is applied: the one that the apply names, otherwise the chosen one. */
export function appliedNode(state: GroupState, { from }: NodeOf<'apply'>): NodeState | undefined {
  const source = find(state, from)
  const winner = source?.end?.choice?.winner
  return source && isKind(source, 'choose') ? (winner == null ? undefined : find(state, winner)) : source
}

export function checkpointOf({ checkpoints }: GroupState, name: string): string | null {
  return checkpoints.findLast(one => one.name === name)?.tree ?? null
}

/** Tells whether a node works in the group's tree, or is about to read all of it. */
export function isInTree({ node, stage, copy }: NodeState): boolean {
  if (stage !== 'started' && stage !== 'rested' && stage !== 'called') return false
  if (node.kind === 'apply') return true
  if (node.kind !== 'loop') return false
  return node.place === 'tree' || (node.base === 'now' && copy === null)
}

/**
 * The hooks that remain after everything else has ended. The group's result is decided, and they do not change
 * it.
 */
export function hooksLeft({ nodes }: GroupState): NodeState[] {
  const open = nodes.filter(one => !isSettled(one))
  const areHooks = open.every(one => isKind(one, 'command') && one.node.purpose === 'hook')
  return areHooks && open.some(({ stage }) => stage === 'started') ? open : []
}

/** Tells whether nothing happens before somebody asks: the group is held and no step is left. */
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

/** Tells whether the node has a copy, complete or not. */
export function hasCopy({ node, attempt, isFreed }: NodeState): boolean {
  return node.kind === 'loop' && node.place === 'copy' && attempt > 0 && !isFreed
}

/** Whether the program holds the tree from beginning to end; if not, the tree is held only during work in it. */
export const holdsWholeTree: Record<GroupSpec['program'], boolean> = {
  'best-of': false,
  workflow: true,
  plan: true,
}

/** The gate that waits for an answer. */
export function openGate(state: GroupState): (NodeState & { node: NodeOf<'gate'> }) | null {
  const open = state.nodes.find(one => isKind(one, 'gate') && one.stage === 'started')
  return open && isKind(open, 'gate') ? open : null
}

/** The node whose result `apply` means: the chosen one, otherwise the only one with a good result. */
export function resultToApply({ nodes }: GroupState): string | null {
  const winner = nodes.findLast(({ end }) => end?.choice)?.end?.choice?.winner
  const results = nodes.filter(
    one => one.node.kind === 'loop' && one.end?.tree && one.end.how === 'completed',
  )
  return winner ?? (results.length === 1 ? (results[0]?.node.id ?? null) : null)
}
