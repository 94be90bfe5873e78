/** What `loop gc` is asked to do, and which loops it may throw something of away. */
import type { Head } from '../../core/head.ts'
import { isOpen } from '../../core/loop/summary.ts'
import type { Store } from '../../store/contract.ts'
import type { Paths } from '../../store/files/paths.ts'

export type Work = {
  paths: Paths
  /** As they are now; asked again after everybody else is kept out. */
  loops(): Map<string, Head>
  now: number
  /** How long after the end checkpoints and working copies are kept, and how long outputs. */
  retentionMs: number
  outputMs: number
  isDry: boolean
  /** Nobody asked for it: the first and the last checkpoint of a loop stay until somebody does. */
  keepsEnds: boolean
}

export function loopsById(store: Store | null): Map<string, Head> {
  const all = store?.heads.list({ all: {}, members: true }).summaries ?? []
  return new Map(all.map(summary => [summary.id, summary]))
}

/**
 * Which loops ended so long ago, as they are now; also those that nobody knows. A group and its members are one: as
 * long as one of them is open or young, all that is left of any of them stays, since it may be compared and picked.
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
