/** The criteria with their evidence: command, exit code, duration, checkpoint, and output. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { criterionStates } from '../../src/core/loop/criteria.ts'
import type { State } from '../../src/core/loop/state.ts'
import type { CriterionSummary, LoopSummary } from '../../src/core/loop/summary.ts'
import type { CriterionResult } from '../../src/model/loop/event.ts'
import { formatDuration } from '../../src/model/units.ts'
import { failureLines } from '../../src/views/text/promise-output.ts'
import { forbiddenVerdicts } from '../../src/views/words/plan.ts'
import { askText } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { coloured } from '../parts/colour.tsx'
import { Icon } from '../parts/icon.tsx'
import { FailureNote, Loading } from '../parts/note.tsx'
import { toneOfVerdict, VerdictIcon } from '../parts/verdict.tsx'

export function CriteriaCard({
  id,
  summary,
  state,
}: {
  id: string
  summary: LoopSummary
  state: State
}): JSX.Element {
  const { mustNot = [], protect = [] } = state.spec
  const commands = new Map(criterionStates(state).map(({ name, command }) => [name, command]))
  return (
    <section class="card">
      <div class="card-head">
        <h2>Criteria</h2>
        <span class="quiet small">loop runs each of them itself</span>
      </div>
      <ul class="criteria">
        {Object.entries(summary.criteria).map(([name, criterion]) => (
          <CriterionRow
            key={name}
            id={id}
            name={name}
            criterion={criterion}
            command={commands.get(name) ?? null}
            result={state.judged.results.find(one => one.name === name)}
          />
        ))}
        {mustNot.map(({ name, command }) => (
          <li key={name} class="criterion">
            <Icon name="stop" size={14} class="tone-quiet" />
            <div class="grow">
              <div>
                must not happen: {name} <ForbiddenWords state={state} name={name} />
              </div>
              <code class="quiet">{command}</code>
            </div>
          </li>
        ))}
        {protect.length > 0 && (
          <li class="criterion">
            <Icon name="file" size={14} class="tone-quiet" />
            <div class="grow">
              protected: <code>{protect.join('  ')}</code>
            </div>
          </li>
        )}
      </ul>
    </section>
  )
}

function ForbiddenWords({ state, name }: { state: State; name: string }): JSX.Element | null {
  const verdict = state.judged.mustNot.find(result => result.name === name)?.verdict
  if (verdict === undefined) return null
  return <span class={verdict === 'FAIL' ? 'quiet' : 'tone-bad'}>({forbiddenVerdicts[verdict]})</span>
}

type RowProps = {
  id: string
  name: string
  criterion: CriterionSummary
  command: string | null
  result: CriterionResult | undefined
}

function CriterionRow({ id, name, criterion, command, result }: RowProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const { verdict, why, verification, evidence, met } = criterion
  return (
    <li class="criterion">
      {verdict === null ? (
        <Icon name={met ? 'check' : 'ask'} size={14} class={met ? 'tone-good' : 'tone-quiet'} />
      ) : (
        <VerdictIcon verdict={verdict} />
      )}
      <div class="grow">
        <div class="row wrap">
          <strong>{name}</strong>
          <span class={`small tone-${verdict === null ? 'quiet' : toneOfVerdict(verdict)}`}>
            {verdict ?? (met ? 'met' : 'not met')}
          </span>
          <span class="small quiet">
            {why}
            {evidence?.failing ? `, ${evidence.failing} failing` : ''}
            {evidence ? `, ${formatDuration(evidence.durationMs)}` : ''}
            {evidence?.checkpoint ? `, in ${evidence.checkpoint}` : ''}
          </span>
          <span class="tag">{verification}</span>
        </div>
        {command !== null && command !== name && <code class="quiet">{command}</code>}
        {result && verdict !== 'PASS' && <Fails result={result} />}
        {isOpen && evidence && <Printed id={id} path={evidence.output} />}
      </div>
      {evidence && (
        <button
          type="button"
          class="button small"
          aria-expanded={isOpen}
          aria-label={`Output of ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          Output
        </button>
      )}
    </li>
  )
}

const mostNamed = 20

/** What fails, by name: where nothing names it, the output says it. */
function Fails({ result }: { result: CriterionResult }): JSX.Element | null {
  if (!result.fails) return null
  return (
    <ul class="fails small" aria-label="What fails">
      {failureLines(result, mostNamed).map(line => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

const mostLines = 400

/** The route names `verify/002-0/out` as `2-0`. */
function Printed({ id, path }: { id: string; path: string }): JSX.Element {
  const [, iteration = '0', criterion = '0'] = /(\d+)-(\d+)\/out$/.exec(path) ?? []
  const verification = `${Number(iteration)}-${Number(criterion)}`
  const got = useAsked(`${id}/${verification}/${path}`, signal =>
    askText('promiseOutput', { params: { id, verification } }, signal),
  )
  if (got.refused) return <FailureNote refused={got.refused} retry={got.reload} />
  if (got.value === null) return <Loading what="the output" />
  const lines = got.value.split('\n')
  const shown = lines.slice(-mostLines)
  return (
    <pre class="printed" tabIndex={0} aria-label="What the criterion printed">
      {lines.length > mostLines && (
        <span class="quiet">
          … {lines.length - mostLines} lines before{'\n'}
        </span>
      )}
      {shown.map((line, i) => (
        <span key={i}>
          {coloured(line)}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
