/**
 * A plan on the screen: its stage, its tasks by wave with their state, its criteria, and the findings of its reviews.
 */
import type { GroupState } from '../../../core/group/state.ts'
import { outlineOf, type PlanOutline } from '../../../core/plan/outline.ts'
import { oneLine } from '../../../core/text/plain-text.ts'
import { formatCost, formatDuration } from '../../../model/units.ts'
import { bothEnds, cutTo, textWidth } from '../../layout/width.ts'
import { timesOf } from '../../text/status.ts'
import { ink, type Look, sign } from '../look.ts'
import { type FindingRow, findingCounts, findingRows } from './findings.ts'
import { type NodeLine, nodeMark } from './node-list.ts'

export type PlanSight = { outline: PlanOutline; findings: FindingRow[] }

/** Made once for each change, since it goes through all nodes. */
export function planSight(state: GroupState): PlanSight | null {
  return state.spec.program === 'plan' ? { outline: outlineOf(state), findings: findingRows(state) } : null
}

type Scene = { lines: readonly NodeLine[]; look: Look; width: number; now: number }

export function planRows({ outline, findings }: PlanSight, scene: Scene): string[] {
  const { look, width } = scene
  const waves = [...new Set(outline.tasks.map(({ wave }) => wave))].sort((a, b) => a - b)
  const found = findingCounts(findings)
  return [
    ...stageRows(outline, look, width),
    '',
    ...(waves.length === 0 ? [ink(look, 'dim', 'There are no tasks yet.')] : []),
    ...waves.flatMap(wave => [
      bothEnds(ink(look, 'bold', `Wave ${wave}`), ink(look, 'dim', waveWords(outline, wave)), width),
      ...outline.tasks.filter(task => task.wave === wave).map(task => taskRow(task, scene)),
    ]),
    ...(outline.criteria.length > 0 ? ['', ink(look, 'bold', 'Criteria')] : []),
    ...outline.criteria.map(({ name, met, command, by }) => {
      const mark = met ? ink(look, 'green', sign(look, 'pass')) : ink(look, 'dim', sign(look, 'none'))
      const how = by === null ? (command ?? 'a person says so') : `said by ${by}`
      return cutTo(` ${mark} ${oneLine(name)}  ${ink(look, 'dim', oneLine(how))}`, width)
    }),
    ...(found === '' ? [] : ['', `${ink(look, 'bold', 'Reviews')}  ${found}  ${ink(look, 'dim', '(2)')}`]),
  ]
}

const stages = ['intent', 'shape', 'decompose', 'executing', 'review', 'complete'] as const

/** In as many rows as they need: none of them is cut. */
function stageRows({ stage }: PlanOutline, look: Look, width: number): string[] {
  const now = stages.indexOf(stage)
  const words = stages.map((name, i) => {
    if (i < now || stage === 'complete')
      return `${ink(look, 'green', sign(look, 'pass'))} ${ink(look, 'dim', name)}`
    if (i > now) return ink(look, 'dim', `${sign(look, 'none')} ${name}`)
    return ink(look, 'cyan', `${sign(look, 'busy')} ${name}`)
  })
  const rows: string[] = []
  for (const word of words) {
    const row = rows.at(-1)
    if (row === undefined || textWidth(row) + 2 + textWidth(word) > width) rows.push(word)
    else rows[rows.length - 1] = `${row}  ${word}`
  }
  return rows
}

function waveWords({ waves }: PlanOutline, wave: number): string {
  const review = waves.find(one => one.wave === wave)
  if (!review) return ''
  const issues = review.issues === 0 ? '' : `, ${review.issues} ${review.issues === 1 ? 'issue' : 'issues'}`
  return `review ${review.score}/10${issues}`
}

/** A task: its state and the activity of its loop, then the time and cost so far. */
function taskRow(task: PlanOutline['tasks'][number], { lines, look, width, now }: Scene): string {
  const { id, subject, status, blockedBy } = task
  const line = lines.find(({ node }) => node.id === id)
  const mark = line ? nodeMark(line) : ({ sign: 'none', ink: 'dim', word: 'planned' } as const)
  const summary = line?.member?.summary
  const isDone = status === 'completed'
  const word = isDone ? '' : mark.word === 'passed' ? 'to be brought in' : mark.word
  const after = status === 'pending' && blockedBy.length > 0 ? `after ${blockedBy.join(', ')}` : word
  const facts = [
    after,
    ...(summary ? [`${summary.iteration}/${summary.maxIterations ?? '∞'}`] : []),
    ...(line?.member ? [formatDuration(timesOf(line.member, now).elapsedMs)] : []),
    ...(summary && summary.costUsd !== null ? [formatCost(summary.costUsd, summary)] : []),
  ].filter(text => text !== '')
  const tick = isDone ? ink(look, 'green', sign(look, 'pass')) : ink(look, mark.ink, sign(look, mark.sign))
  return bothEnds(` ${tick} ${id}  ${oneLine(subject)}`, ink(look, 'dim', facts.join('  ')), width)
}
