/** The result of a member: the state of its copy, saved in the store of the tree, and its changes. */
import { existsSync } from 'node:fs'
import { changeSize } from '../../../core/change/size.ts'
import { isTestFile } from '../../../core/change/test-file.ts'
import type { NodeState } from '../../../core/group/state.ts'
import type { Summary } from '../../../core/loop/summary.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { NodeEnd } from '../../../model/group/event.ts'
import { copiesOf, isReader, nameOf } from './copy.ts'
import type { GroupTask } from './steps.ts'

type Came = Pick<
  NodeEnd,
  'tree' | 'changes' | 'size' | 'paths' | 'tests' | 'doubts' | 'steered' | 'durationMs'
>

const mostPaths = 50

export async function resultOf(
  { node, copy, attempt }: NodeState,
  { world, state, signal }: GroupTask,
  { doubts = [], activeMs = 0 }: Summary,
): Promise<Result<Came>> {
  const common = { ...doubtsIn(doubts), durationMs: activeMs }
  // A host that died after it removed a question's copy has recorded no result.
  if (!copy || (isReader(node) && !existsSync(copy.path))) return ok(common)
  const copies = copiesOf(world, state)
  const saved = await copies.save(copy, { loop: state.id, name: nameOf(node.id, attempt), signal })
  if (!saved.ok) return saved
  const tree = saved.value
  const lines = await copies.tree.linesByFile({ from: copy.base, to: tree, signal })
  if (!lines.ok) return lines
  const files = lines.value
  const counted = changeSize(files)
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + file[of], 0)
  const tests = files.filter(({ isNew, path }) => isNew && isTestFile(path))
  const names = (some: typeof files) => some.slice(0, mostPaths).map(({ path }) => path)
  return ok({
    ...common,
    // The changes of a question are noted, but its tree is not kept.
    ...(!isReader(node) && { tree }),
    changes: { added: sum('added'), removed: sum('removed'), files: files.length },
    size: counted.added + counted.removed,
    paths: names(files),
    tests: names(tests),
  })
}

/** What nobody has looked at yet is no doubt: the group looks at it, if this result leads. */
function doubtsIn(doubts: NonNullable<Summary['doubts']>): Pick<Came, 'doubts' | 'steered'> {
  const unlooked = doubts.flatMap(doubt =>
    doubt.kind === 'steered' && doubt.how === 'unlooked' ? doubt.files : [],
  )
  if (unlooked.length === 0) return { doubts: doubts.length }
  return { doubts: doubts.length - 1, steered: unlooked.slice(0, mostPaths) }
}
