/** The head of a loop's page: its prompt, its status and reason, the important figures, and the actions. */
import type { JSX } from 'preact'
import { hasJudged } from '../../src/core/loop/summary.ts'
import { formatCost, formatDuration, formatTokens } from '../../src/model/units.ts'
import { timesOf, whyWords } from '../../src/views/text/status.ts'
import { useCell } from '../base/cell.ts'
import { useNow } from '../base/clock.ts'
import { listing } from '../base/list.ts'
import { CostFigure, Figure } from '../journal/figure.tsx'
import { JournalHead } from '../journal/journal-head.tsx'
import { Meter } from '../parts/meter.tsx'
import { LoopActions } from './act/actions.tsx'
import type { LoopView } from './loop-page.tsx'
import { tokensOf } from './spent.ts'

export function LoopHead({ journal, state, summary }: LoopView): JSX.Element {
  const now = useNow()
  const { rows } = useCell(listing)
  const isOrphaned = rows.get(state.id)?.attention === 'orphaned'
  return (
    <JournalHead
      id={state.id}
      group={state.spec.group}
      words={state.spec.prompt}
      actions={<LoopActions journal={journal} state={state} summary={summary} />}
      status={summary.status}
      why={whyWords({ summary, orphaned: isOrphaned }, now)}
    >
      <Figures journal={journal} state={state} summary={summary} now={now} isOrphaned={isOrphaned} />
    </JournalHead>
  )
}

type FiguresProps = LoopView & { now: number; isOrphaned: boolean }

function Figures({ journal, state, summary, now, isOrphaned }: FiguresProps): JSX.Element {
  const { iteration, maxIterations, costUsd, budgetUsd } = summary
  const { elapsedMs, totalMs } = timesOf({ summary, orphaned: isOrphaned }, now)
  const met = Object.values(summary.criteria).filter(one => one.met).length
  const tokens = tokensOf(journal.events)
  return (
    <>
      <Figure name="Iteration" value={`${iteration}`} more={`of ${maxIterations ?? '∞'}`}>
        {maxIterations !== null && <Meter used={iteration} of={maxIterations} label="Iterations used" />}
      </Figure>
      <Figure
        name="Promise"
        value={`${met}/${Object.keys(summary.criteria).length}`}
        more={hasJudged(state) || met > 0 ? 'met' : 'not run yet'}
      />
      <CostFigure
        value={costUsd === null ? (state.work.runs === 0 ? '$0' : 'unknown') : formatCost(costUsd, summary)}
        costUsd={costUsd}
        budgetUsd={budgetUsd}
      />
      <Figure
        name="Tokens"
        value={tokens ? formatTokens(tokens) : '–'}
        more={tokens ? `${formatTokens({ input: 0, cached: tokens.cached, output: 0 })} cached` : ''}
      />
      <Figure
        name="At work"
        value={formatDuration(elapsedMs)}
        more={totalMs - elapsedMs < 1_000 ? '' : `${formatDuration(totalMs)} in all`}
      />
      <Figure name="Agent" value={summary.agent} more={state.spec.model ?? ''} />
    </>
  )
}
