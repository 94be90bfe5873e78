/** The set-up of a loop: directory, agent, limits and checkpoints. */
import type { JSX } from 'preact'
import type { State } from '../../src/core/loop/state.ts'
import type { LoopSummary } from '../../src/core/loop/summary.ts'
import { formatDuration } from '../../src/model/units.ts'

export function SetUpCard({ state, summary }: { state: State; summary: LoopSummary }): JSX.Element {
  const { spec } = state
  const facts: [string, string][] = [
    ['Directory', spec.cwd],
    ['Agent', summary.ran.length > 1 ? summary.ran.join(', ') : summary.agent],
    ...(spec.agentCmd === '' ? [] : ([['Program', spec.agentCmd]] as [string, string][])),
    ['Checkpoints', spec.checkpoint],
    ['Agent timeout', formatDuration(spec.timeoutMs)],
    ['Verify timeout', formatDuration(spec.verifyTimeoutMs)],
    ...(spec.fallbacks
      ? ([['Fallbacks', spec.fallbacks.map(({ agent }) => agent).join(', ')]] as [string, string][])
      : []),
    ...(summary.background ? ([['Background', `${summary.background} priority`]] as [string, string][]) : []),
    ['Created', new Date(state.createdAt).toLocaleString()],
  ]
  return (
    <section class="card">
      <div class="card-head">
        <h2>Set-up</h2>
      </div>
      <dl class="facts card-body small">
        {facts.map(([name, value]) => (
          <div key={name} class="contents">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {spec.agentNotes && spec.agentNotes.length > 0 && (
        <ul class="card-body small quiet notes-list">
          {spec.agentNotes.map(note => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
