/**
 * Mounts inside a work tree, and what they forbid: a path that something is mounted on can be neither removed nor
 * replaced, and nothing can be changed below a read-only mount. Checked before a restore touches anything.
 */

import { platform } from '../../platform/platform.ts'
import { ancestorsOf } from '../format/path.ts'
import { isLink } from '../format/stat.ts'
import type { Change, Difference } from './difference.ts'

/** The paths in the tree that something is mounted on; the value says whether that is read-only. */
export type Mounts = ReadonlyMap<string, boolean>

export function mountsIn(tree: string): Mounts {
  return new Map(platform.files.mountedBelow(tree).map(({ path, isReadOnly }) => [path, isReadOnly]))
}

/** A path that a restore would have to change but cannot, and why; null where no mount is in the way. */
export function barred(
  mounts: Mounts,
  { write, remove, goneDirs }: Difference,
  empty: readonly string[],
): { path: string; why: string } | null {
  if (mounts.size === 0) return null
  const needed = new Set([
    ...write.flatMap(({ path }) => ancestorsOf(path)),
    ...empty,
    ...empty.flatMap(ancestorsOf),
  ])
  const replaced = [
    ...write.filter(change => !isModeOnly(change)).map(({ path }) => path),
    ...remove.map(({ path }) => path).filter(path => needed.has(path)),
  ]
  const fixed = replaced.find(path => [...mounts.keys()].some(at => at === path || at.startsWith(`${path}/`)))
  if (fixed !== undefined) return { path: fixed, why: 'on which something is mounted' }
  const changed = [...write, ...remove].map(({ path }) => path)
  const shut = [...changed, ...goneDirs, ...empty].find(
    path => !mounts.has(path) && isBelowReadOnly(mounts, path),
  )
  return shut === undefined ? null : { path: shut, why: 'which is mounted read-only' }
}

function isModeOnly({ before, id, link }: Change): boolean {
  return before !== null && before.id === id && !link && !isLink(before.mode)
}

function isBelowReadOnly(mounts: Mounts, path: string): boolean {
  const nearest = ancestorsOf(path).findLast(at => mounts.has(at))
  return nearest !== undefined && mounts.get(nearest) === true
}
