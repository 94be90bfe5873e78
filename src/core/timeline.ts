/**
 * Where the time of a loop went: a fold of its journal into rows, one for the time before the first iteration (0) and
 * one for each iteration, each with its segments in order. An event marks the end of a segment; without an event for
 * its beginning, a segment begins with the event before.
 *
 *   checkpoint ─▶ agent ─▶ checkpoint ─▶ verify        and wait, wherever the loop rested, waited or was queued
 *
 * The working copy of a member is made before its own journal begins: that segment is in the journal of its group.
 */
import type { GroupRecorded } from '../model/group/event.ts'
import type { EventOf, Recorded, Verdict } from '../model/loop/event.ts'
import { checkpointName } from '../model/units.ts'

/**
 * `end` is null while the segment is under way. `what` is a fact: a checkpoint's name, an agent, a verdict, the
 * reason for waiting.
 */
export type Segment = {
  kind: 'copy' | 'checkpoint' | 'agent' | 'verify' | 'wait'
  begin: number
  end: number | null
  what: string
}

export type TimelineRow = {
  n: number
  verdict: Verdict | null
  /** The number of failing tests over all criteria, if any runner reports it. */
  failing: number | null
  segments: Segment[]
}

type Folding = { rows: TimelineRow[]; agent: string; isHeld: boolean; isOver: boolean; lastAt: number }

export function timelineOf(events: readonly Recorded[]): TimelineRow[] {
  const folding: Folding = { rows: [rowOf(0)], agent: '', isHeld: false, isOver: false, lastAt: 0 }
  for (const event of events) {
    take(folding, event)
    folding.lastAt = event.at
  }
  const open = events.at(-1)
  if (open) stillOpen(folding, open)
  return folding.rows
}

/** The copies that a group has made, by the nodes they were made for. */
export function copySegments(events: readonly GroupRecorded[]): Map<string, Segment[]> {
  const copies = new Map<string, Segment[]>()
  for (const { kind, at, data } of events) {
    if (kind !== 'copy.made') continue
    const made: Segment = { kind: 'copy', begin: at - data.durationMs, end: at, what: data.how }
    copies.set(data.node, [...(copies.get(data.node) ?? []), made])
  }
  return copies
}

function rowOf(n: number): TimelineRow {
  return { n, verdict: null, failing: null, segments: [] }
}

function take(folding: Folding, event: Recorded): void {
  const { rows, lastAt } = folding
  if (event.kind === 'checkpoint.taken' && event.data.name === checkpointName(rows.length))
    rows.push(rowOf(rows.length))
  const row = rows.at(-1)
  if (!row) return
  const add = (segment: Segment) => row.segments.push(segment)
  switch (event.kind) {
    case 'loop.created':
      folding.agent = event.data.spec.agent
      return
    case 'checkpoint.taken': {
      const begin = Math.max(event.at - event.data.durationMs, agentRuns(row) ? 0 : lastAt)
      add({ kind: 'checkpoint', begin, end: event.at, what: event.data.name })
      return
    }
    case 'run.started':
      folding.isOver = false
      folding.agent = event.data.agent ?? folding.agent
      add({ kind: 'agent', begin: event.at, end: null, what: folding.agent })
      return
    case 'run.ended':
    case 'run.lost':
      close(row, 'agent', event.at)
      return
    case 'promise.verified':
      verified(row, event, lastAt)
      return
    case 'wait.started':
      add({ kind: 'wait', begin: event.at, end: null, what: event.data.for })
      return
    case 'wait.ended':
      close(row, 'wait', event.at)
      return
    default:
      rested(folding, row, event)
  }
}

function rested(folding: Folding, row: TimelineRow, event: Recorded): void {
  const rest = (what: string) => {
    close(row, 'wait', event.at)
    if (event.at > folding.lastAt)
      row.segments.push({ kind: 'wait', begin: folding.lastAt, end: event.at, what })
  }
  switch (event.kind) {
    case 'loop.dequeued':
      rest('queued')
      return
    case 'question.answered':
      rest('question')
      return
    case 'loop.held':
      folding.isHeld = true
      return
    case 'loop.resumed':
      folding.isHeld = false
      folding.isOver = false
      if (!event.data.stays) rest('paused')
      return
    case 'loop.completed':
    case 'loop.failed':
    case 'loop.crashed':
    case 'loop.cancelled':
      for (const kind of ['agent', 'wait'] as const) close(row, kind, event.at)
      folding.isOver = true
      return
    default:
  }
}

function verified(
  row: TimelineRow,
  { at, data }: Recorded & EventOf<'promise.verified'>,
  lastAt: number,
): void {
  const all = [...data.results, ...(data.mustNot ?? [])]
  const took = all.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const verdicts = data.results.map(({ verdict }) => verdict)
  row.verdict = (['ERROR', 'FAIL'] as const).find(verdict => verdicts.includes(verdict)) ?? 'PASS'
  const counts = data.results.flatMap(({ failing }) => failing ?? [])
  row.failing = counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
  row.segments.push({
    kind: 'verify',
    begin: Math.max(at - took, Math.min(lastAt, at)),
    end: at,
    what: row.verdict,
  })
}

/** A checkpoint can be taken while the agent runs; then the event before it does not mark its start. */
function agentRuns({ segments }: TimelineRow): boolean {
  return segments.some(({ kind, end }) => kind === 'agent' && end === null)
}

function close({ segments }: TimelineRow, kind: Segment['kind'], at: number): void {
  const open = segments.find(segment => segment.kind === kind && segment.end === null)
  if (open) open.end = at
}

/** The segment that has begun and not ended, where no event records its start. */
function stillOpen({ rows, isHeld, isOver }: Folding, { kind, at, data }: Recorded): void {
  const row = rows.at(-1)
  if (!row || isOver || row.segments.some(({ end }) => end === null)) return
  const begin = at
  const isVerifying = kind === 'checkpoint.taken' && data.name.endsWith('-after')
  if (kind === 'loop.queued') row.segments.push({ kind: 'wait', begin, end: null, what: 'queued' })
  else if (kind === 'question.asked') row.segments.push({ kind: 'wait', begin, end: null, what: 'question' })
  else if (isHeld) row.segments.push({ kind: 'wait', begin, end: null, what: 'paused' })
  else if (isVerifying || kind === 'loop.created')
    row.segments.push({ kind: 'verify', begin, end: null, what: '' })
}
