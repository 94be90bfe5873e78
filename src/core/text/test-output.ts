/**
 * What a test runner has printed: how many tests fail, how many ran, and which failed. All of it is made from the
 * rows of the runners; several runs are added up. Null if no runner is recognised, or if it does not say.
 */

import { errorLine, placeIn } from './failure-words.ts'
import { javascriptRunners } from './javascript-runners.ts'
import { printedLines, sumOrNull } from './printed.ts'
import {
  type FailedTest,
  type FailingTest,
  type FailureReport,
  failedLeafPaths,
  firstSaid,
  howByWords,
  type TestCounts,
} from './runner.ts'
import { otherRunners } from './runners.ts'
import { otherReports, tallied } from './unknown-runner.ts'

/** TAP is first among the runners that are counted line by line: with a plan it can report zero failures. */
const runners = Object.values({ ...javascriptRunners, ...otherRunners })

/** The number of tests that fail; null also if nothing shows that tests were run. */
export function failingCount(text: string): number | null {
  const lines = filledLines(text)
  const told = sumOrNull(summaries(lines).flatMap(({ failed }) => failed ?? []))
  return (
    told ??
    firstOf(
      runners.map(({ failures }) => failures),
      lines,
    )
  )
}

/**
 * The number of tests that ran (passed or failed) and of those that were left out (skipped, to do, deselected,
 * expected to fail). Tests that were left out do not count as run, so removing a test and disabling it have the same
 * effect. A summary of the runner is enough; numbers that have to be counted line by line need the whole output.
 */
export function testCounts(text: string, isWhole: boolean): TestCounts | null {
  const lines = filledLines(text)
  const told = summaries(lines).filter(({ run }) => run !== undefined)
  if (told.length > 0)
    return told.reduce<TestCounts>(
      (sum, { run = 0, skipped = 0 }) => ({ run: sum.run + run, skipped: sum.skipped + skipped }),
      { run: 0, skipped: 0 },
    )
  // A test of Go can print TAP.
  return isWhole ? firstOf(runners.map(({ counts }) => counts).toReversed(), lines) : null
}

export function testTotal(text: string, isWhole: boolean): number | null {
  return testCounts(text, isWhole)?.run ?? null
}

/** The failed tests by name, and how each failed: by an assertion, another error, or a file that could not be loaded. */
export function failedTests(text: string): FailedTest[] | null {
  const found = namedFailures(printedLines(text))
  return found && unique(found, ({ name, file }) => `${file ?? ''}\0${name}`)
}

const mostNamed = 12
const longestName = 150

/** Paths below `tree` are shown from there. Empty if no runner is recognised, or if it names none. */
export function failingTests(text: string, tree = ''): FailingTest[] {
  const shown = whatFails(printedLines(text)).map(({ title, file, place, said }) => ({
    name: title.replace(/^\.\//, '').slice(0, longestName),
    file: fromTree(place?.file ?? file, tree),
    line: place?.line ?? null,
    said: (tree === '' ? said : said.replaceAll(`${tree}/`, '')).slice(0, longestName),
  }))
  return unique(shown, ({ name, file, line }) => `${file ?? ''}\0${line}\0${name}`).slice(0, mostNamed)
}

/** What is not built has no tests that could fail: there, the errors of the compiler are what fails. */
function whatFails(lines: readonly string[]): FailedTest[] {
  const found = namedFailures(lines) ?? []
  const built = found.filter(({ said }) => !/^does not (?:build|compile)$/.test(said))
  if (built.length > 0 && built.length === found.length) return found
  for (const reports of otherReports) {
    const others = reports.filter(({ is }) => lines.some(line => is.test(line)))
    const named = others.flatMap(report => readReport(report, lines))
    if (named.length > 0) return [...built, ...named]
    if (found.length > 0) break
  }
  return found
}

function fromTree(file: string | null, tree: string): string | null {
  const path = file?.replace(/^file:\/\//, '').replace(/^\.\//, '') ?? null
  const isInside = tree !== '' && path?.startsWith(`${tree}/`)
  return (isInside ? path?.slice(tree.length + 1) : path)?.slice(-longestName) ?? null
}

function filledLines(text: string): string[] {
  return printedLines(text).filter(line => line !== '')
}

function summaries(lines: readonly string[]) {
  const known = runners.flatMap(runner => runner.summaries?.(lines) ?? [])
  return known.length > 0 ? known : (tallied.summaries?.(lines) ?? [])
}

function firstOf<T>(
  readers: readonly (((lines: readonly string[]) => T | null) | undefined)[],
  lines: readonly string[],
): T | null {
  for (const read of readers) {
    const found = read?.(lines) ?? null
    if (found !== null) return found
  }
  return null
}

/** Null if no runner is recognised. */
function namedFailures(lines: readonly string[]): FailedTest[] | null {
  let isKnown = false
  const found = runners.flatMap(({ reports = [] }) => {
    const own = reports.filter(({ is }) => lines.some(line => is.test(line)))
    isKnown ||= own.length > 0
    const whole = own.filter(({ isBrief }) => !isBrief).flatMap(report => readReport(report, lines))
    return whole.length > 0
      ? whole
      : own.filter(({ isBrief }) => isBrief).flatMap(one => readReport(one, lines))
  })
  return isKnown ? found : null
}

type Section = { head: RegExpExecArray; above: RegExpExecArray | null; body: string[] }

function readReport(report: FailureReport, lines: readonly string[]): FailedTest[] {
  const found = sections(report, report.arrange?.(lines) ?? lines).flatMap(({ head, above, body }) => {
    const read = report.read(head, body, above)
    if (read === null) return []
    const { name = head[1] ?? '', file = null, said = firstSaid(body), how = howByWords(said) } = read
    const place = placeIn(body, file) ?? read.place ?? null
    return { name, file, how, said: errorLine(said, body), title: read.title ?? name, place }
  })
  // A test that contains others fails because they do.
  const leaves = failedLeafPaths(new Set(found.map(({ name }) => name)))
  return found.filter(({ name }) => leaves.has(name))
}

/** One pass: every line is in one section at most. */
function sections({ after, head, end, above }: FailureReport, lines: readonly string[]): Section[] {
  const from = after ? lines.findIndex(line => after.test(line)) : 0
  const found: Section[] = []
  let open: Section | undefined
  let over: RegExpExecArray | null = null
  for (const line of from === -1 ? [] : lines.slice(from)) {
    const begun = head.exec(line)
    if (begun) found.push((open = { head: begun, above: over, body: [] }))
    else if (end?.test(line)) open = undefined
    else open?.body.push(line)
    over = above?.exec(line) ?? over
  }
  return found
}

/** Removes duplicates: some runners print everything twice. */
function unique<T>(found: readonly T[], key: (one: T) => string): T[] {
  return [...new Map(found.toReversed().map(one => [key(one), one])).values()].toReversed()
}
