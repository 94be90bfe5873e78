/**
 * How many tests were run, passed or failed, from what a test runner printed: skipped ones are not among them, so that
 * tests that were taken out and tests that were switched off are seen alike. Null where no runner says it. Its own
 * summary is enough; what has to be counted line by line needs the whole output.
 */
import { printedLines } from './lines.ts'
import { numberOf } from './runner.ts'

type Count = (lines: readonly string[]) => number | null

export function testTotal(text: string, isWhole: boolean): number | null {
  const lines = printedLines(text)
  const said = summaries.map(count => count(lines)).filter(count => count !== null)
  if (said.length > 0) return said.reduce((sum, count) => sum + count, 0)
  if (!isWhole) return null
  return goVerbose(lines) ?? goJson(lines) ?? tap(lines)
}

/** For a runner whose summary is one line. */
function line(of: RegExp, countIn: (said: string) => number): Count {
  return lines => {
    const found = lines.filter(one => of.test(one))
    return found.length === 0 ? null : found.reduce((sum, one) => sum + countIn(one), 0)
  }
}

const ran = (said: string) => numberOf('passed', said) + numberOf('failed', said)
const pytestWords = 'failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed'

const summaries: readonly Count[] = [
  nodeTest,
  line(/^ *Tests: +(?:\S.*, )?\d+ total$/, ran), // Jest
  line(/^ *Tests +\d+ [a-z].*\(\d+\)$/, ran), // Vitest
  line(
    new RegExp(`^(?:=+ )?\\d+ (?:${pytestWords})(?:, \\d+ (?:${pytestWords}))* in \\d+\\.\\d+s`),
    said =>
      ran(said.replaceAll(/\d+ subtests passed/g, '')) +
      numberOf('xfailed', said) +
      numberOf('xpassed', said),
  ),
  line(/^test result: (?:ok|FAILED)\. \d+ passed; \d+ failed;/, ran), // cargo
  line(/^# \{ total: \d+, pass: \d+, fail: \d+/, said => Number(/total: (\d+)/.exec(said)?.[1])), // tap 21
  line(/^Files=\d+, Tests=\d+,/, said => Number(/Tests=(\d+)/.exec(said)?.[1])), // prove
]

/** The counts at the end of its spec and TAP reporters; tape prints some of the same. */
function nodeTest(lines: readonly string[]): number | null {
  let count: number | null = null
  let begun = false
  for (const one of lines) {
    const [, kind, number] = /^[#ℹ] (tests|pass|fail|cancelled) +(\d{1,9})$/.exec(one) ?? []
    if (kind === 'tests') begun = true
    else if (kind !== undefined && begun) count = (count ?? 0) + Number(number)
    else if (/^[#ℹ] duration_ms /.test(one)) begun = false
  }
  return count
}

function goVerbose(lines: readonly string[]): number | null {
  if (!lines.some(one => /^=== RUN {3}\S/.test(one))) return null
  return lines.filter(one => /^ *--- (?:PASS|FAIL): \S+ \(\d+\.\d+s\)$/.test(one)).length
}

function goJson(lines: readonly string[]): number | null {
  const ended = lines.filter(one => /^\{.*?"Action":"(?:pass|fail)".*"Package":"/.test(one))
  return ended.length === 0 ? null : ended.filter(one => one.includes('"Test":"')).length
}

function tap(lines: readonly string[]): number | null {
  if (!lines.some(one => /^1\.\.\d+$/.test(one))) return null
  return lines.filter(one => /^ *(?:not )?ok\b/i.test(one) && !/#\s*(?:TODO|SKIP)\b/i.test(one)).length
}
