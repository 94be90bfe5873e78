/**
 * What a test runner has printed: how many tests fail, how many ran, and which failed. All of it is made from the
 * rows of the runners; several runs are added up. Null if no runner is recognised, or if it does not say.
 */
import { javascriptRunners } from './javascript-runners.ts'
import { printedLines, sumOrNull } from './printed.ts'
import { type FailedTest, type FailureReport, firstSaid, howByWords, type TestCounts } from './runner.ts'
import { otherRunners } from './runners.ts'

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
  const lines = printedLines(text)
  const known = runners
    .flatMap(({ reports }) => reports ?? [])
    .filter(({ is }) => lines.some(line => is.test(line)))
  return known.length === 0 ? null : known.flatMap(report => readReport(report, lines))
}

function filledLines(text: string): string[] {
  return printedLines(text).filter(line => line !== '')
}

function summaries(lines: readonly string[]) {
  return runners.flatMap(runner => runner.summaries?.(lines) ?? [])
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

function readReport(report: FailureReport, lines: readonly string[]): FailedTest[] {
  const from = report.after ? lines.findIndex(line => report.after?.test(line)) : 0
  if (from === -1) return []
  const found: FailedTest[] = []
  for (let at = from; at < lines.length; at += 1) {
    const head = report.head.exec(lines[at] ?? '')
    if (!head) continue
    const rest = lines.slice(at + 1)
    const next = rest.findIndex(line => report.head.test(line) || report.end?.test(line))
    const body = next === -1 ? rest : rest.slice(0, next)
    const read = report.read(head, body, lines.slice(0, at).toReversed())
    if (read === null) continue
    const { name = head[1] ?? '', file = null, said = firstSaid(body), how = howByWords(said) } = read
    found.push({ name, file, how, said })
  }
  // A test that contains others fails because they do.
  return unique(found).filter(({ name }) => !found.some(other => other.name.startsWith(`${name}/`)))
}

/** Removes duplicates: some runners print everything twice. */
function unique(found: FailedTest[]): FailedTest[] {
  const key = ({ name, file }: FailedTest) => `${file ?? ''}\0${name}`
  return [...new Map(found.toReversed().map(one => [key(one), one])).values()].toReversed()
}
