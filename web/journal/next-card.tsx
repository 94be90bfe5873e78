/** What a person can type about a loop or group that rests or has ended; nothing where there is nothing to type. */
import type { JSX } from 'preact'
import { CommandLine } from '../parts/copied.tsx'

export function NextCard({ steps }: { steps: string[] }): JSX.Element | null {
  if (steps.length === 0) return null
  return (
    <section class="card">
      <div class="card-head">
        <h2>Next, in a terminal</h2>
      </div>
      <div class="card-body stack tight">
        {steps.map(step => (
          <CommandLine key={step} text={step} />
        ))}
      </div>
    </section>
  )
}
