/**
 * The saved trees of a group by the names that people use: a node (by id, number or loop) for its result, a checkpoint
 * of the group for the tree at that time. Without a range it is everything that the group changed so far: for best-of
 * the applied or chosen attempt, for any other group the changes of its loops, one after the other.
 */
import { find, type GroupState, isKind, type NodeState } from '../core/group/state.ts'
import { fold } from '../core/loop/evolve.ts'
import { namesOf, treeOf } from '../core/loop/parts/tree.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Store } from '../store/contract.ts'

type SavedTree = { name: string; tree: string }
type TreeRange = { from: SavedTree; to: SavedTree }

/** `range` is a node, or two names joined by `..`; null is the whole change so far. */
export function groupRange(store: Store, state: GroupState, range: string | null): Result<TreeRange> {
  if (range === null) return whole(store, state)
  const [first = '', second, ...more] = range.split('..')
  if (more.length > 0) return unknown(state, range)
  if (second !== undefined) {
    const [from, to] = [named(store, state, first), named(store, state, second)]
    return from && to ? ok({ from, to }) : unknown(state, from ? second : first)
  }
  const one = nodeNamed(state, first)
  const from = one ? beforeNode(store, state, one) : checkpoint(state, 'initial')
  const to = named(store, state, first)
  return from && to ? ok({ from, to }) : unknown(state, first)
}

/** The tree of one name. */
export function groupTree(store: Store, state: GroupState, name: string): Result<string> {
  const saved = named(store, state, name)
  return saved ? ok(saved.tree) : unknown(state, name)
}

function whole(store: Store, state: GroupState): Result<TreeRange> {
  const from = checkpoint(state, 'initial')
  const { program, bestOf } = state.spec
  const isChosen = program === 'best-of' && !bestOf?.inTree
  const to = isChosen ? taken(store, state) : newest(store, state)
  if (from && to) return ok({ from, to })
  return fail('invalid-arguments', { kind: 'group-changed-nothing', id: state.id, known: known(state) })
}

function unknown(state: GroupState, name: string): Result<never> {
  return fail('invalid-arguments', { kind: 'unknown-group-tree', name, id: state.id, known: known(state) })
}

/** The valid names. */
function known(state: GroupState): string[] {
  const results = state.nodes.filter(one => isKind(one, 'loop') && one.end !== null)
  return [...state.checkpoints.map(({ name }) => name), ...results.map(({ node }) => node.id)]
}

/** The attempt in the tree, otherwise the chosen one, otherwise the only one. */
function taken(store: Store, state: GroupState): SavedTree | null {
  const { nodes, inTree } = state
  const winner = nodes.findLast(({ end }) => end?.choice)?.end?.choice?.winner
  const results = nodes.filter(({ end }) => end?.tree !== undefined)
  const only = results.length === 1 ? results[0]?.node.id : undefined
  const name = inTree ?? winner ?? only
  return name === undefined ? null : named(store, state, name)
}

/** The newest result in the tree; a loop that works in it has no result yet. */
function newest(store: Store, state: GroupState): SavedTree | null {
  const inTree = state.nodes
    .filter(one => isKind(one, 'apply') || (isKind(one, 'loop') && one.node.place === 'tree'))
    .toSorted((a, b) => (a.endedSeq ?? Number.POSITIVE_INFINITY) - (b.endedSeq ?? Number.POSITIVE_INFINITY))
  for (const one of inTree.toReversed()) {
    const left = afterNode(store, one)
    if (left) return left
  }
  return null
}

function named(store: Store, state: GroupState, name: string): SavedTree | null {
  const one = nodeNamed(state, name)
  return (one && afterNode(store, one)) ?? checkpoint(state, name)
}

function nodeNamed(state: GroupState, name: string): NodeState | undefined {
  const isNumber = /^\d+$/.test(name)
  return (
    find(state, name) ??
    state.nodes.find(({ node, member }) => member === name || (isNumber && node.id.startsWith(`${name}-`)))
  )
}

function checkpoint({ checkpoints }: GroupState, name: string): SavedTree | null {
  return checkpoints.findLast(one => one.name === name) ?? null
}

/**
 * The result of a node: of a copy its saved state, of a loop in the tree its last checkpoint, of an apply the merged
 * tree.
 */
function afterNode(store: Store, one: NodeState): SavedTree | null {
  const { node, end, member, applying } = one
  const name = node.id
  if (end?.tree !== undefined) return { name, tree: end.tree }
  if (isKind(one, 'apply')) {
    const tree = applying.isApplied && !applying.isUndone ? applying.merged?.tree : null
    return tree ? { name, tree } : null
  }
  return isKind(one, 'loop') && one.node.place === 'tree'
    ? ofMember(store, member, names => names.at(-1))
    : null
}

/** The tree with which a node began. */
function beforeNode(store: Store, state: GroupState, one: NodeState): SavedTree | null {
  const { copy, applying, firstMember } = one
  if (copy) return { name: 'initial', tree: copy.base }
  if (applying.saved !== null) return { name: `before-${one.node.id}`, tree: applying.saved }
  return ofMember(store, firstMember, names => names[0]) ?? checkpoint(state, 'initial')
}

function ofMember(
  store: Store,
  member: string | null,
  choose: (names: string[]) => string | undefined,
): SavedTree | null {
  const events = member === null ? null : store.journals.read(member)
  if (!events?.ok) return null
  const { checkpoints } = fold(events.value).tree
  const name = choose(namesOf(checkpoints).filter(one => !one.startsWith('before-rollback-')))
  const tree = name === undefined ? null : treeOf(checkpoints, name)
  return name !== undefined && tree ? { name: `${member} ${name}`, tree } : null
}
