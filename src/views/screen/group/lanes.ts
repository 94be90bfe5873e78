/**
 * The loops of a group side by side, each in a lane: its progress, its last verdict, its changes and its cost. On a
 * narrow screen the lanes are below each other.
 */
import type { GroupState } from '../../../core/group/state.ts'
import type { GroupSummary } from '../../../core/group/summary.ts'
import type { AnySummary } from '../../../core/summary.ts'
import { oneLine } from '../../../core/text/plain-text.ts'
import { formatCost, formatDuration } from '../../../model/units.ts'
import { cutTo, fitTo } from '../../layout/width.ts'
import { timesOf, whyWords } from '../../text/status.ts'
import { formatChanges } from '../../words/message.ts'
import { ink, type Look, sign } from '../look.ts'
import { type NodeLine, nodeMark } from './node-list.ts'

const narrowest = 24

export function laneRows(
  lines: readonly NodeLine[],
  {
    look,
    width,
    now,
    state,
    summary,
  }: { look: Look; width: number; now: number; state: GroupState; summary: GroupSummary },
): string[] {
  const loops = lines.filter(({ node }) => node.kind === 'loop')
  const others = lines.filter(({ node }) => node.kind !== 'loop' && node.stage !== 'planned')
  const lanes = loops.map(line => lane(line, { look, now, state, summary }))
  const columns = Math.max(1, Math.min(loops.length, Math.floor(width / narrowest)))
  const each = Math.floor((width - (columns - 1) * 2) / columns)
  const rows: string[] = []
  for (let at = 0; at < lanes.length; at += columns) {
    const beside = lanes.slice(at, at + columns)
    const height = Math.max(...beside.map(one => one.length))
    for (let i = 0; i < height; i += 1)
      rows.push(
        beside
          .map(one => fitTo(one[i] ?? '', each))
          .join('  ')
          .trimEnd(),
      )
    rows.push('')
  }
  const rest = others.map(line => {
    const mark = nodeMark(line)
    const why = line.node.why === '' ? '' : `: ${oneLine(line.node.why)}`
    return `${ink(look, mark.ink, sign(look, mark.sign))} ${line.node.id} ${ink(look, 'dim', `${mark.word}${why}`)}`
  })
  return [...rows, ...rest]
}

type Facts = { look: Look; now: number; state: GroupState; summary: GroupSummary }

function lane(line: NodeLine, { look, now, state, summary }: Facts): string[] {
  const { node, member } = line
  const mark = nodeMark(line)
  const end = state.nodes.find(one => one.node.id === node.id)?.end ?? null
  const title = ink(look, 'bold', node.id)
  const chosen = summary.winner === node.id || summary.inTree === node.id
  const head = [
    `${title}${chosen ? ` ${ink(look, 'green', `${sign(look, 'chosen')} ${summary.inTree === node.id ? 'in the tree' : 'chosen'}`)}` : ''}`,
    ink(look, mark.ink, `${sign(look, mark.sign)} ${mark.word}`),
  ]
  if (!member) return [...head, ink(look, 'dim', node.why === '' ? '' : oneLine(node.why))]
  const own: AnySummary = member.summary
  const { criteria = {} } = own
  const why = whyWords(member, now)
  const failing = Object.values(criteria).flatMap(({ evidence }) => evidence?.failing ?? [])
  const verdicts = Object.entries(criteria).map(
    ([name, { verdict }]) => `${verdict ?? '–'} ${cutTo(oneLine(name), 30)}`,
  )
  return [
    ...head,
    `loop ${own.id}`,
    `iteration ${own.iteration}/${own.maxIterations ?? '∞'}, ${formatDuration(timesOf(member, now).elapsedMs)}`,
    ...verdicts.map(text => (text.startsWith('PASS') ? ink(look, 'green', text) : text)),
    ...(failing.length > 0 ? [`${failing.reduce((sum, one) => sum + one, 0)} failing`] : []),
    ...(end?.changes ? [formatChanges(end.changes)] : []),
    `cost ${own.costUsd === null ? '–' : formatCost(own.costUsd, own)}`,
    ...(why === '' ? [] : [ink(look, 'dim', oneLine(why))]),
  ]
}
