/** The head of a group's page: its prompt, its status and reason, and its total cost. */
import type { JSX } from 'preact'
import { isNotApplied } from '../../src/core/attention.ts'
import { formatCost, formatDuration } from '../../src/model/units.ts'
import { programWords } from '../../src/views/words/group.ts'
import { reasonWords } from '../../src/views/words/message.ts'
import { useCell } from '../base/cell.ts'
import { useNow } from '../base/clock.ts'
import { listing } from '../base/list.ts'
import { CostFigure, Figure } from '../journal/figure.tsx'
import { JournalHead } from '../journal/journal-head.tsx'
import { Meter } from '../parts/meter.tsx'
import { notApplied } from '../parts/status.tsx'
import { GroupActions } from './group-actions.tsx'
import type { GroupView } from './group-page.tsx'

export function GroupHead(view: GroupView): JSX.Element {
  const { state, summary } = view
  const now = useNow()
  const row = useCell(listing).rows.get(state.id)
  const costUsd = row?.costUsd ?? summary.costUsd
  const { budgetUsd } = summary
  const ended = summary.outcomeAt ?? summary.endedAt ?? now
  const members = summary.nodes.filter(({ member }) => member !== null)
  return (
    <JournalHead
      id={state.id}
      words={state.spec.name}
      actions={<GroupActions {...view} />}
      status={isNotApplied(summary) ? notApplied : summary.status}
      why={summary.status === 'waiting' ? 'asks you, below' : reasonWords(summary, now)}
    >
      <Figure name="Group" value={programWords(summary)} more="" />
      <Figure name="Nodes" value={`${summary.iteration}`} more={`of ${summary.maxIterations ?? 0} over`}>
        <Meter used={summary.iteration} of={summary.maxIterations ?? 0} label="Nodes that are over" isGoal />
      </Figure>
      <Figure name="Loops" value={`${members.length}`} more="" />
      <CostFigure
        value={costUsd === null ? '–' : formatCost(costUsd, row ?? summary)}
        costUsd={costUsd}
        budgetUsd={budgetUsd}
      />
      <Figure name="Time" value={formatDuration(Math.max(0, ended - state.createdAt))} more="in all" />
      <Figure name="Agent" value={summary.agent === '' ? '–' : summary.agent} more="" />
    </JournalHead>
  )
}
