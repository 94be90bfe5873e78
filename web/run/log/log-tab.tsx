/** The log of a loop: the choice of a run, the conversation of its agent, and beside it the raw output. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { askLoopd } from '../../base/api.ts'
import { useAsked } from '../../base/asked.ts'
import { setQuery, usePlace } from '../../base/router.ts'
import { Choose } from '../../parts/choose.tsx'
import { Empty, Loading } from '../../parts/note.tsx'
import type { LoopView } from '../loop-page.tsx'
import { runsOf } from '../spent.ts'
import { AgentTalk } from './conversation.tsx'
import { RawLog } from './raw-log.tsx'

const shows = [
  ['both', 'Both'],
  ['talk', 'Conversation'],
  ['raw', 'Raw output'],
] as const

const files = [
  ['out', 'out'],
  ['err', 'err'],
] as const

export function LogTab({ journal, state }: LoopView): JSX.Element {
  const { query, anchor } = usePlace()
  const runs = useMemo(() => runsOf(journal.events, state.spec.agent), [journal.events])
  const known = useAsked(`${state.id} ${runs.length}`, signal =>
    askLoopd('runs', { params: { id: state.id } }, signal),
  )
  const wanted = Number(query.get('run'))
  const run = runs.find(one => one.run === wanted) ?? runs.at(-1)
  if (!run) {
    return (
      <Empty title="No agent has run yet">
        {state.spec.session && <p>The work is done in a session of yours; loop starts no agent.</p>}
      </Empty>
    )
  }
  if (known.isLoading) return <Loading what="the log" />
  // An agent that prints plain text has no conversation, only its output.
  const hasTalk = known.value?.find(one => one.run === run.run)?.hasItems ?? false
  const usual = anchor.startsWith('L') ? 'raw' : window.innerWidth >= 1_100 ? 'both' : 'talk'
  const show = hasTalk ? (shows.find(([name]) => name === query.get('show'))?.[0] ?? usual) : 'raw'
  const file = query.get('file') === 'err' ? 'err' : 'out'
  return (
    <div class="stack">
      <div class="row wrap">
        <label class="row">
          <span class="quiet">Run</span>
          <select
            class="input"
            value={String(run.run)}
            onChange={event => setQuery({ run: event.currentTarget.value })}
          >
            {runs.map(one => (
              <option key={one.run} value={String(one.run)}>
                {one.run}: iteration {one.iteration}, {one.agent}
                {one.end === null ? ', running' : one.end === 'exited' ? '' : `, ${one.end}`}
              </option>
            ))}
          </select>
        </label>
        <span class="grow" />
        {show !== 'talk' && (
          <Choose
            label="Which output"
            value={file}
            choices={files}
            choose={name => setQuery({ file: name === 'out' ? '' : name })}
          />
        )}
        {hasTalk && (
          <Choose
            label="How it is shown"
            value={show}
            choices={shows}
            choose={name => setQuery({ show: name })}
          />
        )}
      </div>
      <div class="log-panes" data-show={show}>
        {show !== 'raw' && (
          <section class="card pane" aria-label="Conversation">
            <AgentTalk key={`${state.id}/${run.run}`} id={state.id} run={run.run} />
          </section>
        )}
        {show !== 'talk' && (
          <section class="card pane" aria-label="Raw output">
            <RawLog key={`${state.id}/${run.run}/${file}`} source={{ id: state.id, run: run.run, file }} />
          </section>
        )}
      </div>
    </div>
  )
}
