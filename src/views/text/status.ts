/** A journal as it is shown: its host and members, why it rests, its times. In detail: views/faces/detail. */
import { attentionOf } from '../../core/attention.ts'
import type { Head } from '../../core/head.ts'
import type { Breaker } from '../../core/loop/breaker.ts'
import type { Brief } from '../../core/loop/summary.ts'
import { type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { formatDuration } from '../../model/units.ts'
import { behindWords, reasonWords, takeUpWords, waysOn } from '../words/message.ts'

/**
 * A loop as it is shown. `orphaned`: it has no host; `behind`: the holder of a queued loop's work tree; `members`:
 * of a group, in the order of its plan.
 */
export type Shown<T extends Brief = Summary> = {
  summary: T
  orphaned: boolean
  behind?: Head | null
  members?: ShownMember[]
  /** Of a group with members: it has completed, and its result is not in the tree. */
  notApplied?: true
}

/** `node`: its name in the group; null if another loop has replaced it. */
export type ShownMember = Shown & { node: string | null }

/** For a loop or group that needs a person: why it rests or has ended, and what to type. Otherwise empty. */
export function needsLines(shown: Shown, now: number): string[] {
  const { summary, orphaned } = shown
  const attention = attentionOf(summary, orphaned, now)
  if (attention === null || attention === 'suspect' || attention === 'budget') return []
  const why = whyWords(shown, now)
  return [
    `${summary.id} ${summary.status}${why === '' ? '' : `: ${why}`}`,
    ...waysOn(shown).map(step => `  next  ${step}`),
  ].map(safeLine)
}

/** `stuck 2/5`, `same error 1/3` */
export function breakerWords({ name, count: n, limit }: Breaker): string {
  const label = name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return `${label} ${limit === null ? 'off' : `${n ?? '–'}/${limit}`}`
}

export function whyWords({ summary, orphaned, behind }: Shown, now: number): string {
  const { pending } = summary
  if (orphaned && summary.status === 'queued') return noDaemonWords
  if (behind) return behindWords(behind)
  const soon = pending ? { pause: byKind(pauses, summary), cancel: 'is being cancelled' }[pending] : ''
  return orphanWords(summary, orphaned) || reasonWords(summary, now) || soon
}

const pauses: ByKind<string> = {
  loop: () => 'pauses after this iteration',
  group: () => 'pauses after the iterations of its loops',
  newer: () => 'pauses after this iteration',
}

/** For who follows a loop that nobody drives any more. */
export function orphanedLine(shown: Shown, now: number): string {
  const { id, status } = shown.summary
  return `loop: loop ${id} is ${status}: ${whyWords(shown, now)}`
}

const noDaemonWords = 'loopd is not running; start it with: loopd start'

function orphanWords(summary: Summary, orphaned: boolean): string {
  if (!orphaned) return ''
  if (summary.status === 'crashed')
    return `${reasonWords(summary, Number.POSITIVE_INFINITY)}, but ${noDaemonWords}`
  const lost = `no process hosts it any more; take it up with: ${takeUpWords(summary)}`
  // An answer is accepted in this state too.
  return summary.question === null ? lost : `${reasonWords(summary, 0)}; ${lost}`
}

type Timed = Brief & Partial<Pick<Summary, 'outcomeAt'>>

/** The working time, and the time from beginning to end including rests. */
export function timesOf(
  { summary, orphaned }: Shown<Timed>,
  now: number,
): { elapsedMs: number; totalMs: number } {
  const totalMs = Math.max(0, (summary.outcomeAt ?? summary.endedAt ?? now) - summary.createdAt)
  const { activeMs, activeSince } = summary
  const since = activeSince === null || orphaned ? 0 : Math.max(0, now - activeSince)
  const elapsedMs = Math.round(activeMs + since)
  return { elapsedMs, totalMs: Math.max(elapsedMs, Math.round(totalMs)) }
}

/** `4m 2s`, or `4m 2s (8h 1m with its rests)` */
export function timeWords(shown: Shown, now: number): string {
  const { elapsedMs, totalMs } = timesOf(shown, now)
  const active = formatDuration(elapsedMs)
  return totalMs - elapsedMs < 1_000 ? active : `${active} (${formatDuration(totalMs)} with its rests)`
}
