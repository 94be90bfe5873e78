/**
 * Which directory a work tree is. A path is no identity: an agent can delete the tree and make it anew, or put a
 * link in its place, and whatever is written then lands somewhere else. So the directory is known by its inode and
 * the time it was made (inode numbers are used again), and looked at before every step that writes.
 */
import { lstatSync, realpathSync } from 'node:fs'
import type { TreePlace } from '../model/loop/event.ts'

/** Null where there is no directory. */
export function placeOf(tree: string): TreePlace | null {
  const stat = lstatSync(tree, { throwIfNoEntry: false })
  return stat?.isDirectory() ? { ino: stat.ino, bornMs: stat.birthtimeMs } : null
}

/** `isAnew`: there is a directory, but another one. */
type Replaced = { isAnew: boolean; why: string }

/** Null where it is the directory it was, and where it is gone: whoever needs it says that. */
export function replaced(tree: string, known: TreePlace | null): Replaced | null {
  const stat = lstatSync(tree, { throwIfNoEntry: false })
  if (!stat) return null
  const real = realpathSync(tree)
  if (real !== tree)
    return { isAnew: false, why: `${tree} is not the work tree any more: it leads to ${real}` }
  if (!stat.isDirectory()) return { isAnew: false, why: `${tree} is not a directory any more` }
  if (!known || isSame(known, { ino: stat.ino, bornMs: stat.birthtimeMs })) return null
  return {
    isAnew: true,
    why: `${tree} is not the directory it was: it was replaced, or deleted and made anew`,
  }
}

function isSame(a: TreePlace, b: TreePlace): boolean {
  return a.ino === b.ino && (a.bornMs === b.bornMs || a.bornMs === 0 || b.bornMs === 0)
}
