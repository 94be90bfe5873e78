/**
 * The segments of an iteration, or of a whole loop, as bars in one line: drawn to scale, with a text for screen
 * readers.
 */
import type { JSX } from 'preact'
import type { Segment } from '../../src/core/timeline.ts'
import { formatDuration } from '../../src/model/units.ts'
import { useNow } from '../base/clock.ts'

/** Waits are drawn shorter: otherwise a night of waiting would hide the work. */
const longestWaitMs = 60_000

function widthMs({ kind, begin, end }: Segment, now: number): number {
  const took = Math.max(0, (end ?? now) - begin)
  return kind === 'wait' ? Math.min(took, longestWaitMs) : took
}

/** The longest of several rows, in ms: all rows have the same scale. */
export function longest(rows: readonly (readonly Segment[])[]): number {
  const now = Date.now()
  return Math.max(1, ...rows.map(segments => segments.reduce((sum, one) => sum + widthMs(one, now), 0)))
}

/** `most`: the time that the whole width stands for; null: the sum of these segments. */
export function Bars({ segments, most }: { segments: readonly Segment[]; most: number | null }): JSX.Element {
  const now = useNow()
  let at = 0
  const scale = 1_000 / Math.max(most ?? longest([segments]), 1)
  const label = segments.map(segment => segmentWords(segment, now)).join(', ')
  return (
    <svg class="bars" viewBox="0 0 1000 16" preserveAspectRatio="none" role="img" aria-label={label}>
      {segments.map((segment, i) => {
        const width = Math.max(2, widthMs(segment, now) * scale - 1)
        const x = at
        at += width + 1
        return (
          <rect
            key={i}
            x={x}
            y="2"
            width={width}
            height="12"
            data-kind={segment.kind}
            data-open={segment.end === null}
            data-what={segment.what}
          >
            <title>{segmentWords(segment, now)}</title>
          </rect>
        )
      })}
    </svg>
  )
}

/** What the colours of the bars stand for. */
export function Legend({ kinds }: { kinds: readonly Segment['kind'][] }): JSX.Element {
  return (
    <ul class="row wrap legend small quiet">
      {kinds.map(kind => (
        <li key={kind} class="row tight">
          <span class="swatch" data-kind={kind} /> {kind}
        </li>
      ))}
    </ul>
  )
}

function segmentWords({ kind, begin, end, what }: Segment, now: number): string {
  const took = formatDuration(Math.max(0, (end ?? now) - begin))
  return `${kind}${what === '' ? '' : ` ${what}`} ${end === null ? `since ${took}` : took}`
}
