/**
 * The saved states of a work tree that a loop or group knows by name: checkpoints, and results of a group's nodes.
 * States can be asked for by name only, never by the id of a stored object.
 */
import { type JournalKind, type KindsOf, meantKind } from '../../core/folds.ts'
import { checkpointOf } from '../../core/group/state.ts'
import { fold } from '../../core/loop/evolve.ts'
import { ownCheckpoints } from '../../core/loop/history.ts'
import { treeOf } from '../../core/loop/parts/tree.ts'
import type { DocumentOf } from '../../documents/fields.ts'
import type { savedStateSchema } from '../../documents/tree.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Recorded } from '../../model/loop/event.ts'
import type { Spec } from '../../model/loop/spec.ts'
import type { Store } from '../../store/contract.ts'
import { checkpointStore, type Paths } from '../../store/files/paths.ts'
import { discardedOf, goneOfGroup, savedTree } from '../garbage/discarded.ts'
import { groupTree } from '../group-trees.ts'
import { readState } from '../machine.ts'
import type { World } from '../world.ts'

type SavedState = DocumentOf<typeof savedStateSchema>

export type SavedStates = {
  loop: string
  /** What opens its checkpoints. */
  spec: Parameters<World['checkpoints']>[0]
  /** The private git directory that holds them. */
  store: string
  states: SavedState[]
  /** The name of the state before the last rollback. */
  undo: string | null
  treeOf(name: string): Result<string>
}

/** Where a saved state is; `tree` is missing if there is no state of that name. */
type SavedAt = {
  spec: Pick<Spec, 'cwd' | 'checkpoint' | 'checkpointIgnored' | 'copy'>
  tree: string | null | undefined
}

type Saved<N extends JournalKind> = {
  at(state: KindsOf[N]['state'], name: string): SavedAt
  /** The name of the state before the last rollback. */
  kept(state: KindsOf[N]['state']): string | null
  /** Fails if the state was saved and is there no more. */
  isThere(paths: Paths, state: KindsOf[N]['state'], name: string): Promise<Result<unknown>>
}

/** The saved states of a journal whose state is known, by its kind. */
export const savedIn: { [N in JournalKind]: Saved<N> } = {
  loop: {
    at: ({ spec, tree }, name) => ({ spec, tree: treeOf(tree.checkpoints, name) }),
    kept: ({ tree }) => tree.lastKept,
    async isThere(paths, state, name) {
      const saved = savedTree(paths, state, { name })
      return saved.ok || saved.failure.reason !== 'checkpoint-gone' ? ok(null) : saved
    },
  },
  group: {
    at: (state, name) => ({
      spec: { cwd: state.spec.cwd, checkpoint: 'git' },
      tree: checkpointOf(state, name),
    }),
    kept: ({ rollbacks }) => (rollbacks === 0 ? null : `before-rollback-${rollbacks}`),
    async isThere(paths, state, name) {
      const tree = checkpointOf(state, name)
      return tree === null
        ? ok(null)
        : goneOfGroup(paths, { id: state.id, cwd: state.spec.cwd }, [{ name, tree }])
    },
  },
}

export function savedStates(store: Store, id: string): Result<SavedStates> {
  const head = store.heads.get(id)
  if (!head.ok) return head
  return listed[meantKind(head.value)](store, id)
}

const listed = { loop: ofLoop, group: ofGroup }

function ofLoop(store: Store, id: string): Result<SavedStates> {
  const events = store.journals.read(id)
  if (!events.ok) return events
  const state = fold(events.value)
  const discarded = new Map(discardedOf(store.paths, state).map(one => [one.name, one.at]))
  const own = new Set(ownCheckpoints(events.value))
  const taken = new Map<string, SavedState>()
  for (const event of events.value) {
    const one = stateIn(event, own)
    // A second state of the same name replaces the first, in its position.
    if (one)
      taken.set(one.name, {
        ...one,
        isDiscarded: discarded.has(one.name),
        discardedAt: discarded.get(one.name) ?? null,
      })
  }
  return ok({
    loop: id,
    spec: state.spec,
    store: checkpointStore(store.paths, state.spec),
    states: [...taken.values()],
    undo: savedIn.loop.kept(state),
    treeOf: name => savedTree(store.paths, state, { name }),
  })
}

function stateIn(event: Recorded, own: ReadonlySet<string>): SavedState | null {
  if (event.kind !== 'checkpoint.taken') return null
  const { name, tree, changes } = event.data
  const { kind, iteration } = own.has(name) ? { kind: 'own' as const, iteration: null } : purposeIn(name)
  const isSaved = tree !== null
  return { name, at: event.at, kind, iteration, isSaved, isDiscarded: false, discardedAt: null, changes }
}

function purposeIn(name: string): Pick<SavedState, 'kind' | 'iteration'> {
  if (name === 'initial') return { kind: 'initial', iteration: 0 }
  if (name.startsWith('before-rollback-')) return { kind: 'kept', iteration: null }
  const [, n, end] = /^iter-(\d+)(?:-(\w+))?$/.exec(name) ?? []
  if (n === undefined) return { kind: 'other', iteration: null }
  const kinds = { after: 'after', verified: 'verified' } as const
  const kind = end === undefined ? 'before' : (kinds[end as keyof typeof kinds] ?? 'other')
  return { kind, iteration: Number(n) }
}

function ofGroup(store: Store, id: string): Result<SavedStates> {
  const group = readState(store, id, 'group')
  if (!group.ok) return group
  const state = group.value
  const plain = { at: null, iteration: null, isSaved: true, isDiscarded: false, discardedAt: null }
  const results = state.nodes.flatMap(({ node, end }): SavedState[] =>
    end?.tree ? [{ ...plain, name: node.id, kind: 'result', changes: end.changes ?? null }] : [],
  )
  const saved = state.checkpoints.map(({ name }): SavedState => {
    const kind = name === 'initial' ? 'initial' : name.startsWith('before-rollback-') ? 'kept' : 'other'
    return { ...plain, name, kind, changes: null }
  })
  return ok({
    loop: id,
    spec: { cwd: state.spec.cwd, checkpoint: 'git' },
    store: checkpointStore(store.paths, { cwd: state.spec.cwd }),
    states: [...saved, ...results],
    undo: savedIn.group.kept(state),
    treeOf: name => groupTree(store, state, name),
  })
}
