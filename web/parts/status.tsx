/**
 * The status of a loop as a shape, a colour and a word. The shape alone tells them apart, for people who see no
 * colours.
 */
import type { JSX } from 'preact'
import type { Status } from '../../src/core/loop/summary.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet'

/** A group whose result is not in the tree, because of your edits there. */
export const notApplied = 'completed, not applied'

const tones: Record<Status | typeof notApplied, Tone> = {
  queued: 'quiet',
  running: 'info',
  waiting: 'warn',
  paused: 'warn',
  completed: 'good',
  [notApplied]: 'warn',
  failed: 'bad',
  crashed: 'bad',
  cancelled: 'quiet',
}

export function toneOf(status: string): Tone {
  return tones[status as Status] ?? 'quiet'
}

const solid = { fill: 'currentColor', stroke: 'none' } as const
const drawn = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 1.6,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
} as const

/** A turning ring, a dotted ring, a clock hand, bars, a tick, a cross, a triangle, a bar across. */
function shapeOf(status: string): JSX.Element {
  switch (status) {
    case 'running':
      return (
        <g class="spin">
          <circle cx="8" cy="8" r="5.5" {...drawn} stroke-opacity="0.28" />
          <path d="M8 2.5A5.5 5.5 0 0 1 13.5 8" {...drawn} />
        </g>
      )
    case 'queued':
      return <circle cx="8" cy="8" r="5.5" {...drawn} stroke-dasharray="1.5 3.2" />
    case 'waiting':
      return (
        <g>
          <circle cx="8" cy="8" r="5.5" {...drawn} />
          <path d="M8 5v3.2l2 1.3" {...drawn} />
        </g>
      )
    case 'paused':
      return (
        <g>
          <circle cx="8" cy="8" r="6.3" {...solid} />
          <path d="M6.4 5.8v4.4M9.6 5.8v4.4" {...drawn} stroke="var(--bg-raised)" />
        </g>
      )
    case 'completed':
    case notApplied:
      return (
        <g>
          <circle cx="8" cy="8" r="6.3" {...solid} />
          <path d="M5.2 8.2l2 2 3.6-4.2" {...drawn} stroke="var(--bg-raised)" />
        </g>
      )
    case 'failed':
      return (
        <g>
          <rect x="2" y="2" width="12" height="12" rx="3" {...solid} />
          <path d="M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4" {...drawn} stroke="var(--bg-raised)" />
        </g>
      )
    case 'crashed':
      return (
        <g>
          <path d="M8 1.8 15 14H1z" {...solid} />
          <path d="M8 6.4v3.2M8 11.6h.01" {...drawn} stroke="var(--bg-raised)" />
        </g>
      )
    default:
      return (
        <g>
          <circle cx="8" cy="8" r="5.5" {...drawn} />
          <path d="M5.4 8h5.2" {...drawn} />
        </g>
      )
  }
}

export function StatusIcon({ status, size = 16 }: { status: string; size?: number }): JSX.Element {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      class={`tone-${toneOf(status)}`}
      role="img"
      aria-label={status}
    >
      {shapeOf(status)}
    </svg>
  )
}

export function StatusBadge({ status }: { status: string }): JSX.Element {
  return (
    <span class="badge" data-tone={toneOf(status)}>
      <svg width={14} height={14} viewBox="0 0 16 16" aria-hidden="true">
        {shapeOf(status)}
      </svg>
      {status}
    </span>
  )
}
