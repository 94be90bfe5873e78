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

/** Also of a loop that nobody knows. */
export function isOld(work: Work, loop: string, retentionMs: number = work.retentionMs): boolean {
  const summary = work.loops().get(loop)
  if (!summary) return true
  return !isBusy(summary) && work.now - (summary.endedAt ?? work.now) > retentionMs
}

export function isBusy(summary: Head | undefined): boolean {
  return summary !== undefined && (isOpen(summary.status) || summary.holdsTree || summary.unfinished === true)
}
