/**
 * The names of the failed tests, and how each failed: by an assertion, by another error, or because its file
 * could not be loaded. Each runner is one row: where the report of a failure begins and what its lines mean.
 * Null if no runner is recognised that names its failures. `count` does the counting.
 */
import { printedLines } from './lines.ts'

export type FailedTest = {
  /** The test's own name without its suites; for a file that could not be loaded, the file. */
  name: string
  /** The file as the runner writes it; null if the runner does not name it. */
  file: string | null
  how: 'assertion' | 'error' | 'load'
  /** The first message of the runner. */
  said: string
}

type Found = { name: string; file?: string | null; how: FailedTest['how'] | null; said?: string }

type Row = {
  /** Matches if the lines come from this runner. */
  is: RegExp
  /** The first line of the report of a failure. */
  head: RegExp
  /** The reports begin after this line. */
  after?: RegExp
  /** The line that ends the reports, or one of them. */
  end?: RegExp
  /** `how` is null if the report is not a failure of its own. */
  read(head: RegExpExecArray, body: string[], before: string[]): Found
}

export function failedTests(text: string): FailedTest[] | null {
  const lines = printedLines(text)
  const known = rows.filter(({ is }) => lines.some(line => is.test(line)))
  return known.length === 0 ? null : known.flatMap(row => readRow(row, lines))
}

function readRow(row: Row, lines: readonly string[]): FailedTest[] {
  const from = row.after ? lines.findIndex(line => row.after?.test(line)) : 0
  if (from === -1) return []
  const found: FailedTest[] = []
  for (let at = from; at < lines.length; at += 1) {
    const head = row.head.exec(lines[at] ?? '')
    if (!head) continue
    const rest = lines.slice(at + 1)
    const next = rest.findIndex(line => row.head.test(line) || row.end?.test(line))
    const body = next === -1 ? rest : rest.slice(0, next)
    const { how, name, file = null, said } = row.read(head, body, lines.slice(0, at).toReversed())
    if (how !== null) found.push({ name, file, how, said: said ?? firstSaid(body) })
  }
  // A test that contains others fails because they do.
  return unique(found).filter(({ name }) => !found.some(other => other.name.startsWith(`${name}/`)))
}

/** Removes duplicates: some runners print everything twice. */
function unique(found: FailedTest[]): FailedTest[] {
  const key = ({ name, file }: FailedTest) => `${file ?? ''}\0${name}`
  return [...new Map(found.toReversed().map(one => [key(one), one])).values()].toReversed()
}

function firstSaid(body: string[]): string {
  return (
    body
      .find(line => line.trim() !== '')
      ?.trim()
      .slice(0, 200) ?? ''
  )
}

