/**
 * The test runners of JavaScript, and TAP, which several of them print: one row each. The values are read by
 * `test-output`.
 */

import { unquoted } from './failure-words.ts'
import { groupSum, matching, numberAfter, numberOf, sumOrNull } from './printed.ts'
import { atLine, type FailureReport, firstSaid, howByWords, type TestRunner } from './runner.ts'

const isTap = /^(?:TAP version \d+|1\.\.\d+)$/
const tapPlan = /^1\.\.\d+$/
const leftOut = /#\s*(?:TODO|SKIP)\b/i
const jestFile = /^ ?(?:FAIL|PASS) +(\S.*?)(?: \(\d[\d.]* m?s\))?$/ // the duration follows if it was long
const jestTests = /^ *Tests: +(?:\S.*, )?\d+ total$/
const vitestFiles = /^ *Test Files +(?:no tests|\d+ [a-z].*\(\d+\))$/
const mochaPassing = /^ {2}\d{1,9} passing \(\S+\)$/

/** What is said of a file of node:test that ended before its tests did. */
const neverRan = 'it did not load, or ended early'

/** TAP with a dash before the name: node, tap, Perl. */
const dashedTap: FailureReport = {
  is: isTap,
  head: /^ *not ok \d+ - (.+)$/,
  end: /^ *(?:ok \d+|\.\.\.$|# Subtest)/,
  arrange: withoutHolders,
  above: /^(?:# )?(\w*Error(?: \[\w+\])?: .+)$/,
  read([, titled = ''], body, above) {
    const field = (key: string) =>
      new RegExp(`^ *${key}: '?(.*?)'?$`).exec(
        body.find(line => line.trim().startsWith(`${key}:`)) ?? '',
      )?.[1]
    if (leftOut.test(titled) || titled.endsWith(' {') || field('failureType') === 'subtestsFailed')
      return null
    const isAssertion = body.some(line =>
      /\b(?:ERR_ASSERTION|AssertionError)\b|^ *(?:# +Failed test\b|compare: )/.test(line),
    )
    const [, file = null, line] = /^(.+):(\d+):\d+$/.exec(field('location') ?? '') ?? []
    const isLoad = field('error') === 'test failed'
    return {
      name: titled.replace(/ # (?:time=.*)$/, ''),
      file,
      place: file === null ? undefined : { file, line: Number(line) },
      how: isLoad ? 'load' : isAssertion ? 'assertion' : 'error',
      said: isLoad ? (above?.[1] ?? neverRan) : tapMessage(body),
    }
  },
}

/** TAP without a dash: tape, whose tests are titled by a comment above their assertions, and mocha. */
const plainTap: FailureReport = {
  is: isTap,
  head: /^not ok \d+ (?!- )(\S.*)$/,
  end: /^(?:ok \d+|not ok \d+|# |1\.\.\d+$| {2}\.\.\.$)/,
  // Not the comments in which tape counts, or says what it left out.
  above: /^# (?!Subtest:|(?:tests|pass|fail|skip|todo|time|duration_ms)\b|SKIP\b|TODO\b|ok$)(\S.*)$/,
  read([, said = ''], body, above) {
    const name = above?.[1] ?? said
    const operator = body.flatMap(line => /^ +operator: (\S+)$/.exec(line)?.[1] ?? [])[0]
    const [, file = null] = body.flatMap(line => /^ +at: .*\((.+):\d+:\d+\)$/.exec(line) ?? [])
    if (/# (?:TODO|SKIP)\b/i.test(said)) return null
    // tape reports a test that did not end, or threw, as an assertion of its own.
    const isUnended = /^(?:plan != count|test exited without ending|test timed out|\.end\(\) )/.test(said)
    const isAssertion =
      operator === undefined
        ? body.some(line => howByWords(line.trim()) === 'assertion')
        : operator !== 'error'
    const shown = operator === undefined ? firstSaid(body) : said
    return { name, file, how: isAssertion && !isUnended ? 'assertion' : 'error', said: shown }
  },
}

/** What Perl says of a failed test, where prove shows nothing else of it. */
const provedTap: FailureReport = {
  is: /^Result: FAIL$/,
  head: /^ *# +Failed test '(.*)'$/,
  end: /^ *# Looks like|^\S+ \.{2,}|^$/,
  isBrief: true,
  read: () => ({ how: 'assertion', said: '' }),
}

/** The message of a YAML block: node has it in `error`, over several lines too, Vitest one level deeper. */
function tapMessage(body: readonly string[]): string {
  const at = body.findIndex(line => /^ *(?:error|message):/.test(line))
  const [, text = ''] = /^ *\w+: *(.*)$/.exec(body[at] ?? '') ?? []
  if (text !== '' && !/^[|>]-?$/.test(text)) return unquoted(text.replace(/,$/, ''))
  const [first = '', ...rest] = at === -1 ? [] : body.slice(at + 1).map(line => line.trim())
  const nested = rest.find(line => line.startsWith('message:')) ?? ''
  return first.startsWith('name:') ? unquoted(nested.slice('message:'.length).trim()) : first
}

export const javascriptRunners: Record<string, TestRunner> = {
  /**
   * Only tap prints a summary: results are counted one by one. A subtest is indented and precedes the result of its
   * parent, or follows it in braces.
   */
  tap: {
    summaries: atLine(/^# \{ total: \d+, pass: \d+, fail: \d+/, line => ({
      run: numberAfter(line, 'total'),
      skipped: numberAfter(line, 'skip', 'todo'),
    })),
    failures(lines) {
      const isPlanned = lines.some(line => tapPlan.test(line))
      if (!isPlanned && !lines.some(line => isTap.test(line))) return null
      const bailedOut = lines.some(line => line.startsWith('Bail out!'))
      const failures = Math.max(failedLeaves(tapResults(lines)), bailedOut ? 1 : 0)
      // Without its plan the run has not ended, and remaining tests can still fail.
      return isPlanned ? failures : failures || null
    },
    counts(lines) {
      if (!lines.some(line => tapPlan.test(line))) return null
      const all = lines.filter(line => /^ *(?:not )?ok\b/i.test(line))
      const skipped = matching(all, leftOut)
      return { run: all.length - skipped, skipped }
    },
    reports: [dashedTap, plainTap, provedTap],
  },

  /**
   * node:test. The spec and TAP reporters end with counts (tape prints some of the same). A cancelled test, such as
   * one that timed out, counts as failed. The dot reporter lists failures without a count.
   */
  nodeTest: {
    summaries(lines) {
      const ends: Record<string, number>[] = []
      let isOpen = false
      for (const line of lines) {
        const [, kind, number] = /^[#ℹ] (tests|pass|fail|cancelled|skipped|todo) +(\d{1,9})$/.exec(line) ?? []
        if (kind === 'tests') ends.push({})
        isOpen = kind === 'tests' || (isOpen && !/^[#ℹ] duration_ms /.test(line))
        const end = ends.at(-1)
        if (kind !== undefined && isOpen && end) end[kind] = Number(number)
      }
      return ends
        .filter(end => Object.keys(end).length > 1)
        .map(({ tests = 0, pass, fail, cancelled, skipped = 0, todo = 0 }) => {
          const failed = (fail ?? 0) + (cancelled ?? 0)
          const others = skipped + todo
          return {
            failed: fail === undefined && cancelled === undefined ? undefined : failed,
            // A runner that prints no number of passed tests prints the total.
            run: pass === undefined ? Math.max(0, tests - others) : pass + failed,
            skipped: others,
          }
        })
    },
    failures(lines) {
      const results = lines.flatMap((line, at) => {
        const [, indent = '', mark] = /^( *)([✖✔]) .*\(\d+(?:\.\d+)?ms\)(?: # .*)?$/.exec(line) ?? []
        const holdsOthers = /^ +'\d+ subtests? failed'$/.test(lines[at + 1] ?? '')
        const failed = mark === '✖' && !/# (?:TODO|SKIP)\b.*$/.test(line) && !holdsOthers
        return mark === undefined ? [] : { depth: indent.length, failed }
      })
      return failedLeaves(results) || null
    },
    reports: [
      {
        is: /^(?:ℹ tests \d+|Failed tests:)$/,
        after: /^(?:✖ failing|Failed) tests:$/,
        head: /^✖ (.+) \(\d[\d.]*ms\)$/,
        end: /^(?:test at |[⚠﹣✔ℹ] )/,
        above: /^test at (.+):(\d+):\d+$/,
        arrange: withLoadErrors,
        read(_, body, above) {
          const said = firstSaid(body)
          // In the list of another run, without its error, it is named a second time.
          if (said === '' || /^'\d+ subtests? failed'$/.test(said)) return null
          const [, file, line] = above ?? []
          const place = file === undefined ? undefined : { file, line: Number(line) }
          if (said === "'test failed'")
            return { file, place, how: 'load', said: body[1]?.startsWith('  ') ? body[1] : neverRan }
          return { file, place, said: unquoted(said), how: howByWords(said) }
        },
      },
    ],
  },

  /**
   * Its summary counts a file that could not be loaded only as a failing suite. Such a file is counted here, once,
   * although Jest prints everything twice after many failures.
   */
  jest: {
    summaries(lines) {
      let [current, suites] = ['', 0]
      const unloaded = new Set<string>()
      return lines.flatMap(line => {
        current = jestFile.exec(line)?.[1] ?? current
        if (/^ *● Test suite failed to run$/.test(line)) unloaded.add(current)
        if (/^ *Test Suites: +.*\d+ total$/.test(line)) suites = numberOf(line, 'failed')
        if (!jestTests.test(line)) return []
        const failed = Math.max(suites, numberOf(line, 'failed') + unloaded.size)
        suites = 0
        unloaded.clear()
        return { failed, ...ranIn(line) }
      })
    },
    failures(lines) {
      const failures = new Map<string, Set<string>>()
      let current: Set<string> | undefined
      for (const line of lines) {
        const [, name] = jestFile.exec(line) ?? []
        if (name !== undefined) {
          current = /^ ?FAIL/.test(line) ? (failures.get(name) ?? new Set()) : undefined
          if (current !== undefined) failures.set(name, current)
        }
        const [, failure] = /^ {2}● (\S.*)$/.exec(line) ?? []
        if (failure !== undefined && failure !== 'Console') current?.add(failure)
      }
      return [...failures.values()].reduce((sum, { size }) => sum + Math.max(1, size), 0) || null
    },
    reports: [
      {
        is: jestTests,
        head: /^ {2}● (\S.*)$/,
        end: /^(?: ?(?:FAIL|PASS) |Test Suites: |Summary of all failing tests)/,
        above: /^ ?FAIL +(\S.*?)(?: \(\d[\d.]* m?s\))?$/,
        read([, title = ''], _, above) {
          if (title === 'Console') return null
          const file = above?.[1]
          if (title === 'Test suite failed to run') return { name: file, file, how: 'load' }
          return { name: title.split(' › ').at(-1), file }
        },
      },
    ],
  },

  /**
   * The summary of failed tests omits failed files and hooks (Failed Suites) and uncaught errors (Errors); both are
   * added here.
   */
  vitest: {
    summaries(lines) {
      let failedFiles: number | null = null
      let suites = 0
      let isOver = false
      return lines.flatMap(line => {
        suites += groupSum(line, /^⎯+ Failed Suites (\d{1,9}) ⎯+$/)
        if (vitestFiles.test(line)) failedFiles = numberOf(line, 'failed')
        const [, errors] = /^ *(?:Type )?Errors +(\d{1,9}) errors?$/.exec(line) ?? []
        if (errors !== undefined) return isOver ? { failed: Number(errors) } : []
        const [, told] = /^ *Tests +(no tests|\d+ [a-z].*\(\d+\))$/.exec(line) ?? []
        if (told === undefined) return []
        const ran = told === 'no tests' ? {} : ranIn(told)
        if (failedFiles === null) return ran
        const failed = Math.max(failedFiles, numberOf(told, 'failed') + suites)
        isOver = true
        suites = 0
        failedFiles = null
        return { failed, ...ran }
      })
    },
    failures(lines) {
      const listed = new Set(lines.filter(line => /^ FAIL {2,}\S.* (?:>|\[) /.test(line)))
      const ofFiles = lines.map(line => groupSum(line, /^ ❯ \S.* \(\d+ tests? \| (\d{1,9}) failed\b/))
      return Math.max(listed.size, sumOrNull(ofFiles) ?? 0) || null
    },
    reports: [
      {
        is: vitestFiles,
        head: /^ FAIL {2,}(\S.*)$/,
        end: /^⎯+/,
        read([, title = '']) {
          const [, unloaded] = /^(\S+) \[ .* \]$/.exec(title) ?? []
          if (unloaded !== undefined) return { name: unloaded, file: unloaded, how: 'load' }
          const [file, ...names] = title.replace(/^\|[^|]*\| /, '').split(' > ')
          return { name: names.at(-1), file }
        },
      },
    ],
  },

  /**
   * The final counts, which are the same in all its human-readable reporters. A failing hook counts one, however many
   * tests it prevented. Without the counts nothing is known: numbered lists of other programs look the same.
   */
  mocha: {
    summaries: atLine(mochaPassing, (line, near) => {
      const more = [near(1), near(2)].filter(next => /^ {2}\d{1,9} (?:pending|failing)$/.test(next))
      const said = [line, ...more].join('\n')
      const run = numberOf(said, 'passing', 'failing')
      // No count of any kind means that no test was run.
      const failed = run > 0 || more.length > 0 ? numberOf(said, 'failing') : undefined
      return { failed, run, skipped: numberOf(said, 'pending') }
    }),
    reports: [
      {
        is: mochaPassing,
        after: /^ {2}\d{1,9} failing$/,
        head: /^ {2}\d+\) (\S.*)$/,
        read([, first = ''], body) {
          const titled = first.endsWith(':') ? -1 : body.findIndex(line => /^ {6,}\S.*:$/.test(line))
          const name = (titled === -1 ? first : (body[titled] ?? '')).trim().replace(/:$/, '')
          return { name, said: firstSaid(body.slice(titled + 1)) }
        },
      },
    ],
  },

  /** AVA. The reports of its failures are titled blocks, three empty lines apart. */
  ava: {
    summaries: atLine(/^ {2}\d{1,9} tests? (?:failed|passed)$/, (line, near) =>
      near(-1) === '  ─' ? { failed: numberOf(line, 'tests? failed') } : null,
    ),
    reports: [
      {
        is: /^ {2}\d{1,9} tests? failed$/,
        arrange: avaBlocks,
        head: /^AVA (.+)$/,
        read([, title = ''], body) {
          const thrown = body.find(line => /^ {2}\w*Error(?: \[\w+\])?: /.test(line))
          const differs = body.some(line => line.startsWith('  Difference ('))
          const how = differs || thrown === undefined ? 'assertion' : undefined
          return {
            name: title.split(' › ').at(-1),
            how,
            said: thrown?.trim() ?? (differs ? '' : firstSaid(body)),
          }
        },
      },
    ],
  },

  /** bun test. The error stands above the name of its test. */
  bun: {
    summaries: atLine(/^Ran \d{1,9} tests? across \d{1,9} files?\./, (_, near) => {
      const said = [-1, -2, -3, -4, -5, -6]
        .map(near)
        .filter(line => /^ \d{1,9} [a-z]/.test(line))
        .join('\n')
      const failed = numberOf(said, 'fail')
      return { failed, run: failed + numberOf(said, 'pass'), skipped: numberOf(said, 'skip', 'todo') }
    }),
    reports: [
      {
        is: /^Ran \d{1,9} tests? across \d{1,9} files?\./,
        arrange: bunInOrder,
        head: /^BUN (.+)$/,
        end: /^BUN$/,
        read([, title = ''], body) {
          const said = body.find(line => /^(?:error|\w*Error): /.test(line)) ?? ''
          const file = /^\S+\.[cm]?[jt]sx?$/.test(title) ? title : undefined
          const how = file === undefined ? undefined : 'load'
          return { name: title.split(' > ').at(-1), file, how, said: said.replace(/^error: /, '') }
        },
      },
    ],
  },

  /** deno test. A step is a test inside of a test. */
  deno: {
    summaries: atLine(/^(?:ok|FAILED) \| \d{1,9} passed\b.* \| \d{1,9} failed\b/, line => {
      const failed = numberOf(line, 'failed')
      return { failed, run: failed + numberOf(line, 'passed'), skipped: numberOf(line, 'ignored') }
    }),
    reports: [
      {
        is: /^FAILED \| \d{1,9} passed\b/,
        after: /^ ERRORS $/,
        head: /^(\S.*) => (\S+):(\d+):\d+$/,
        end: /^ FAILURES $/,
        read([, title = '', file = '', line], body) {
          const said = firstSaid(body).replace(/^error: /, '')
          if (said === '') return null
          return {
            name: title.split(' ... ').at(-1),
            file,
            place: { file, line: Number(line) },
            how: howByWords(said),
            said,
          }
        },
      },
    ],
  },
}

function avaBlocks(lines: readonly string[]): string[] {
  const from = lines.indexOf('  ─')
  return lines.slice(from + 1).map((line, at, rest) => {
    const above = rest.slice(Math.max(0, at - 3), at)
    const begins = above.every(one => one === '') && (at < 3 || above.length === 3) && /^ {2}\S/.test(line)
    return begins && line !== '  ─' ? `AVA ${line.trim()}` : line
  })
}

function bunInOrder(lines: readonly string[]): string[] {
  const found: string[] = []
  let file = ''
  let above: string[] = []
  for (const line of lines) {
    const [, named] = /^(\S+\.\w+):$/.exec(line) ?? []
    const [, failed] = /^(?:\(fail\)|✗) (.+?)(?: \[[\d.]+m?s\])?$/.exec(line) ?? []
    const isUnhandled = /^# Unhandled error between tests$/.test(line)
    if (isUnhandled) found.push(`BUN ${file}`)
    else if (failed !== undefined) found.push(`BUN ${failed}`, ...above, 'BUN')
    if (failed !== undefined || named !== undefined || /^(?:\((?:pass|skip|todo)\)|[✓»✎]) /.test(line))
      above = []
    else above.push(line)
    if (above.length > 500) above.shift()
    file = named ?? file
    found.push(line)
  }
  return found
}

/** The error that kept a file of node:test from loading is printed far above its report; it is put into it. */
function withLoadErrors(lines: readonly string[]): string[] {
  const errors = lines.filter(line => /^\w*Error(?: \[\w+\])?: /.test(line))
  return lines.flatMap(line =>
    line === "  'test failed'" ? [line, `  ${errors.shift() ?? neverRan}`] : line,
  )
}

function ranIn(line: string) {
  return { run: numberOf(line, 'passed', 'failed'), skipped: numberOf(line, 'skipped', 'todo') }
}

type TestResult = { depth: number; failed: boolean }

/**
 * Counts failed leaves: a test that fails only because of a test inside it is not counted, so that the count is the
 * number of things to repair. Results are in the order in which they ended, inner tests before the outer one.
 */
function failedLeaves(results: readonly TestResult[]): number {
  const open: { depth: number; failures: number }[] = []
  for (const { depth, failed } of results) {
    let inside = 0
    for (let last = open.at(-1); last !== undefined && last.depth > depth; last = open.at(-1)) {
      inside += last.failures
      open.pop()
    }
    open.push({ depth, failures: failed ? Math.max(1, inside) : 0 })
  }
  return open.reduce((sum, { failures }) => sum + failures, 0)
}

/** Lines inside a YAML block are not results. */
function tapResults(lines: readonly string[]): TestResult[] {
  const found: TestResult[] = []
  const braces: TestResult[] = []
  for (const { line, depth } of outsideYaml(lines)) {
    const [is, not] = /^ *(not )?ok\b/i.exec(line) ?? []
    if (is !== undefined)
      (line.endsWith(' {') ? braces : found).push({ depth, failed: not !== undefined && !leftOut.test(line) })
    else if (line.trim() === '}' && braces.at(-1)?.depth === depth) found.push(...braces.splice(-1))
  }
  return [...found, ...braces.toReversed()]
}

function* outsideYaml(lines: readonly string[]): Generator<{ line: string; depth: number; at: number }> {
  let yaml: number | null = null
  for (const [at, line] of lines.entries()) {
    const depth = line.length - line.trimStart().length
    if (yaml !== null && depth >= yaml) {
      if (depth === yaml && line.trim() === '...') yaml = null
      continue
    }
    yaml = depth > 0 && line.trim() === '---' ? depth : null
    yield { line, depth, at }
  }
}

/** The results that fail because of those inside them, which stand above them, are left out. */
function withoutHolders(lines: readonly string[]): string[] {
  const holders = new Set<number>()
  /** The depths below which a test has failed, the deepest last. */
  const failed: number[] = []
  for (const { line, depth, at } of outsideYaml(lines)) {
    const [is, not] = /^ *(not )?ok\b/i.exec(line) ?? []
    if (is === undefined || line.endsWith(' {')) continue
    const holds = (failed.at(-1) ?? -1) > depth
    while ((failed.at(-1) ?? -1) > depth) failed.pop()
    if (not === undefined || leftOut.test(line)) continue
    if (holds) holders.add(at)
    if (failed.at(-1) !== depth) failed.push(depth)
  }
  return lines.map((line, at) => (holders.has(at) ? '# Subtest' : line))
}
