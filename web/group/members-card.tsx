/** The nodes of a group as lanes: each loop with its own timeline, other nodes with their results. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { NodeState } from '../../src/core/group/state.ts'
import { copySegments, type Segment, timelineOf } from '../../src/core/timeline.ts'
import { formatCost, formatDuration } from '../../src/model/units.ts'
import { useCell } from '../base/cell.ts'
import { useJournal } from '../base/journal.ts'
import { type ListRow, listing } from '../base/list.ts'
import { Sparkline } from '../parts/chart.tsx'
import { Link } from '../parts/link.tsx'
import { StatusIcon } from '../parts/status.tsx'
import { Bars, Legend } from '../run/bars.tsx'
import type { GroupView } from './group-page.tsx'
import { nodeWords, statusOfNode } from './node-words.ts'

const kinds = ['copy', 'checkpoint', 'agent', 'verify', 'wait'] as const

export function MembersCard({ journal, state }: GroupView): JSX.Element {
  const row = useCell(listing).rows.get(state.id)
  const copies = useMemo(() => copySegments(journal.events), [journal.events])
  return (
    <section class="card">
      <div class="card-head">
        <h2>Nodes</h2>
        <span class="grow" />
        <Legend kinds={kinds} />
      </div>
      {state.nodes.length === 0 ? (
        <p class="card-body quiet">Nothing is planned yet.</p>
      ) : (
        <ul class="lanes">
          {state.nodes.map(one => (
            <Lane
              key={one.node.id}
              one={one}
              copies={copies.get(one.node.id) ?? none}
              row={row?.members?.find(({ id }) => id === one.member) ?? null}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

const none: readonly Segment[] = []

type LaneProps = { one: NodeState; copies: readonly Segment[]; row: ListRow | null }

function Lane({ one, copies, row }: LaneProps): JSX.Element {
  const { node, member } = one
  return (
    <li class="lane" data-kind-of={node.kind}>
      <StatusIcon status={row?.status ?? statusOfNode(one)} />
      <div class="clip">
        {member === null ? <span>{node.id}</span> : <Link to={`/loops/${member}`}>{node.id}</Link>}
        <div class="small quiet clip">
          {node.kind === node.id ? '' : node.kind}
          {member !== null && <code> {member}</code>}
        </div>
      </div>
      {member === null ? (
        <span class="small quiet clip lane-words">{nodeWords(one)}</span>
      ) : (
        <LaneTime member={member} copies={copies} isOpen={one.stage !== 'ended' && one.stage !== 'skipped'} />
      )}
      <span class="small quiet clip lane-why">
        {row ? row.reason || row.status : member === null ? '' : nodeWords(one)}
      </span>
      <span class="lane-spark">
        {row && row.failing.length > 1 && <Sparkline values={row.failing} label="failing tests" width={64} />}
      </span>
      <span class="num small lane-figures">
        {row ? `${row.iteration}/${row.maxIterations ?? '∞'}` : ''}
        <span class="quiet">
          {row
            ? formatDuration(row.elapsedMs)
            : one.end?.durationMs === undefined
              ? ''
              : formatDuration(one.end.durationMs)}
        </span>
        <span class="quiet">{row?.costUsd == null ? '' : formatCost(row.costUsd, row)}</span>
      </span>
    </li>
  )
}

type TimeProps = { member: string; copies: readonly Segment[]; isOpen: boolean }

/** The copy of a member and all its iterations, one after the other in one bar. */
function LaneTime({ member, copies, isOpen }: TimeProps): JSX.Element {
  const { events } = useJournal(member, isOpen)
  const segments = useMemo(
    () => [...copies, ...timelineOf(events).flatMap(row => row.segments)],
    [copies, events],
  )
  if (segments.length === 0) return <span class="bars" />
  return <Bars segments={segments} most={null} />
}
