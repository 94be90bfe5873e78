/** The task of a garbage collection, and the loops that it may remove something of. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Head } from '../../core/head.ts'
import { isOpen } from '../../core/loop/summary.ts'
import type { Summary } from '../../core/summary.ts'
import type { Store } from '../../store/contract.ts'
import type { Paths } from '../../store/files/paths.ts'

export type Work = {
  paths: Paths
  /** The current loops; read again once everybody else is locked out. */
  loops(): Map<string, Summary>
  now: number
  /** The retention of checkpoints and working copies after the end, and that of outputs. */
  retentionMs: number
  outputMs: number
  isDry: boolean
  /** Automatic collection: the first and the last checkpoint of a loop stay until a person runs `loop gc`. */
  keepsEnds: boolean
  /**
   * Of which loops. The journals of unknown loops may be lost, not the loops themselves: only a person who was told
   * deletes something of them.
   */
  of: 'known' | 'unknown'
}

export function loopsById(store: Store | null): Map<string, Summary> {
  const all = store?.heads.list({ all: {}, members: true }).summaries ?? []
  return new Map(all.map(summary => [summary.id, summary]))
}

/**
 * Whether something of this loop, at these paths, has expired: nothing was written there for long enough, and the loop,
 * if it is known, ended that long ago. Both: a restored journal may end earlier than its loop did. A group and its
 * members count as one: while any of them is open or young, everything of all of them stays, because results can still
 * be compared and picked.
 */
export function expired(
  work: Work,
  retentionMs: number = work.retentionMs,
): (loop: string, ...paths: string[]) => boolean {
  const loops = work.loops()
  const families = Map.groupBy(loops.values(), familyOf)
  const isOver = (one: Head) => !isBusy(one) && work.now - (one.endedAt ?? work.now) > retentionMs
  const isUntouched = (path: string) => work.now - newestIn(path) > retentionMs
  return (loop, ...paths) => {
    const head = loops.get(loop)
    if ((head === undefined) !== (work.of === 'unknown')) return false
    const isLongOver = !head || (families.get(familyOf(head)) ?? []).every(isOver)
    return isLongOver && paths.every(isUntouched)
  }
}

/** The newest time of a path, or of an entry of it; a time that cannot be read counts as now. */
function newestIn(path: string): number {
  const times = [path, ...entriesOf(path)].map(
    one => lstatSync(one, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY,
  )
  return Math.max(...times)
}

function entriesOf(path: string): string[] {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(path).map(name => join(path, name))
}

function familyOf({ id, group }: Head): string {
  return group ?? id
}

export function isBusy(summary: Head | undefined): boolean {
  return summary !== undefined && (isOpen(summary.status) || summary.holdsTree)
}
