/**
 * The nodes of a group, the same for every program: as a list, as a graph, and its loops side by side in lanes, which are
 * below each other on a narrow screen.
 */
import type { GroupState } from '../../core/group/state.ts'
import type { GroupSummary } from '../../core/group/summary.ts'
import type { AnySummary } from '../../core/summary.ts'
import { oneLine } from '../../core/text/plain-text.ts'
import { formatCost, formatDuration } from '../../model/units.ts'
import { cutTo, fitTo } from '../layout/width.ts'
import { type ShownMember, timesOf, whyWords } from '../text/status.ts'
import { formatChanges } from '../words/message.ts'
import { forbiddenVerdicts } from '../words/plan.ts'
import { type Ink, ink, type Look, sign } from './look.ts'

export type NodeLine = { node: GroupSummary['nodes'][number]; member: ShownMember | undefined }

type Mark = { sign: Parameters<typeof sign>[1]; ink: Ink; word: string }

export function nodeMark({ node, member }: NodeLine): Mark {
  const { stage, how, judged } = node
  if (stage === 'planned') return { sign: 'none', ink: 'dim', word: 'planned' }
  if (stage === 'skipped') return { sign: 'none', ink: 'dim', word: 'skipped' }
  if (stage === 'rested') return { sign: 'rest', ink: 'yellow', word: 'rests' }
  if (stage === 'ended') {
    if (judged?.forbidden && judged.verdict !== 'ERROR')
      return judged.verdict === 'FAIL'
        ? { sign: 'pass', ink: 'green', word: forbiddenVerdicts.FAIL }
        : { sign: 'fail', ink: 'red', word: `${forbiddenVerdicts.PASS}, and must not` }
    if (how === 'completed')
      return { sign: 'pass', ink: 'green', word: node.kind === 'loop' ? 'passed' : 'done' }
    return { sign: 'fail', ink: 'red', word: how ?? 'ended' }
  }
  if (node.kind === 'gate') return { sign: 'error', ink: 'yellow', word: 'asks you' }
  const status = member?.summary.status
  if (status === 'waiting' || status === 'queued') return { sign: 'wait', ink: 'yellow', word: status }
  return { sign: 'busy', ink: 'cyan', word: status ?? 'running' }
}

/** `chosen`: the result of this node is in the tree, or will be. */
export function nodeLine(
  line: NodeLine,
  { look, width, chosen, now }: { look: Look; width: number; chosen: boolean; now: number },
): string {
  const { node, member } = line
  const mark = nodeMark(line)
  const word =
    member && node.stage !== 'ended'
      ? `${member.summary.iteration}/${member.summary.maxIterations ?? '∞'}`
      : ''
  const time = member ? formatDuration(timesOf(member, now).elapsedMs) : ''
  const star = chosen ? ink(look, 'green', sign(look, 'chosen')) : ' '
  const left = ` ${ink(look, mark.ink, sign(look, mark.sign).slice(0, 1))}${star}${node.id}`
  const right = [word, time].filter(text => text !== '').join(' ')
  const room = width - right.length - 1
  return room < 12 ? fitTo(left, width) : `${fitTo(left, room)} ${ink(look, 'dim', right)}`
}

/** The graph of a group with the state of each node: a node is below the nodes that it needs, and indented further. */
export function graphRows(lines: readonly NodeLine[], { nodes }: GroupState, look: Look): string[] {
  const needs = new Map(nodes.map(({ node }) => [node.id, node.needs]))
  const depths = new Map<string, number>()
  // A node only needs nodes that were planned before it.
  for (const { node } of nodes)
    depths.set(node.id, Math.max(-1, ...node.needs.map(id => depths.get(id) ?? 0)) + 1)
  return lines.map(line => {
    const { node } = line
    const mark = nodeMark(line)
    const depth = depths.get(node.id) ?? 0
    const branch = depth === 0 ? '' : `${'  '.repeat(depth - 1)}${sign(look, 'last')}${sign(look, 'rule')} `
    const after = needs.get(node.id) ?? []
    const from = after.length > 1 ? `  after ${after.join(', ')}` : ''
    const why = node.why === '' ? '' : `: ${oneLine(node.why)}`
    const words = `${mark.word}${why}${from}`
    return `${ink(look, 'dim', branch)}${ink(look, mark.ink, sign(look, mark.sign))} ${node.id} ${ink(look, 'dim', words)}`
  })
}

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