/** Classifies a JavaScript error by its name, or by the words of `expect`. */
function byWords(said: string): FailedTest['how'] {
  return /^(?:\S*Assertion\w*(?:Error)?\b|expect[(.]|.{0,40}\[?ERR_ASSERTION\b)/.test(said)
    ? 'assertion'
    : 'error'
}

const nodeSpec: Row = {
  is: /^ℹ tests \d+$/,
  after: /^✖ failing tests:$/,
  head: /^✖ (.+) \(\d[\d.]*ms\)$/,
  end: /^(?:test at |[⚠﹣✔] )/,
  read([, name = ''], body, [above = '']) {
    const file = /^test at (.+):\d+:\d+$/.exec(above)?.[1] ?? null
    const said = firstSaid(body)
    if (/^'\d+ subtests? failed'$/.test(said)) return { name, how: null }
    return { name, file, how: said === "'test failed'" ? 'load' : byWords(said), said }
  },
}

const isTap = /^(?:TAP version \d+|1\.\.\d+)$/

/** TAP with a dash before the name: node, tap, Perl. */
const nodeTap: Row = {
  is: isTap,
  head: /^ *not ok \d+ - (.+)$/,
  end: /^ *(?:ok \d+|\.\.\.$|# Subtest)/,
  read([, titled = ''], body) {
    const name = titled.replace(/ # (?:time=.*)$/, '')
    const field = (key: string) =>
      new RegExp(`^ *${key}: '?(.*?)'?$`).exec(
        body.find(line => line.trim().startsWith(`${key}:`)) ?? '',
      )?.[1]
    const isNone = /# (?:TODO|SKIP)\b/i.test(titled) || field('failureType') === 'subtestsFailed'
    const file = field('location')?.replace(/:\d+:\d+$/, '') ?? null
    const isAssertion = body.some(line =>
      /\b(?:ERR_ASSERTION|AssertionError)\b|^ *(?:# +Failed test\b|compare: )/.test(line),
    )
    const how = field('error') === 'test failed' ? 'load' : isAssertion ? 'assertion' : 'error'
    return { name, file, how: isNone ? null : how, said: field('error') ?? '' }
  },
}

/** Comments in which tape counts, or says what it left out. */
const tapeCounts = /^(?:Subtest:|(?:tests|pass|fail|skip|todo|time|duration_ms)\b|SKIP\b|TODO\b|ok$)/

/** TAP without a dash: tape, whose tests are titled by a comment above their assertions, and mocha. */
const plainTap: Row = {
  is: isTap,
  head: /^not ok \d+ (?!- )(\S.*)$/,
  end: /^(?:ok \d+|not ok \d+|# |1\.\.\d+$| {2}\.\.\.$)/,
  read([, said = ''], body, before) {
    const comments = before.flatMap(line => /^# (\S.*)$/.exec(line)?.[1] ?? [])
    const name = comments.find(comment => !tapeCounts.test(comment)) ?? said
    const operator = body.flatMap(line => /^ +operator: (\S+)$/.exec(line)?.[1] ?? [])[0]
    const [, file = null] = body.flatMap(line => /^ +at: .*\((.+):\d+:\d+\)$/.exec(line) ?? [])
    if (/# (?:TODO|SKIP)\b/i.test(said)) return { name, how: null }
    // tape reports a test that did not end, or threw, as an assertion of its own.
    const isUnended = /^(?:plan != count|test exited without ending|test timed out|\.end\(\) )/.test(said)
    const isAssertion =
      operator === undefined ? body.some(line => byWords(line.trim()) === 'assertion') : operator !== 'error'
    return { name, file, how: isAssertion && !isUnended ? 'assertion' : 'error', said }
  },
}

const jest: Row = {
  is: /^ *Tests: +(?:\S.*, )?\d+ total$/,
  head: /^ {2}● (\S.*)$/,
  end: /^(?: ?(?:FAIL|PASS) |Test Suites: |Summary of all failing tests)/,
  read([, title = ''], body, before) {
    const file = fileAbove(before, /^ ?FAIL +(\S.*?)(?: \(\d[\d.]* m?s\))?$/)
    const said = firstSaid(body)
    const name = title.split(' › ').at(-1) ?? title
    if (title === 'Console') return { name, how: null }
    if (title === 'Test suite failed to run') return { name: file ?? title, file, how: 'load', said }
    return { name, file, how: byWords(said), said }
  },
}

function fileAbove(before: string[], form: RegExp): string | null {
  for (const line of before) {
    const [, file] = form.exec(line) ?? []
    if (file !== undefined) return file
  }
  return null
}

const vitest: Row = {
  is: /^ *Test Files +(?:no tests|\d+ [a-z].*\(\d+\))$/,
  head: /^ FAIL {2,}(\S.*)$/,
  end: /^⎯+/,
  read([, title = ''], body) {
    const [, unloaded] = /^(\S+) \[ .* \]$/.exec(title) ?? []
    const said = firstSaid(body)
    if (unloaded !== undefined) return { name: unloaded, file: unloaded, how: 'load', said }
    const [file = '', ...names] = title.replace(/^\|[^|]*\| /, '').split(' > ')
    return { name: names.at(-1) ?? title, file, how: byWords(said), said }
  },
}

const mocha: Row = {
  is: /^ {2}\d{1,9} passing \(\S+\)$/,
  after: /^ {2}\d{1,9} failing$/,
  head: /^ {2}\d+\) (\S.*)$/,
  read([, first = ''], body) {
    const titled = first.endsWith(':') ? -1 : body.findIndex(line => /^ {6,}\S.*:$/.test(line))
    const name = (titled === -1 ? first : (body[titled] ?? '')).trim().replace(/:$/, '')
    const said = firstSaid(body.slice(titled + 1))
    return { name, how: byWords(said), said }
  },
}

const pytest: Row = {
  is: /^(?:=+ )?\d+ (?:failed|passed|errors?|skipped)\b.* in \d+\.\d+s/,
  head: /^_{3,} (.+?) _{3,}$/,
  end: /^(?:=+ [a-z]|FAILED |ERROR )/,
  read([, title = ''], body) {
    const [, uncollected] = /^ERROR collecting (.+)$/.exec(title) ?? []
    const raised = body.filter(line => /^E {3}/.test(line)).map(line => line.slice(1).trim())
    const said = raised.at(-1) ?? firstSaid(body)
    if (uncollected !== undefined) return { name: uncollected, file: uncollected, how: 'load', said }
    const place = body.map(line => /^(\S+\.py):\d+: (\w+)?$/.exec(line)).findLast(one => one !== null)
    const isAssertion =
      place?.[2] === 'AssertionError' ||
      ((place?.[2] ?? 'Failed') === 'Failed' && /^(?:assert |Failed: )/.test(raised[0] ?? ''))
    const name = (
      title
        .replace(/^ERROR at (?:setup|teardown) of /, '')
        .split('.')
        .at(-1) ?? title
    ).replace(/\[.*$/, '')
    const how = title.startsWith('ERROR ') || !isAssertion ? 'error' : 'assertion'
    return { name, file: place?.[1] ?? null, how, said: raised[0] ?? said }
  },
}

const unittest: Row = {
  is: /^Ran \d+ tests? in \d+\.\d+s$/,
  head: /^(FAIL|ERROR): (\w+) \(([\w.]+)\).*$/,
  end: /^(?:={70}|Ran \d+ tests? in )/,
  read([, kind, name = '', path = ''], body) {
    const said = body.findLast(line => line.trim() !== '' && !/^-+$/.test(line)) ?? ''
    if (path.includes('_FailedTest')) return { name, file: `${name}.py`, how: 'load', said }
    return { name, how: kind === 'FAIL' ? 'assertion' : 'error', said }
  },
}

const go: Row = {
  is: /^(?:ok {2}|FAIL)\t\S+(?:\t| \[|$)/,
  head: /--- FAIL: (\S+) \(\d+\.\d+s\)$|^FAIL\t(\S+) \[(?:build|setup) failed\]$/,
  end: /^(?:FAIL|ok {2}\t|=== )/,
  read([, name, unbuilt], body) {
    if (unbuilt !== undefined) return { name: unbuilt, how: 'load', said: 'does not build' }
    const panic = body.find(line => line.startsWith('panic: '))
    const said = panic ?? firstSaid(body)
    return { name: name ?? '', how: panic === undefined ? 'assertion' : 'error', said }
  },
}

const cargo: Row = {
  is: /^(?:running \d+ tests?|error: could not compile `.*)$/,
  head: /^---- (\S+) stdout ----$|^error: could not compile `([^`]+)`/,
  end: /^failures:$/,
  read([, path, uncompiled], body) {
    if (uncompiled !== undefined) return { name: uncompiled, how: 'load', said: 'does not compile' }
    const panicked = body.findIndex(line => line.includes(' panicked at '))
    const said = [body[panicked] ?? '', body[panicked + 1] ?? ''].join(' ').trim()
    const how = /\bassertion\b|'assertion failed/.test(said) ? 'assertion' : 'error'
    return { name: (path ?? '').split('::').at(-1) ?? '', how, said }
  },
}

const rows: readonly Row[] = [nodeSpec, nodeTap, plainTap, jest, vitest, mocha, pytest, unittest, go, cargo]
