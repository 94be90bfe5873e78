/** One loop or group in the list. */
import type { JSX } from 'preact'
import { formatAge, formatCost, formatDuration, formatMoney } from '../../src/model/units.ts'
import { directoryWords } from '../../src/views/text/loop-table.ts'
import { useNow } from '../base/clock.ts'
import type { ListRow } from '../base/list.ts'
import { Sparkline } from '../parts/chart.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Meter } from '../parts/meter.tsx'
import { notApplied, StatusIcon, toneOf } from '../parts/status.tsx'

type Props = { row: ListRow; isMember: boolean; isChosen: boolean; isOpen: boolean; toggle(id: string): void }

export function LoopRow({ row, isMember, isChosen, isOpen, toggle }: Props): JSX.Element {
  const { id, prompt, reason, kind, members = [], node } = row
  const status = row.attention === 'not-applied' ? notApplied : row.status
  const isGroup = kind === 'group'
  return (
    <div
      class="loop-row"
      data-member={isMember}
      data-chosen={isChosen}
      data-attention={row.section === 'attention' && !isMember}
    >
      <span class="loop-fold">
        {isGroup && members.length > 0 && (
          <button
            type="button"
            class="button plain icon small"
            aria-expanded={isOpen}
            aria-label={`Members of ${id}`}
            onClick={() => toggle(id)}
          >
            <Icon name={isOpen ? 'down' : 'chevron'} size={12} />
          </button>
        )}
      </span>
      <StatusIcon status={status} />
      <div class="loop-words">
        <Link to={`/loops/${id}`} class="loop-title clip">
          {isMember ? (node ?? prompt) : prompt}
        </Link>
        <div class="loop-more clip">
          <code>{id}</code>
          {isGroup && <span class="tag">{row.program}</span>}
          <span>{row.agent}</span>
          {!isMember && <span class="clip">{directoryWords(row.cwd, { here: null, home: null })}</span>}
        </div>
      </div>
      <div class="loop-reason clip" title={reason}>
        <span class={`tone-${toneOf(status)}`}>{status}</span>
        {reason !== '' && <span class="quiet clip"> {reason}</span>}
      </div>
      <FailingCell row={row} />
      <span class="loop-iteration num" title={isGroup ? 'Nodes that are over' : 'Iterations'}>
        {row.iteration}
        <span class="tone-quiet">/{row.maxIterations ?? '∞'}</span>
      </span>
      <CostCell row={row} />
      <TimeCell row={row} />
    </div>
  )
}

function FailingCell({ row: { failing = [] } }: { row: ListRow }): JSX.Element {
  const last = failing.findLast(count => count !== null)
  return (
    <span class="loop-failing">
      {failing.length > 1 && (
        <Sparkline values={failing} label={last == null ? 'failing tests' : `${last} failing`} />
      )}
    </span>
  )
}

function CostCell({ row }: { row: ListRow }): JSX.Element {
  const { costUsd, budgetUsd } = row
  return (
    <span class="loop-cost num" title={budgetUsd === null ? 'Cost' : `Cost, of ${formatMoney(budgetUsd)}`}>
      {costUsd === null ? <span class="tone-quiet">–</span> : formatCost(costUsd, row)}
      {costUsd !== null && budgetUsd !== null && <Meter used={costUsd} of={budgetUsd} label="Budget used" />}
    </span>
  )
}

/** The time of a running loop is counted on here: the row has the time as it was when the row arrived. */
function TimeCell({ row }: { row: ListRow }): JSX.Element {
  const now = useNow()
  const running = row.status === 'running' ? Math.max(0, now - (received.get(row) ?? remember(row))) : 0
  return (
    <span class="loop-time num">
      {formatDuration(row.elapsedMs + running)}
      <span class="tone-quiet small">{formatAge(now - row.createdAt)} ago</span>
    </span>
  )
}

const received = new WeakMap<ListRow, number>()

function remember(row: ListRow): number {
  const now = Date.now()
  received.set(row, now)
  return now
}
