/**
 * The number of tests that ran (passed or failed) and of those that were left out (skipped, to do, deselected, expected
 * to fail), from the output of a test runner. Tests that were left out do not count as run, so removing a test and
 * disabling it have the same effect. Null if no known runner prints these numbers. A summary of the runner is enough;
 * numbers that have to be counted line by line need the whole output.
 */
import { printedLines } from './lines.ts'
import { numberOf } from './runner.ts'

type Counts = { run: number; skipped: number }
type Count = (lines: readonly string[]) => Counts | null

export function testCounts(text: string, isWhole: boolean): Counts | null {
  const lines = printedLines(text)
  const said = summaries.map(count => count(lines)).filter(count => count !== null)
  if (said.length > 0) return said.reduce(added)
  if (!isWhole) return null
  return goVerbose(lines) ?? goJson(lines) ?? tap(lines)
}

export function testTotal(text: string, isWhole: boolean): number | null {
  return testCounts(text, isWhole)?.run ?? null
}

function added(one: Counts, other: Counts): Counts {
  return { run: one.run + other.run, skipped: one.skipped + other.skipped }
}

/** For a runner whose summary is one line. */
function line(of: RegExp, countIn: (said: string) => Counts): Count {
  return lines => {
    const found = lines.filter(one => of.test(one))
    return found.length === 0 ? null : found.map(countIn).reduce(added)
  }
}

const passedOrFailed = (said: string) => numberOf('passed', said) + numberOf('failed', said)
const leftOut = (said: string, ...kinds: string[]) =>
  kinds.reduce((sum, kind) => sum + numberOf(kind, said), 0)
const ofJest = (said: string) => ({ run: passedOrFailed(said), skipped: leftOut(said, 'skipped', 'todo') })
const pytestWords = 'failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed'
/** `Total: 7` or `total: 7`. */
const named = (said: string, name: string) =>
  Number(new RegExp(`\\b${name}[:=] *(\\d{1,9})`).exec(said)?.[1] ?? 0)

const summaries: readonly Count[] = [
  nodeTest,
  line(/^ *Tests: +(?:\S.*, )?\d+ total$/, ofJest),
  line(/^ *Tests +\d+ [a-z].*\(\d+\)$/, ofJest), // Vitest
  line(
    new RegExp(`^(?:=+ )?\\d+ (?:${pytestWords})(?:, \\d+ (?:${pytestWords}))* in \\d+\\.\\d+s`),
    said => ({
      run:
        passedOrFailed(said.replaceAll(/\d+ subtests passed/g, '')) +
        numberOf('xfailed', said) +
        numberOf('xpassed', said),
      skipped: leftOut(said, 'skipped', 'deselected', 'xfailed'),
    }),
  ),
  unittest,
  mocha,
  line(/^test result: (?:ok|FAILED)\. \d+ passed; \d+ failed;/, said => ({
    run: passedOrFailed(said),
    skipped: leftOut(said, 'ignored', 'filtered out'),
  })), // cargo
  line(/^# \{ total: \d+, pass: \d+, fail: \d+/, said => ({
    run: named(said, 'total'),
    skipped: named(said, 'skip') + named(said, 'todo'),
  })), // tap 21
  line(/^Files=\d+, Tests=\d+,/, said => ({ run: named(said, 'Tests'), skipped: 0 })), // prove
  line(/^\d+ examples?, \d+ failures?(?:, \d+ pending)?(?:, \d+ errors? occurred .*)?$/, said => ({
    run: numberOf('examples?', said) - numberOf('pending', said),
    skipped: numberOf('pending', said),
  })), // RSpec
  line(/^OK \([1-9]\d* tests?, \d+ assertions?\)$/, said => ({
    run: Number(/\d+/.exec(said)),
    skipped: 0,
  })), // PHPUnit
  line(/^Tests: \d+, Assertions: \d+(?:, [A-Z][\w ]{1,30}: \d{1,9})*\.$/, said => {
    const skipped = named(said, 'Skipped') + named(said, 'Incomplete')
    return { run: named(said, 'Tests') - skipped, skipped }
  }), // PHPUnit
  line(/^(?:Failed|Passed|Skipped)! +- Failed: +\d{1,9}, Passed: +\d+, Skipped: +\d+, /, said => ({
    run: named(said, 'Failed') + named(said, 'Passed'),
    skipped: named(said, 'Skipped'),
  })), // dotnet
]

