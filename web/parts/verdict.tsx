/** The verdict of a promise as a shape and a colour. */
import type { JSX } from 'preact'
import type { Verdict } from '../../src/model/loop/event.ts'
import { Icon } from './icon.tsx'
import type { Tone } from './status.tsx'

export function toneOfVerdict(verdict: Verdict | null): Tone {
  return verdict === null ? 'quiet' : ({ PASS: 'good', FAIL: 'bad', ERROR: 'warn' } as const)[verdict]
}

const icons = { PASS: 'check', FAIL: 'cross', ERROR: 'warn' } as const

export function VerdictIcon({ verdict }: { verdict: Verdict | null }): JSX.Element {
  return (
    <Icon
      name={verdict === null ? 'info' : icons[verdict]}
      size={14}
      class={`tone-${toneOfVerdict(verdict)}`}
    />
  )
}
