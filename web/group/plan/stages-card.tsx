/** The state of a plan: its stages, its score, and its criteria with the evidence for each. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { GroupState } from '../../../src/core/group/state.ts'
import { autonomyOf, scoreIn } from '../../../src/core/plan/intent.ts'
import { outlineOf, type PlanOutline } from '../../../src/core/plan/outline.ts'
import { planOf } from '../../../src/core/plan/read.ts'
import { shapeWords } from '../../../src/views/words/message.ts'
import { Icon } from '../../parts/icon.tsx'

const stages: readonly [PlanOutline['stage'], string][] = [
  ['intent', 'Intent'],
  ['shape', 'Shape'],
  ['decompose', 'Tasks'],
  ['executing', 'Work'],
  ['review', 'Review'],
  ['complete', 'Done'],
]

export function StagesCard({ state }: { state: GroupState }): JSX.Element {
  const outline = useMemo(() => outlineOf(state), [state])
  const at = stages.findIndex(([name]) => name === outline.stage)
  return (
    <section class="card" aria-label="Where the plan stands">
      <ol class="stages">
        {stages.map(([name, words], i) => {
          const how = i < at || outline.stage === 'complete' ? 'done' : i === at ? 'now' : 'open'
          return (
            <li key={name} data-how={how} aria-current={how === 'now' ? 'step' : undefined}>
              <span class="stage-mark">{how === 'done' ? <Icon name="check" size={12} /> : i + 1}</span>
              {words}
              {how === 'done' && <span class="unseen"> (done)</span>}
            </li>
          )
        })}
      </ol>
      <div class="card-body plan-facts">
        <Judged state={state} outline={outline} />
        <Criteria outline={outline} />
      </div>
    </section>
  )
}

const workflowWords = { A: 'build', B: 'debug', C: 'refactor' } as const

function Judged({ state, outline }: { state: GroupState; outline: PlanOutline }): JSX.Element {
  const { workflow, reversibility } = planOf(state)
  const { score, fit } = scoreIn(state)
  const shape = autonomyOf(state)
  return (
    <dl class="facts">
      <dt>Scored</dt>
      <dd>
        {shapeWords({ shape, score })}, fit {fit}
      </dd>
      <dt>Kind</dt>
      <dd>
        {workflowWords[workflow]}, Type {reversibility}
      </dd>
      {outline.shape && (
        <>
          <dt>Goal</dt>
          <dd>{outline.shape.goal}</dd>
        </>
      )}
      {outline.confidence !== null && (
        <>
          <dt>Reviewers</dt>
          <dd>{outline.confidence} % sure</dd>
        </>
      )}
    </dl>
  )
}

function Criteria({ outline: { criteria, shape } }: { outline: PlanOutline }): JSX.Element {
  if (criteria.length === 0) return <p class="quiet">Its criteria are named once the work has a shape.</p>
  return (
    <ul class="stack tight" aria-label="Criteria of the plan">
      {criteria.map(({ name, command, met, by }) => (
        <li key={name} class="row plan-criterion">
          <Icon name={met ? 'check' : 'info'} size={14} class={met ? 'tone-good' : 'tone-quiet'} />
          <span>
            {name} <span class="quiet small">{met ? `met${by === null ? '' : `, by ${by}`}` : 'open'}</span>
            {command !== null && <code class="small quiet plan-command">{command}</code>}
          </span>
        </li>
      ))}
      {(shape?.mustNot ?? []).map(({ name, command }) => (
        <li key={`not ${name}`} class="row plan-criterion">
          <Icon name="stop" size={14} class="tone-quiet" />
          <span>
            {name} <span class="quiet small">must not happen</span>
            <code class="small quiet plan-command">{command}</code>
          </span>
        </li>
      ))}
    </ul>
  )
}