/** The counts at the end of its spec and TAP reporters; tape prints some of the same. */
function nodeTest(lines: readonly string[]): Counts | null {
  const ends: Record<string, number>[] = []
  let isOpen = false
  for (const one of lines) {
    const [, kind, number] = /^[#ℹ] (tests|pass|fail|cancelled|skipped|todo) +(\d{1,9})$/.exec(one) ?? []
    if (kind === 'tests') ends.push({})
    isOpen = kind === 'tests' || (isOpen && !/^[#ℹ] duration_ms /.test(one))
    const end = ends.at(-1)
    if (kind !== undefined && isOpen && end) end[kind] = Number(number)
  }
  const told = ends.filter(end => Object.keys(end).length > 1)
  return told.length === 0 ? null : told.map(countsAtEnd).reduce(added)
}

/** A runner that prints no number of passed tests prints the total. */
function countsAtEnd({
  tests = 0,
  pass,
  fail = 0,
  cancelled = 0,
  skipped = 0,
  todo = 0,
}: Record<string, number>): Counts {
  const others = skipped + todo
  return {
    run: pass === undefined ? Math.max(0, tests - others) : pass + fail + cancelled,
    skipped: others,
  }
}

/** `Ran 7 tests in 0.001s`, and what of them was left out two lines further on. */
function unittest(lines: readonly string[]): Counts | null {
  let counts: Counts | null = null
  const said = lines.filter(one => one !== '')
  for (const [i, one] of said.entries()) {
    const [, ran] = /^Ran ([1-9]\d{0,8}) tests? in \d+\.\d+s$/.exec(one) ?? []
    const verdict = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/.exec(said[i + 1] ?? '')
    if (ran === undefined || !verdict) continue
    const of = verdict[1] ?? ''
    const skipped = named(of, 'skipped') + named(of, 'expected failures')
    const more = { run: Number(ran) - skipped, skipped }
    counts = counts ? added(counts, more) : more
  }
  return counts
}

function mocha(lines: readonly string[]): Counts | null {
  let counts: Counts | null = null
  for (const [i, one] of lines.entries()) {
    if (!/^ {2}\d{1,9} passing \(\S+\)$/.test(one)) continue
    const more = lines.slice(i + 1, i + 3).filter(next => /^ {2}\d{1,9} (?:pending|failing)$/.test(next))
    const said = [one, ...more].join('\n')
    const run = numberOf('passing', said) + numberOf('failing', said)
    const next = { run, skipped: numberOf('pending', said) }
    counts = counts ? added(counts, next) : next
  }
  return counts
}

function goVerbose(lines: readonly string[]): Counts | null {
  if (!lines.some(one => /^=== RUN {3}\S/.test(one))) return null
  const ended = (how: string) =>
    lines.filter(one => new RegExp(`^ *--- (?:${how}): \\S+ \\(\\d+\\.\\d+s\\)$`).test(one)).length
  return { run: ended('PASS|FAIL'), skipped: ended('SKIP') }
}

function goJson(lines: readonly string[]): Counts | null {
  const ended = lines.filter(one => /^\{.*?"Action":"(?:pass|fail|skip)".*"Package":"/.test(one))
  if (ended.length === 0) return null
  const tests = ended.filter(one => one.includes('"Test":"'))
  const skipped = tests.filter(one => one.includes('"Action":"skip"')).length
  return { run: tests.length - skipped, skipped }
}

function tap(lines: readonly string[]): Counts | null {
  if (!lines.some(one => /^1\.\.\d+$/.test(one))) return null
  const all = lines.filter(one => /^ *(?:not )?ok\b/i.test(one))
  const skipped = all.filter(one => /#\s*(?:TODO|SKIP)\b/i.test(one)).length
  return { run: all.length - skipped, skipped }
}
