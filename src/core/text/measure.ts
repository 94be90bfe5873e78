/**
 * The optional measures of a project: problems found by its linter and type checker, and the coverage of its
 * tests; and a metric of the user. A measure that cannot be taken says why and decides nothing. A measure can
 * write into its tree, so it runs in a copy or after the checkpoint.
 */
import type { Facts } from '../../failures/all.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { ProjectCommands } from '../../model/project.ts'
import { countAt, keyOfValue, printedLines } from './printed.ts'
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
  const value = name === 'coverage' ? coverageOf(ran) : problemCount(ran.output, ran.exitCode)
  if (value !== null) return { value }
  const wanted = name === 'coverage' ? 'coverage' : 'problems'
  return { trouble: { kind: 'measure-unrecognised', wanted, exitCode: ran.exitCode } }
}

/** Coverage counts even if tests fail: whether they pass is a separate question. */
function coverageOf({ output, reports = [] }: MeasureRun): number | null {
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

const numberForm = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi
const mostShown = 80

/**
 * The number that the metric's command printed, or what is wrong with it. Strict because the number decides: with a
 * unit (`900ms`, `1.2s`) two values could not be compared, and of several numbers, or several lines of the same form, the
 * meant one is unknown.
 */
export function metricValue(output: string, exitCode: number | null): Measured {
  if (exitCode === null) return { trouble: { kind: 'metric-killed' } }
  if (exitCode !== 0) return { trouble: { kind: 'metric-failed', exitCode } }
  const lines = output.split(/\r?\n/).map(one => one.trim())
  const last = lines.findLast(one => one !== '')
  if (last === undefined) return { trouble: { kind: 'metric-silent' } }
  const line = last.length > mostShown ? `${last.slice(0, mostShown)}…` : last
  if (/\b(?:nan|inf(?:inity)?)\b/i.test(last)) return { trouble: { kind: 'metric-not-finite', line } }
  const found = last.match(numberForm) ?? []
  const [only] = found
  if (only === undefined) return { trouble: { kind: 'metric-without-number', line } }
  if (found.length > 1) return { trouble: { kind: 'metric-with-numbers', line, count: found.length } }
  // A name may precede the number (`score: 12`); a unit may not follow it.
  const before = last.slice(0, last.indexOf(only))
  if (!last.endsWith(only) || /[^\s:=]$/.test(before)) return { trouble: { kind: 'metric-not-alone', line } }
  // What the work prints itself could be taken for the number.
  const alike = lines.filter(one => one.startsWith(before) && isNumber(one.slice(before.length)))
  const isOne = alike.every(one => one === last)
  if (!isOne) return { trouble: { kind: 'metric-repeated', line, count: alike.length } }
  const value = Number(only)
  return Number.isFinite(value) ? { value } : { trouble: { kind: 'metric-too-large', line } }
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

/**
 * The test coverage in percent of lines (of statements, if the tool counts those), read from a report or from a
 * tool's output. Each format is one row. It is exact if the counts are available. Null if the text is not a
 * report, or one about no lines.
 */

/** The percentage; null if the text is in another format. Reports come before printed tables, which are rounded. */
const reports: Record<string, (text: string) => number | null> = {
  /** coverage-summary.json of Istanbul, which c8, nyc, Jest and Vitest write. */
  istanbulSummary(text) {
    if (!/^\s*\{/.test(text)) return null
    try {
      const lines = keyOfValue(keyOfValue(JSON.parse(text), 'total'), 'lines')
      return share(countAt(lines, 'covered'), countAt(lines, 'total'))
    } catch {
      return null // not JSON, or half-written
    }
  },

  /** lcov.info: the lines of each file as `DA:<line>,<hits>`. */
  lcov(text) {
    if (!/^(?:SF:|end_of_record$)/m.test(text)) return null
    let file = ''
    return reached(text, line => {
      if (line.startsWith('SF:')) file = line
      const [, number, hits] = /^DA:(\d+),(\d+)/.exec(line) ?? []
      return number === undefined ? null : { block: `${file}:${number}`, size: 1, hits }
    })
  },

  /** Cobertura XML, written by coverage.py, Istanbul and others: the counts of the root element, or its rate. */
  cobertura(text) {
    const [, attributes] = /<coverage\s([^>]{1,5000})>/.exec(text) ?? []
    if (attributes === undefined) return null
    const number = (name: string) => {
      const form = new RegExp(`(?:^|\\s)${name}\\s*=\\s*["'](\\d+(?:\\.\\d+)?)["']`)
      const [, found] = form.exec(attributes) ?? []
      return found === undefined ? null : Number(found)
    }
    const [valid, covered, rate] = [number('lines-valid'), number('lines-covered'), number('line-rate')]
    if (valid !== null && covered !== null) return share(covered, valid)
    return rate === null ? null : share(rate, 1)
  },

  /** A profile of Go: `file.go:1.2,3.4 <statements> <hits>`. */
  goProfile(text) {
    if (!isGoProfile.test(text)) return null
    return reached(text, line => {
      const [, block, size, hits] = /^(\S.*:\d+\.\d+,\d+\.\d+) (\d+) (\d+)$/.exec(line) ?? []
      return block === undefined ? null : { block, size: Number(size), hits }
    })
  },

  /**
   * The total of `go tool cover -func`, or the line of `go test -cover` for one package. For several packages the
   * result is null, because their lines do not give the size of each.
   */
  goPrinted(text) {
    if (isGoProfile.test(text)) return null
    const [total] = percents(text, /^total:\s+\(statements\)\s+(\d{1,3}\.\d)%$/)
    const packages = percents(text, /^(?:ok|FAIL)?\s.*\scoverage: (\d{1,3}\.\d)% of statements(?: in .*)?$/)
    return total ?? (packages.length === 1 ? packages[0] : null) ?? null
  },

  /** The rounded tables that tools print for people: Istanbul, Node's test runner, coverage.py. */
  table(text) {
    // All files | % Stmts | % Branch | % Funcs | % Lines |
    const istanbul = percents(text, /^All files\s*\|(?:\s*[\d.]+\s*\|){3}\s*(\d{1,3}(?:\.\d+)?)\s*\|/)
    const node = percents(text, /^[#ℹ] all files\s*\|\s*(\d{1,3}(?:\.\d+)?)\s*\|/)
    const python = percents(text, /^TOTAL(?:\s+\d+){2,4}\s+(\d{1,3}(?:\.\d+)?)%$/)
    return istanbul.at(-1) ?? node.at(-1) ?? python.at(-1) ?? null
  },
}

export function coveragePercent(text: string): number | null {
  for (const read of Object.values(reports)) {
    const percent = read(text)
    if (percent !== null) return percent
  }
  return null
}

const isGoProfile = /^mode: (?:set|count|atomic)$/m

/** The share of the blocks that were hit. A block that appears twice counts once, with the hits of both. */
function reached(
  text: string,
  read: (line: string) => { block: string; size: number; hits: string | undefined } | null,
): number | null {
  const blocks = new Map<string, { size: number; isHit: boolean }>()
  for (const line of text.split(/\r?\n/)) {
    const one = read(line)
    if (one === null) continue
    const isHit = Number(one.hits) > 0 || blocks.get(one.block)?.isHit === true
    blocks.set(one.block, { size: one.size, isHit })
  }
  const all = [...blocks.values()]
  const count = (some: typeof all) => some.reduce((sum, { size }) => sum + size, 0)
  return share(count(all.filter(({ isHit }) => isHit)), count(all))
}

/** Nothing to cover gives no percentage. */
function share(covered: number, total: number): number | null {
  return total > 0 && covered >= 0 && covered <= total ? (100 * covered) / total : null
}

function percents(text: string, form: RegExp): number[] {
  return printedLines(text)
    .flatMap(line => form.exec(line)?.[1] ?? [])
    .map(Number)
}
