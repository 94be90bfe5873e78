/**
 * A plan on the screen: its stage, its tasks by wave with their state, its criteria, and the findings of its reviews, as
 * a list and each in full. The answer to a finding is asked for by the keys of the screen.
 */
import type { GroupState } from '../../core/group/state.ts'
import { outlineOf, type PlanOutline } from '../../core/plan/outline.ts'
import { oneLine } from '../../core/text/plain-text.ts'
import { formatCost, formatDuration } from '../../model/units.ts'
import { folded } from '../layout/columns.ts'
import { bothEnds, cutTo, fitTo, textWidth } from '../layout/width.ts'
import { roundsOf } from '../plan/review.ts'
import { timesOf } from '../text/status.ts'
import { type Ink, ink, type Look, sign } from './look.ts'
import { type NodeLine, nodeMark } from './nodes.ts'

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

type Found = ReturnType<typeof roundsOf>[number]['findings'][number]

/** `isGone`: a later round no longer found it. */
export type FindingRow = Found & { round: number; isGone: boolean }

function findingRows(state: GroupState): FindingRow[] {
  const rounds = roundsOf(state)
  const last = rounds.at(-1)
  const seen = new Set<string>()
  return rounds.toReversed().flatMap(({ round, findings }) =>
    findings.flatMap(one => {
      if (seen.has(one.id)) return []
      seen.add(one.id)
      return [{ ...one, round, isGone: round !== last?.round }]
    }),
  )
}

type Mark = { sign: Parameters<typeof sign>[1]; ink: Ink }

function markOf({ severity, resolved, isGone }: FindingRow): Mark {
  if (isGone || resolved === 'approve' || resolved === 'skip') return { sign: 'pass', ink: 'dim' }
  if (severity === 'BLOCKER') return { sign: 'fail', ink: 'red' }
  return severity === 'WARNING' ? { sign: 'error', ink: 'yellow' } : { sign: 'none', ink: 'dim' }
}

/** One finding as a row of the list. */
export function findingLine(finding: FindingRow, look: Look, width: number): string {
  const mark = markOf(finding)
  const { file, line } = finding
  return fitTo(` ${ink(look, mark.ink, sign(look, mark.sign).slice(0, 1))} ${oneLine(file)}:${line}`, width)
}

/** One finding in full. */
export function findingDetail(finding: FindingRow, look: Look, width: number): string[] {
  const { id, severity, round, file, line, quote, problem, fix, makers } = finding
  const mark = markOf(finding)
  const quoted = quote.trimEnd().split('\n').slice(0, 12).map(oneLine)
  return [
    `${ink(look, mark.ink, severity)}  ${oneLine(file)}:${line}  ${ink(look, 'dim', `${id}, review ${round}`)}`,
    '',
    ...quoted.map(row => `  ${ink(look, 'dim', sign(look, 'bar'))} ${row}`),
    '',
    ...folded(oneLine(problem), width),
    ...folded(`Fix: ${oneLine(fix)}`, width),
    '',
    ...folded(standingWords(finding), width).map(row => ink(look, 'dim', row)),
    ...folded(`found by ${makers.join(', ')}`, width).map(row => ink(look, 'dim', row)),
    '',
    ...folded(decisionWords(finding), width),
  ]
}

function standingWords({ grounds, claimed, severity, isGone }: FindingRow): string {
  if (grounds.length > 0) return `${isGone ? 'it stood' : 'it stands'}: ${grounds.join(', ')}`
  return claimed === severity ? 'without a second look' : `said to be a ${claimed}, and not confirmed`
}

function decisionWords({ isGone, resolved, severity }: FindingRow): string {
  const made = {
    approve: 'A person has approved it: it stays as it is.',
    skip: 'A person has skipped it: it stays as it is.',
    task: 'A person wants it mended: it becomes a task.',
    discuss: 'A person has said something about it: the next review is told.',
  }
  if (isGone) return 'The last review no longer found it.'
  if (resolved) return made[resolved]
  return severity === 'BLOCKER'
    ? 'Nobody has decided: it becomes a task. Enter: approve, task, discuss, skip.'
    : 'Nobody has decided about it. Enter: approve, task, discuss, skip.'
}

/** `1 blocker stands, 2 warnings`; empty without findings. */
function findingCounts(findings: readonly FindingRow[]): string {
  const open = findings.filter(({ isGone }) => !isGone)
  const words: [string, string][] = [
    ['BLOCKER', 'blocker'],
    ['WARNING', 'warning'],
    ['SUGGESTION', 'suggestion'],
  ]
  return words
    .flatMap(([severity, word]) => {
      const many = open.filter(one => one.severity === severity).length
      return many === 0 ? [] : [`${many} ${word}${many === 1 ? '' : 's'}`]
    })
    .join(', ')
}
