/**
 * A test runner as one row, and the ways to read lines that several rows share. Only `summaries`, which stand at
 * the end, survive a cut of the output. `test-output` makes everything that is asked of a runner from its row.
 */

/** What a summary says. A number that it does not say is undefined; `run` tests passed or failed. */
type TestFigures = { failed?: number | undefined; run?: number | undefined; skipped?: number }

export type TestCounts = { run: number; skipped: number }

export type TestRunner = {
  /** The figures of its summaries, one for each run; without them the lines are not its output, or were cut. */
  summaries?(lines: readonly string[]): TestFigures[]
  /** Failures counted line by line, for a run without its summary. Null: unknown, or not its output. */
  failures?(lines: readonly string[]): number | null
  /** Tests counted line by line, which needs the whole output. */
  counts?(lines: readonly string[]): TestCounts | null
  /** How it names its failures, in each of its formats. */
  reports?: readonly FailureReport[]
}

export type FailedTest = {
  /** The test's own name without its suites; for a file that could not be loaded, the file. */
  name: string
  /** The file as the runner writes it; null if the runner does not name it. */
  file: string | null
  how: 'assertion' | 'error' | 'load'
  /** The error in one line. */
  said: string
  /** The name with what tells it from others of the same name: the values of a table. */
  title: string
  /** Where it failed, in its own file if that is known, or where it stands. */
  place: TestPlace | null
}

export type TestPlace = { file: string; line: number }

/** What fails, for people and for agents: each text is short, and there are few enough to be recorded. */
export type FailingTest = { name: string; file: string | null; line: number | null; said: string }

/** `trims numeric strings  test/trim.js:4  expected 3, got ' 3 '` */
export function failingLine({ name, file, line, said }: FailingTest): string {
  const place = file === null || file === name ? '' : line === null ? file : `${file}:${line}`
  return [name, place, said].filter(part => part !== '').join('  ')
}

export type FailureReport = {
  /** Matches if the lines come from this runner. */
  is: RegExp
  /** The first line of the report of a failure. */
  head: RegExp
  /** The reports begin after this line. */
  after?: RegExp
  /** The line that ends the reports, or one of them. */
  end?: RegExp
  /** A line that says something about the heads below it, until the next one: their file. */
  above?: RegExp
  /** It names each failure in one line: read only if the other reports of the runner name none. */
  isBrief?: true
  /** Brings the lines into the order that is read. */
  arrange?(lines: readonly string[]): readonly string[]
  /**
   * What deviates from the rule: the name is the group of the head, the message the first line of the body, by its
   * words an assertion or not, and the place is the first in the body. Null if the report is not a failure of its own.
   */
  read(head: RegExpExecArray, body: string[], above: RegExpExecArray | null): FailureFields | null
}

type FailureFields = { [key in keyof FailedTest]?: FailedTest[key] | undefined }

/** For a runner whose summary is one line, read with the lines near it: `near(1)` is the next one. */
export function atLine(
  form: RegExp,
  read: (line: string, near: (by: number) => string) => TestFigures | null,
): (lines: readonly string[]) => TestFigures[] {
  return lines =>
    lines.flatMap((line, at) => (form.test(line) ? (read(line, by => lines[at + by] ?? '') ?? []) : []))
}

/** For a runner that prints one line for each failure: the number of different ones, told apart by the groups. */
export function differentFailures(...forms: RegExp[]): (lines: readonly string[]) => number | null {
  return lines =>
    new Set(forms.flatMap(form => lines.flatMap(line => form.exec(line)?.[1] ?? []))).size || null
}

/** Failed tests by their paths, without those that contain others: `TestA` does not count if `TestA/b` failed too. */
export function failedLeafPaths(names: ReadonlySet<string>): ReadonlySet<string> {
  const holders = new Set<string>()
  for (const name of names) {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      const holder = name.slice(0, at)
      if (holders.has(holder)) break
      holders.add(holder)
    }
  }
  return new Set([...names].filter(name => !holders.has(name)))
}

/** Classifies an error by its name, or by the words of `expect`: those of JavaScript. */
export function howByWords(said: string): 'assertion' | 'error' {
  const isAssertion = /^(?:\S*Assertion\w*(?:Error)?\b|expect[(.]|.{0,40}\[?ERR_ASSERTION\b)/.test(said)
  return isAssertion ? 'assertion' : 'error'
}

export function firstSaid(body: readonly string[]): string {
  return (body.find(line => line.trim() !== '') ?? '').trim().slice(0, 200)
}
