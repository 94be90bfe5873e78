/**
 * Where the time went: one row for each iteration, its segments as bars that can be read aloud, focused and clicked.
 */
import type { JSX } from 'preact'
import type { Iteration } from '../../src/core/loop/history.ts'
import type { TimelineRow } from '../../src/core/timeline.ts'
import { formatDuration } from '../../src/model/units.ts'
import { formatChanges } from '../../src/views/words/message.ts'
import { useNow } from '../base/clock.ts'
import { Link } from '../parts/link.tsx'
import { toneOfVerdict, VerdictIcon } from '../parts/verdict.tsx'
import { Bars, Legend, longest } from './bars.tsx'

type Props = { id: string; rows: readonly TimelineRow[]; iterations: readonly Iteration[] }

const kinds = ['checkpoint', 'agent', 'verify', 'wait'] as const

export function TimelineCard({ id, rows, iterations }: Props): JSX.Element {
  const shown = rows.filter(({ segments }) => segments.length > 0)
  const most = longest(shown.map(({ segments }) => segments))
  return (
    <section class="card">
      <div class="card-head">
        <h2>Timeline</h2>
        <span class="grow" />
        <Legend kinds={kinds} />
      </div>
      {shown.length === 0 ? (
        <p class="card-body quiet">Nothing has happened yet.</p>
      ) : (
        <ol class="timeline" aria-label="Iterations">
          {shown.map(row => (
            <TimelineLine
              key={row.n}
              id={id}
              row={row}
              iteration={iterations.find(({ n }) => n === row.n) ?? null}
              most={most}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

type LineProps = { id: string; row: TimelineRow; iteration: Iteration | null; most: number }

function TimelineLine({ id, row, iteration, most }: LineProps): JSX.Element {
  const now = useNow()
  const total = row.segments.reduce((sum, { begin, end }) => sum + Math.max(0, (end ?? now) - begin), 0)
  const name = row.n === 0 ? 'Start' : `${row.n}`
  const run = iteration?.runs.at(-1)?.dir.split('/').at(-1)
  return (
    <li class="timeline-row">
      <span class="timeline-n num">
        {row.n > 0 && <span class="unseen">Iteration </span>}
        {run === undefined ? name : <Link to={`/loops/${id}/log?run=${run}`}>{name}</Link>}
      </span>
      <Bars segments={row.segments} most={most} />
      <span class="timeline-changes num small quiet clip">
        {iteration?.changes ? (
          <Link to={`/loops/${id}/changes?from=${iteration.checkpoint}&to=${iteration.after ?? ''}`}>
            {formatChanges(iteration.changes)}
          </Link>
        ) : (
          ''
        )}
      </span>
      <span class={`timeline-verdict small tone-${toneOfVerdict(row.verdict)}`}>
        {row.verdict !== null && <VerdictIcon verdict={row.verdict} />}
        {row.verdict ?? ''}
        {row.failing !== null && row.failing > 0 && <span class="quiet num"> {row.failing} failing</span>}
      </span>
      <span class="num small quiet timeline-total">{formatDuration(total)}</span>
    </li>
  )
}
