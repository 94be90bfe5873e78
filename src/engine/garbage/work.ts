/** The task of a garbage collection, and the loops that it may remove something of. */
import type { Head } from '../../core/head.ts'
import { isOpen } from '../../core/loop/summary.ts'
import type { Store } from '../../store/contract.ts'
import type { Paths } from '../../store/files/paths.ts'

export type Work = {
  paths: Paths
  /** The current loops; read again once everybody else is locked out. */
  loops(): Map<string, Head>
  now: number
  /** The retention of checkpoints and working copies after the end, and that of outputs. */
  retentionMs: number
  outputMs: number
  isDry: boolean
  /** Automatic collection: the first and the last checkpoint of a loop stay until a person runs `loop gc`. */
  keepsEnds: boolean
}

export function loopsById(store: Store | null): Map<string, Head> {
  const all = store?.heads.list({ all: {}, members: true }).summaries ?? []
  return new Map(all.map(summary => [summary.id, summary]))
}

/**
 * The loops that ended long enough ago, and unknown ones. A group and its members count as one: while any of them is
 * open or young, everything of all of them stays, because results can still be compared and picked.
 */
export function oldIn(work: Work, retentionMs: number = work.retentionMs): (loop: string) => boolean {
  const loops = work.loops()
  const families = Map.groupBy(loops.values(), familyOf)
  const isOver = (one: Head) => !isBusy(one) && work.now - (one.endedAt ?? work.now) > retentionMs
  return loop => {
    const head = loops.get(loop)
    return !head || (families.get(familyOf(head)) ?? []).every(isOver)
  }
}

function familyOf({ id, group }: Head): string {
  return group ?? id
}

export function isBusy(summary: Head | undefined): boolean {
  return summary !== undefined && (isOpen(summary.status) || summary.holdsTree)
}
