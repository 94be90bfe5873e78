/**
 * The test runners of Python, Go, Rust, Perl, C, Ruby, PHP and .NET: one row each. The values are read by
 * `test-output`.
 */
import { matching, numberAfter, numberOf } from './printed.ts'
import { atLine, differentFailures, failedLeafPaths, firstSaid, type TestRunner } from './runner.ts'

const pytestKind =
  '\\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed)'
const pytestCounts = new RegExp(
  `^(?:=+ )?${pytestKind}(?:, ${pytestKind})* in \\d+\\.\\d+s(?: \\(\\d[\\d:]*\\))?(?: =+)?$`,
)
/** Not anchored at the line's start: output of a test without a newline can precede it. */
const goFailed = /--- FAIL: (\S+) \(\d+\.\d+s\)$/
const goPackage = /^(ok {2}|FAIL)\t\S+(?:\t| \[|$)/
const cargoRunning = /^running \d+ tests?$/
const cargoFailed = /^(?:test \S.* \.\.\.|\S+ ---) FAILED$/

export const otherRunners: Record<string, TestRunner> = {
  /** An error, in a fixture or while a file was collected, counts like a failure. */
  pytest: {
    summaries: atLine(pytestCounts, line => ({
      failed: numberOf(line, 'failed', 'errors?'),
      run: numberOf(line.replaceAll(/\d+ subtests passed/g, ''), 'passed', 'failed', 'xfailed', 'xpassed'),
      skipped: numberOf(line, 'skipped', 'deselected', 'xfailed'),
    })),
    // Either in the list at the end, or where the test ran (-v).
    failures: differentFailures(
      /^(?:FAILED|ERROR) (\S+\.py(?:::.*?)?)(?: - .*)?$/,
      /^(\S+\.py::.*\S) +(?:FAILED|ERROR) +\[ *\d+%\]$/,
    ),
    reports: [
      {
        is: /^(?:=+ )?\d+ (?:failed|passed|errors?|skipped)\b.* in \d+\.\d+s/,
        head: /^_{3,} (.+?) _{3,}$/,
        end: /^(?:=+ [a-z]|FAILED |ERROR )/,
        read([, title = ''], body) {
          const [, uncollected] = /^ERROR collecting (.+)$/.exec(title) ?? []
          const raised = body.filter(line => /^E {3}/.test(line)).map(line => line.slice(1).trim())
          if (uncollected !== undefined)
            return { name: uncollected, file: uncollected, how: 'load', said: raised.at(-1) }
          const place = body.map(line => /^(\S+\.py):\d+: (\w+)?$/.exec(line)).findLast(one => one !== null)
          const isAssertion =
            place?.[2] === 'AssertionError' ||
            ((place?.[2] ?? 'Failed') === 'Failed' && /^(?:assert |Failed: )/.test(raised[0] ?? ''))
          const path = title.replace(/^ERROR at (?:setup|teardown) of /, '').split(/\.(?![^[]*\])/)
          const shown = path.at(-1) ?? title
          const how = title.startsWith('ERROR ') || !isAssertion ? 'error' : 'assertion'
          const name = shown.replace(/\[.*$/, '')
          return { name, title: shown, file: place?.[1], how, said: raised[0] }
        },
      },
      {
        is: /^(?:FAILED|ERROR) \S+\.py/,
        head: /^(FAILED|ERROR) (\S+?\.py)(?:::(.*?))?(?: - (.*))?$/,
        end: /^/,
        isBrief: true,
        read([, kind, file = '', path, said = '']) {
          if (path === undefined) return { name: file, file, how: 'load', said }
          const title = path.split(/::(?![^[]*\])/).at(-1) ?? path
          const isAssertion = kind === 'FAILED' && /^(?:assert |AssertionError|Failed: )/.test(said)
          const how = isAssertion ? 'assertion' : 'error'
          return { name: title.replace(/\[.*$/, ''), title, file, how, said }
        },
      },
    ],
  },

  /**
   * unittest of Python, also run by Django. An error counts like a failure, and so does an unexpected success. "OK"
   * after no tests means nothing.
   */
  unittest: {
    summaries: atLine(/^Ran [1-9]\d{0,8} tests? in \d+\.\d+s$/, (line, near) => {
      // Only the next line counts: a test can print a similar one.
      const [verdict, kinds = ''] = /^(?:OK|FAILED)(?: \((.*)\))?$/.exec(near(1)) ?? []
      const skipped = numberAfter(kinds, 'skipped', 'expected failures')
      const failed = numberAfter(kinds, 'failures', 'errors', 'unexpected successes')
      return verdict === undefined ? null : { failed, run: numberOf(line, 'tests?') - skipped, skipped }
    }),
    // Either in the list at the end, or where the test ran (-v).
    failures: differentFailures(
      /^(?:FAIL|ERROR): (\w+ \([\w.]+\).*)$/,
      /^(\w+ \([\w.]+\)) \.\.\. (?:FAIL|ERROR)$/,
    ),
    reports: [
      {
        is: /^Ran \d+ tests? in \d+\.\d+s$/,
        head: /^(FAIL|ERROR): (\w+) \(([\w.]+)\)(?:.*? ([([].*[)\]]))?.*$/,
        end: /^(?:={70}|Ran \d+ tests? in )/,
        read([, kind, name = '', path = '', subtest], body) {
          const said = body.findLast(line => line.trim() !== '' && !/^-+$/.test(line)) ?? ''
          if (path.includes('_FailedTest')) return { name, file: `${name}.py`, how: 'load', said }
          const title = subtest === undefined ? name : `${name} ${subtest}`
          return { name, title, how: kind === 'FAIL' ? 'assertion' : 'error', said }
        },
      },
    ],
  },

  /**
   * go test: plain, -v and -json. A package ends with a line of its own. A package that fails without a failing test
   * (build error, exit, timeout) counts one. With -json, build errors are still plain text.
   */
  go: {
    summaries(lines) {
      let failed = new Set<string>()
      const packages = lines.flatMap(line => {
        const [, test] = goFailed.exec(line) ?? []
        if (test !== undefined) failed.add(test)
        const [, how] = goPackage.exec(line) ?? []
        if (how === undefined) return []
        const failures = Math.max(how === 'FAIL' ? 1 : 0, failedLeafPaths(failed).size)
        failed = new Set()
        return { failed: failures }
      })
      return [...packages, ...goEvents(lines)]
    },
    /** For a test binary run directly, or a run that was cut short. */
    failures: lines =>
      failedLeafPaths(new Set(lines.flatMap(line => goFailed.exec(line)?.[1] ?? []))).size || null,
    counts(lines) {
      const isVerbose = lines.some(line => /^=== RUN {3}\S/.test(line))
      const ended = (how: string) =>
        matching(lines, new RegExp(`^ *--- (?:${how}): \\S+ \\(\\d+\\.\\d+s\\)$`))
      if (isVerbose) return { run: ended('PASS|FAIL'), skipped: ended('SKIP') }
      const events = lines.filter(line => /^\{.*?"Action":"(?:pass|fail|skip)".*"Package":"/.test(line))
      if (events.length === 0) return null
      const tests = events.filter(line => line.includes('"Test":"'))
      const skipped = matching(tests, /"Action":"skip"/)
      return { run: tests.length - skipped, skipped }
    },
    reports: [
      {
        is: /^(?:ok {2}|FAIL)\t\S+(?:\t| \[|$)|^\{.*"Action":"fail".*"Package":"/,
        arrange: goInOrder,
        head: /--- FAIL: (\S+) \(\d+\.\d+s\)$|^FAIL\t(\S+) \[(?:build|setup) failed\]$/,
        end: /^(?:FAIL|ok {2}\t|=== )/,
        read([, , unbuilt], body) {
          if (unbuilt !== undefined) return { name: unbuilt, how: 'load', said: 'does not build' }
          const panic = body.find(line => line.startsWith('panic: '))
          return { how: panic === undefined ? 'assertion' : 'error', said: panic }
        },
      },
    ],
  },

  /**
   * cargo test: one summary per test binary. A binary without a summary (aborted or exited) counts at least one, and
   * so does a crate that does not compile while others were tested. If nothing was tested, the count is unknown.
   */
  cargo: {
    summaries(lines) {
      let running: { failures: number } | null = null
      const uncompiled = new Set<string>()
      const binaries = lines.flatMap(line => {
        const [, crate] = /^error: could not compile `([^`]+)`/.exec(line) ?? []
        if (crate !== undefined) uncompiled.add(crate)
        if (cargoRunning.test(line)) running = { failures: 0 }
        if (running !== null && cargoFailed.test(line)) running.failures += 1
        const isTold = /^test result: (?:ok|FAILED)\. \d+ passed; \d+ failed;/.test(line)
        const isEnd = running !== null && /^error: (?:doc)?test failed, to rerun pass/.test(line)
        if (!isTold && !isEnd) return []
        const failures = running?.failures ?? 0
        running = null
        if (!isTold) return { failed: Math.max(1, failures) }
        const run = numberOf(line, 'passed', 'failed')
        return { failed: numberOf(line, 'failed'), run, skipped: numberOf(line, 'ignored', 'filtered out') }
      })
      return binaries.length === 0 ? [] : [...binaries, { failed: uncompiled.size }]
    },
    failures: lines =>
      lines.some(line => cargoRunning.test(line)) ? matching(lines, cargoFailed) || null : null,
    reports: [
      {
        is: /^(?:running \d+ tests?|error: could not compile `.*)$/,
        head: /^---- (\S+) stdout ----$|^error: could not compile `([^`]+)`/,
        end: /^failures:$/,
        read([, path = '', uncompiled], body) {
          if (uncompiled !== undefined) return { name: uncompiled, how: 'load', said: 'does not compile' }
          const panicked = body.findIndex(line => line.includes(' panicked at '))
          const [, older] = / panicked at '(.*?)(?:', \S+:\d+:\d+)?$/.exec(body[panicked] ?? '') ?? []
          const said = (panicked === -1 ? firstSaid(body) : (older ?? body[panicked + 1] ?? '')).trim()
          const how = /^assertion\b/.test(said) ? 'assertion' : 'error'
          return { name: path.split('::').at(-1), how, said }
        },
      },
    ],
  },

  /**
   * prove (Test::Harness): a summary of TAP. A file that dies, or runs a different number of tests than planned, counts
   * at least one.
   */
  prove: {
    summaries(lines) {
      const counted = atLine(/^Files=\d+, Tests=\d+,/, line => ({ run: numberAfter(line, 'Tests') }))(lines)
      if (!lines.some(line => /^Result: (?:PASS|FAIL)$/.test(line))) return counted
      let isUnexplained = false
      const files = lines.map(line => {
        const [, failed] = /\(Wstat: \d.* Tests: \d+ Failed: (\d{1,9})\)$/.exec(line) ?? []
        const isReason = isUnexplained && /^ {2}(?:Non-zero|Parse errors)/.test(line)
        isUnexplained = failed === undefined ? isUnexplained && !isReason : failed === '0'
        return { failed: failed === undefined ? Number(isReason) : Number(failed) }
      })
      return [...counted, ...files]
    },
  },

  /** CTest. A test that could not be started or timed out counts; a skipped or disabled one does not. */
  ctest: {
    // The next line distinguishes the summary from the same words in a test's output.
    summaries: atLine(/^\d{1,3}% tests passed, \d{1,9} tests? failed out of \d+$/, (line, near) =>
      /^(?:Total Test time|\w+ Time Summary:)/.test(near(1))
        ? { failed: numberOf(line, 'tests? failed') }
        : null,
    ),
    failures: lines =>
      matching(
        lines,
        /^ *\d+\/\d+ +Test +#\d+: .*\*\*\*(?:Failed|Timeout|Exception|Not Run(?! \(Disabled\)))/,
      ) || null,
    reports: [
      {
        is: /^\d{1,3}% tests passed, /,
        head: /^ *\d+\/\d+ +Test +#\d+: (\S+) \.*\*{3}(Failed|Timeout|Exception|Not Run)(?! \(Disabled\))/,
        end: /^ +Start +\d+: |^ *\d+\/\d+ +Test +#|^\d{1,3}% tests passed/,
        read([, name, kind = ''], body) {
          const said = firstSaid(body) || (kind === 'Failed' ? '' : kind.toLowerCase())
          return { name, how: kind === 'Failed' ? 'assertion' : 'error', said }
        },
      },
    ],
  },

  /** RSpec. An error outside of the examples, such as a file that does not load, counts like a failure. */
  rspec: {
    summaries: atLine(
      /^\d+ examples?, \d+ failures?(?:, \d+ pending)?(?:, \d+ errors? occurred outside of examples)?$/,
      (line, near) => {
        const [examples, skipped] = [numberOf(line, 'examples?'), numberOf(line, 'pending')]
        const failed = numberOf(line, 'failures?', 'errors? occurred')
        // The line before distinguishes the summary from the same words in an example's output.
        const isTold = /^Finished in \d/.test(near(-1)) && failed + examples > 0
        return { failed: isTold ? failed : undefined, run: examples - skipped, skipped }
      },
    ),
    failures: lines => matching(lines, / \(FAILED - \d{1,9}\)$/) || null,
    reports: [
      {
        is: /^\d+ examples?, \d+ failures?/,
        after: /^Failures:$/,
        head: /^ {2}\d+\) (\S.*)$/,
        end: /^(?:Finished in |Failed examples:)/,
        read([, name], body) {
          const at = body.findIndex(line => /^ +[A-Z][\w:]*:$/.test(line))
          const error = at === -1 ? null : `${body[at]?.trim()} ${body[at + 1]?.trim()}`
          return { name, how: error === null ? 'assertion' : 'error', said: error ?? firstSaid(body) }
        },
      },
      {
        is: /^\d+ examples?, \d+ failures?/,
        head: /^An error occurred while loading (\S+)\.$/,
        end: /^(?:Finished in |Failures:)/,
        read([, name = ''], body) {
          const at = body.findIndex(line => /^[A-Z][\w:]*:$/.test(line))
          return {
            name,
            file: name,
            how: 'load',
            said: `${body[at] ?? ''} ${body[at + 1]?.trim() ?? ''}`.trim(),
          }
        },
      },
    ],
  },

  /** PHPUnit. An error counts like a failure; skipped, incomplete and risky tests do not. */
  phpunit: {
    summaries: atLine(
      /^(?:OK \([1-9]\d* tests?, \d+ assertions?\)|Tests: \d+, Assertions: \d+(?:, [A-Z][\w ]{1,30}: \d{1,9})*\.)$/,
      (line, near) => {
        if (line.startsWith('OK')) return { failed: 0, run: numberOf(line, 'tests?') }
        // The line before distinguishes the summary from the same words in a test's output.
        const isTold = /^(?:FAILURES!|ERRORS!|WARNINGS!|OK, but .*!|There (?:was|were) .*)$/.test(near(-1))
        const skipped = numberAfter(line, 'Skipped', 'Incomplete')
        const failed = isTold ? numberAfter(line, 'Errors', 'Failures') : undefined
        return { failed, run: numberAfter(line, 'Tests') - skipped, skipped }
      },
    ),
    reports: [
      {
        is: /^(?:FAILURES|ERRORS)!$/,
        head: /^\d+\) \S+::(\S+.*)$/,
        end: /^(?:--|There (?:was|were) .*|FAILURES!|ERRORS!)$/,
        above: /^There (?:was|were) \d+ (error|failure|\w+)/,
        read([, title = ''], _, above) {
          if (above?.[1] !== 'error' && above?.[1] !== 'failure') return null
          return {
            name: title.replace(/ with data set .*$/, ''),
            title,
            how: above[1] === 'error' ? 'error' : 'assertion',
          }
        },
      },
      {
        is: /^(?:FAILURES|ERRORS)!$/,
        head: /^ ✘ (\S.*)$/,
        end: /^ \S|^$/,
        isBrief: true,
        read: (_, body) => ({ said: firstSaid(body.map(line => line.replace(/^ *│/, ''))) }),
      },
    ],
  },

  /** dotnet test: one line for each test assembly, or since .NET 9 one for all of them on a terminal. */
  dotnet: {
    summaries(lines) {
      const all = atLine(
        /^Test summary: total: \d+, failed: \d{1,9}, succeeded: \d+, skipped: \d+, duration: /,
        line => ({ failed: numberAfter(line, 'failed') }),
      )(lines)
      const each = atLine(
        /^(?:Failed|Passed|Skipped)! +- Failed: +\d{1,9}, Passed: +\d+, Skipped: +\d+, Total: +\d+, Duration: /,
        line => ({
          failed: all.length > 0 ? undefined : numberAfter(line, 'Failed'),
          run: numberAfter(line, 'Failed', 'Passed'),
          skipped: numberAfter(line, 'Skipped'),
        }),
      )(lines)
      return [...all, ...each]
    },
    failures: differentFailures(/^( {2}Failed \S+.* \[[^\]]{1,20}\])$/),
    reports: [
      {
        is: /^(?:Failed! +- Failed: +\d|Test summary: total: )/,
        head: /^ {2}Failed (\S.*) \[[^\]]{1,20}\]$/,
        end: /^(?:(?:Failed|Passed)! |\[xUnit| {2}(?:Passed|Skipped) )/,
        read: ([, path = ''], body) => ({ ...netName(path), said: firstSaid(body) }),
      },
      {
        is: /^Test summary: total: /,
        head: /^ {4}(\S.*)\((\d+)\): error TESTERROR:$/,
        end: /^(?:Test summary| {2}\S)/,
        read([, file = '', line], body) {
          const [, path = '', said = ''] =
            /^ +(\S.*?) \(\d[^)]{0,20}\): (?:Error Message: )?(.*)$/.exec(body[0] ?? '') ?? []
          return { ...netName(path), place: { file, line: Number(line) }, said }
        },
      },
    ],
  },

  /** Surefire of Maven: the list of its results, and its sum for each module. */
  maven: {
    summaries: atLine(
      /^\[(?:INFO|ERROR|WARNING)\] Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$/,
      line => {
        const skipped = numberAfter(line, 'Skipped')
        return {
          failed: numberAfter(line, 'Failures', 'Errors'),
          run: numberAfter(line.slice(line.indexOf(' ') + 1), 'Tests run') - skipped,
          skipped,
        }
      },
    ),
    reports: [
      {
        is: /^\[ERROR\] Tests run: \d+, Failures: \d+/,
        after: /^\[(?:INFO|ERROR)\] Results:$/,
        head: /^\[ERROR\] {3}(?:[\w$]+\.)*?([\w$]+)\.([\w$]+)(?:\([^)]*\))?(?:->.*)?:(\d+)(?:->\S+)? (?:» )?(.*)$/,
        end: /^\[/,
        read([, type = '', name, line, said = '']) {
          const file = `${type}.java`
          const how = /^(?:\w+Exception|\w+Error)\b/.test(said) ? 'error' : 'assertion'
          return { name, place: { file, line: Number(line) }, how, said }
        },
      },
    ],
  },

  /** Gradle. It prints the number only of a run in which a test has failed. */
  gradle: {
    summaries: atLine(/^\d{1,9} tests? completed, \d{1,9} failed\b/, line => {
      const skipped = numberOf(line, 'skipped')
      return { failed: numberOf(line, 'failed'), run: numberOf(line, 'tests? completed') - skipped, skipped }
    }),
    reports: [
      {
        is: /^\d{1,9} tests? completed, \d{1,9} failed\b/,
        head: /^\S.* > (\S.*) FAILED$/,
        end: /^(?:\S|$)/,
        read(_, body) {
          const said = firstSaid(body)
          return { how: /Assertion|ComparisonFailure/.test(said) ? 'assertion' : 'error', said }
        },
      },
    ],
  },
}

/** `App.Tests.Shop.Sum(a: 1.5)` is called Sum. */
function netName(path: string): { name: string; title: string } {
  const bare = path.replace(/\(.*$/, '')
  const name = bare.split('.').at(-1) ?? bare
  return { name, title: name + path.slice(bare.length) }
}

/** The events of -json, with the failures of each package. */
function goEvents(lines: readonly string[]): { failed: number }[] {
  const packages = new Map<string, Set<string>>()
  let isEnded = false
  for (const line of lines) {
    const [, action] = /^\{.*?"Action":"(pass|fail|skip)"/.exec(line) ?? []
    const [, name] = /"Package":"([^"]+)"/.exec(line) ?? []
    if (action === undefined || name === undefined) continue
    const [, test] = /"Test":"((?:[^"\\]|\\.)+)"/.exec(line) ?? []
    isEnded ||= test === undefined
    if (action !== 'fail') continue
    const failed = packages.get(name) ?? new Set()
    packages.set(name, test === undefined ? failed : failed.add(test))
  }
  const failures = [...packages.values()].map(failed => ({
    failed: Math.max(1, failedLeafPaths(failed).size),
  }))
  return isEnded && failures.length === 0 ? [{ failed: 0 }] : failures
}

/** -json is brought back to text; with -v the messages of a test stand above its result, and are put below it. */
function goInOrder(lines: readonly string[]): string[] {
  const plain = lines.flatMap(goOutput)
  if (!plain.some(line => /^=== RUN {3}\S/.test(line))) return plain
  const said = new Map<string, string[]>()
  let running: string[] = []
  return plain.flatMap(line => {
    const [, test] = /^=== (?:RUN|CONT|NAME) +(\S+)$/.exec(line) ?? []
    if (test !== undefined) {
      running = said.get(test) ?? []
      said.set(test, running)
      return []
    }
    const [, ended] = /^ *--- (?:FAIL|PASS|SKIP): (\S+) \(/.exec(line) ?? []
    const isLine = ended === undefined && /^ {4,}\S/.test(line) && running.length < 100
    if (isLine) running.push(line)
    return isLine ? [] : [line, ...(said.get(ended ?? '') ?? [])]
  })
}

function goOutput(line: string): string[] {
  if (!/^\{.*"Action":"/.test(line)) return [line]
  const [, text] = /"Output":"((?:[^"\\]|\\.)*)"\}$/.exec(line) ?? []
  if (text === undefined) return []
  const plain = text.replace(/\\n$/, '').replaceAll('\\t', '\t').replaceAll('\\"', '"')
  return [plain.replaceAll('\\u003c', '<').replaceAll('\\u003e', '>')]
}
