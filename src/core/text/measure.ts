/**
 * The optional measures of a project: problems found by its linter and type checker, and the coverage of its
 * tests; and a metric of the user. A measure that cannot be taken says why and decides nothing. A measure can
 * write into its tree, so it runs in a copy or after the checkpoint.
 */
import type { Facts } from '../../failures/all.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { ProjectCommands } from '../../model/project.ts'
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

/** `min:<command>` or `max:<command>`, whose last line of output is a number. */
type Metric = { better: 'less' | 'more'; command: string }

export function parseMetric(text: string): Result<Metric> {
  const [, which, command = ''] = /^(min|max):([\s\S]*)$/.exec(text) ?? []
  if (which !== undefined && command.trim() !== '')
    return ok({ better: which === 'min' ? 'less' : 'more', command: command.trim() })
  return fail('invalid-arguments', { kind: 'bad-metric', text })
}

const number = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi
const mostShown = 80

/**
 * The number that the metric's command printed, or what is wrong with it. Strict because the number decides: with a
 * unit (`900ms`, `1.2s`) two values could not be compared, and of several numbers the meant one is unknown.
 */
export function metricValue(output: string, exitCode: number | null): Measured {
  if (exitCode === null) return { trouble: { kind: 'metric-killed' } }
  if (exitCode !== 0) return { trouble: { kind: 'metric-failed', exitCode } }
  const last = output
    .split(/\r?\n/)
    .findLast(one => one.trim() !== '')
    ?.trim()
  if (last === undefined) return { trouble: { kind: 'metric-silent' } }
  const line = last.length > mostShown ? `${last.slice(0, mostShown)}…` : last
  if (/\b(?:nan|inf(?:inity)?)\b/i.test(last)) return { trouble: { kind: 'metric-not-finite', line } }
  const found = last.match(number) ?? []
  const [only] = found
  if (only === undefined) return { trouble: { kind: 'metric-without-number', line } }
  if (found.length > 1) return { trouble: { kind: 'metric-with-numbers', line, count: found.length } }
  // A name may precede the number (`score: 12`); a unit may not follow it.
  const before = last.slice(0, last.indexOf(only))
  if (!last.endsWith(only) || /[^\s:=]$/.test(before)) return { trouble: { kind: 'metric-not-alone', line } }
  const value = Number(only)
  return Number.isFinite(value) ? { value } : { trouble: { kind: 'metric-too-large', line } }
}
