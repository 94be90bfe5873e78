/**
 * The optional measures of a project: problems found by its linter and type checker, and the coverage of its
 * tests. A measure that cannot be taken says why and decides nothing. A measure can write into its tree, so it
 * runs in a copy or after the checkpoint.
 */
import type { Facts } from '../../../failures/all.ts'
import type { ProjectCommands } from '../../../model/project.ts'
import { coveragePercent } from './coverage.ts'
import { problemCount } from './problems.ts'

export type Measure = {
  name: 'lint' | 'types' | 'coverage'
  command: string
  /** The files that name the command, shown beside it. */
  because: string
  /** The report files that the command writes, most exact first; if it wrote none of them, its output is read. */
  reads: 'output' | readonly string[]
  better: 'less' | 'more'
  timeoutMs: number
}

/** The result of the command; `reports` are the texts of the report files that this run has written. */
type MeasureRun = {
  exitCode: number | null
  timedOut: boolean
  output: string
  reports?: readonly string[]
}

type Measured = { value: number } | { trouble: Facts }

const lintMs = 300_000
/** Coverage runs all tests, so it gets a long timeout. */
const coverageMs = 600_000

export function measuresFor({ lint, types, coverage }: ProjectCommands): Measure[] {
  const problems = (name: 'lint' | 'types', found: typeof lint): Measure[] =>
    found ? [{ name, ...saidOf(found), reads: 'output', better: 'less', timeoutMs: lintMs }] : []
  const reads = coverage?.reports ?? 'output'
  return [
    ...problems('lint', lint),
    ...problems('types', types?.command === lint?.command ? null : types),
    ...(coverage
      ? [{ name: 'coverage', ...saidOf(coverage), reads, better: 'more', timeoutMs: coverageMs } as const]
      : []),
  ]
}

function saidOf({ command, because }: { command: string; because: string }) {
  return { command, because }
}

/** The number of a measure, or the reason why there is none. */
export function readMeasure(
  { name, timeoutMs }: Pick<Measure, 'name' | 'timeoutMs'>,
  ran: MeasureRun,
): Measured {
  if (ran.timedOut) return { trouble: { kind: 'measure-overdue', ms: timeoutMs } }
  if (ran.exitCode === null) return { trouble: { kind: 'measure-killed' } }
  const value = name === 'coverage' ? covered(ran) : problemCount(ran.output, ran.exitCode)
  if (value !== null) return { value }
  const wanted = name === 'coverage' ? 'coverage' : 'problems'
  return { trouble: { kind: 'measure-unrecognised', wanted, exitCode: ran.exitCode } }
}

/** Coverage counts even if tests fail: whether they pass is a separate question. */
function covered({ output, reports = [] }: MeasureRun): number | null {
  for (const text of [...reports, output]) {
    const percent = coveragePercent(text)
    if (percent !== null) return percent
  }
  return null
}
