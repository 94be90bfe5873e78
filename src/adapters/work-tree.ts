/**
 * The identity of a work tree. Its path is not enough: an agent can delete the tree and create it again, or put a link
 * in its place, and then writes go somewhere else. So the directory is identified by its inode and its creation time
 * (inode numbers are used again), and checked before every step that writes.
 */
import { lstatSync, realpathSync } from 'node:fs'
import type { Facts } from '../failures/all.ts'
import type { TreePlace } from '../model/loop/event.ts'

/** Null where there is no directory. */
export function placeOf(tree: string): TreePlace | null {
  const stat = lstatSync(tree, { throwIfNoEntry: false })
  return stat?.isDirectory() ? { ino: stat.ino, bornMs: stat.birthtimeMs } : null
}

/** `tree-replaced`: there is a directory, but not the same one. */
type Replaced = Extract<Facts, { kind: 'tree-leads-elsewhere' | 'tree-no-directory' | 'tree-replaced' }>

/** Null where it is the same directory, and also where it is gone: the step that needs it will report that. */
export function replaced(tree: string, known: TreePlace | null): Replaced | null {
  const stat = lstatSync(tree, { throwIfNoEntry: false })
  if (!stat) return null
  const real = realpathSync(tree)
  if (real !== tree) return { kind: 'tree-leads-elsewhere', tree, to: real }
  if (!stat.isDirectory()) return { kind: 'tree-no-directory', tree }
  if (!known || isSame(known, { ino: stat.ino, bornMs: stat.birthtimeMs })) return null
  return { kind: 'tree-replaced', tree }
}

function isSame(a: TreePlace, b: TreePlace): boolean {
  return a.ino === b.ino && (a.bornMs === b.bornMs || a.bornMs === 0 || b.bornMs === 0)
}
