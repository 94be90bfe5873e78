/** The used part of a limit, as a thin bar. It changes colour near the end, unless reaching the end is the aim. */
import type { JSX } from 'preact'

type Props = { used: number; of: number; label: string; isGoal?: boolean }

export function Meter({ used, of, label, isGoal = false }: Props): JSX.Element {
  const part = of <= 0 ? 0 : Math.min(1, used / of)
  const tone = isGoal ? undefined : part >= 1 ? 'bad' : part >= 0.8 ? 'warn' : undefined
  return (
    <span
      class="meter"
      data-tone={tone}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={Math.min(used, of)}
    >
      <span style={{ width: `${part * 100}%` }} />
    </span>
  )
}
