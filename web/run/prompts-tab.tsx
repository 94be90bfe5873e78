/** The exact prompt of each run, as the agent got it. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { formatBytes } from '../../src/model/units.ts'
import { askText } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { setQuery, usePlace } from '../base/router.ts'
import { CopyButton } from '../parts/copied.tsx'
import { Empty, FailureNote, Loading } from '../parts/note.tsx'
import type { LoopView } from './loop-page.tsx'
import { runsOf } from './spent.ts'

export function PromptsTab({ journal, state }: LoopView): JSX.Element {
  const { query } = usePlace()
  const runs = useMemo(() => runsOf(journal.events, state.spec.agent), [journal.events])
  const run = runs.find(one => String(one.run) === query.get('run')) ?? runs.at(-1)
  if (!run) return <Empty title="No agent has been asked anything yet" />
  return (
    <div class="stack">
      <label class="row">
        <span class="quiet">Run</span>
        <select
          class="input auto"
          value={String(run.run)}
          onChange={event => setQuery({ run: event.currentTarget.value })}
        >
          {runs.map(one => (
            <option key={one.run} value={String(one.run)}>
              {one.run}: iteration {one.iteration}, {one.agent}, {formatBytes(one.promptBytes)}
            </option>
          ))}
        </select>
      </label>
      <PromptText key={run.run} id={state.id} run={run.run} />
    </div>
  )
}

function PromptText({ id, run }: { id: string; run: number }): JSX.Element {
  const got = useAsked(`${id}/${run}`, signal =>
    askText('file', { params: { id, run: String(run), file: 'prompt' } }, signal),
  )
  if (got.refused) return <FailureNote refused={got.refused} retry={got.reload} />
  if (got.value === null) return <Loading what="the prompt" />
  return (
    <section class="card" aria-label="Prompt">
      <div class="card-head">
        <h2 class="grow">Exactly what the agent was told</h2>
        <CopyButton text={got.value} label="Copy the prompt" />
      </div>
      <pre class="printed tall" tabIndex={0} aria-label="The prompt">
        {got.value}
      </pre>
    </section>
  )
}
