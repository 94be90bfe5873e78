/** The breakers: the limits that stop a loop, and how near each is. */
import type { JSX } from 'preact'
import type { LoopSummary } from '../../src/core/loop/summary.ts'
import { breakerWords } from '../../src/views/text/status.ts'
import { Meter } from '../parts/meter.tsx'

export function BreakersCard({ summary }: { summary: LoopSummary }): JSX.Element | null {
  if (summary.breakers.length === 0) return null
  return (
    <section class="card">
      <div class="card-head">
        <h2>Breakers</h2>
      </div>
      <ul class="card-body breakers">
        {summary.breakers.map(breaker => (
          <li key={breaker.name}>
            <span class="small">{breakerWords(breaker)}</span>
            {breaker.limit !== null && (
              <Meter used={breaker.count ?? 0} of={breaker.limit} label={breakerWords(breaker)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
