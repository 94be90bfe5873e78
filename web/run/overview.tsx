/** The overview of a loop: its question, its timeline, its criteria, its charts, its breakers and its set-up. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { history, type Iteration } from '../../src/core/loop/history.ts'
import { timelineOf } from '../../src/core/timeline.ts'
import { formatMoney } from '../../src/model/units.ts'
import { doubtWords } from '../../src/views/words/doubt.ts'
import { nextSteps } from '../../src/views/words/message.ts'
import { NextCard } from '../journal/next-card.tsx'
import { LineChart } from '../parts/chart.tsx'
import { Note } from '../parts/note.tsx'
import { Question } from './act/question.tsx'
import { Suspect } from './act/suspect.tsx'
import { BreakersCard } from './breakers-card.tsx'
import { CriteriaCard } from './criteria-card.tsx'
import type { LoopView } from './loop-page.tsx'
import { SetUpCard } from './set-up-card.tsx'
import { TimelineCard } from './timeline-card.tsx'

export function Overview({ journal, state, summary }: LoopView): JSX.Element {
  const rows = useMemo(() => timelineOf(journal.events), [journal.events])
  const iterations = useMemo(() => history(journal.events), [journal.events])
  const steps = nextSteps(summary)
  const failing = rows.map(row => row.failing)
  const hasFailing = failing.filter(count => count !== null).length > 1
  return (
    <div class="overview">
      <div class="stack overview-main">
        {summary.question !== null &&
          (state.human.question?.suspect ? (
            <Suspect state={state} />
          ) : (
            <Question id={state.id} summary={summary} />
          ))}
        {summary.doubts.length > 0 && (
          <Note tone="warn" icon="warn">
            <p>{doubtWords(summary.doubts)}</p>
          </Note>
        )}
        <TimelineCard id={state.id} rows={rows} iterations={iterations} />
        <CriteriaCard id={state.id} summary={summary} state={state} />
        {hasFailing && (
          <section class="card">
            <div class="card-head">
              <h2>Failing tests</h2>
            </div>
            <div class="card-body">
              <LineChart
                title="Failing tests"
                labels={rows.map(({ n }) => String(n))}
                series={[{ name: 'failing', tone: 'info', values: failing }]}
                format={count => String(Math.round(count))}
              />
            </div>
          </section>
        )}
        <CostCard iterations={iterations} budgetUsd={summary.budgetUsd} />
      </div>
      <div class="stack overview-side">
        <NextCard steps={steps} />
        <BreakersCard summary={summary} />
        <SetUpCard state={state} summary={summary} />
      </div>
    </div>
  )
}

function CostCard({
  iterations,
  budgetUsd,
}: {
  iterations: readonly Iteration[]
  budgetUsd: number | null
}): JSX.Element | null {
  let sum = 0
  const spent = iterations.map(({ spent: { costUsd } }) => {
    sum += costUsd ?? 0
    return costUsd === null && sum === 0 ? null : sum
  })
  if (spent.filter(value => value !== null).length < 2) return null
  return (
    <section class="card">
      <div class="card-head">
        <h2>Cost</h2>
        <span class="quiet small">
          all iterations so far{budgetUsd === null ? '' : `, budget ${formatMoney(budgetUsd)}`}
        </span>
      </div>
      <div class="card-body">
        <LineChart
          title="Cost"
          labels={iterations.map(({ n }) => String(n))}
          series={[{ name: 'cost', tone: 'info', values: spent }]}
          format={formatMoney}
          limit={budgetUsd === null ? null : { value: budgetUsd, label: 'budget' }}
        />
      </div>
    </section>
  )
}
