/**
 * The findings of a plan's reviews: the list, newest round first, and one finding in full with its evidence. The answer
 * to a finding is asked for by the keys of the screen.
 */
import type { GroupState } from '../../../core/group/state.ts'
import { oneLine } from '../../../core/text/plain-text.ts'
import { folded } from '../../layout/columns.ts'
import { fitTo } from '../../layout/width.ts'
import { roundsOf } from '../../plan/review.ts'
import { type Ink, ink, type Look, sign } from '../look.ts'

type Found = ReturnType<typeof roundsOf>[number]['findings'][number]

/** `isGone`: a later round no longer found it. */
export type FindingRow = Found & { round: number; isGone: boolean }

export function findingRows(state: GroupState): FindingRow[] {
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
export function findingCounts(findings: readonly FindingRow[]): string {
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
