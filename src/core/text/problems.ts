/**
 * The number of problems that a linter or type checker found, errors and warnings together, from its output.
 * Each tool is one row. Null if unknown: no tool is recognised and the command failed, the output was cut, or
 * the tool could not check everything (a file that does not parse hides the problems of others).
 */
import { countAt, groupSum, keyOfValue, matching, type Printed, printed, sumOrNull } from './printed.ts'

/** The count; null if this is not its output; 'broken' if it could not check everything. */
type ProblemTool = (said: Printed) => number | null | 'broken'

const tools: Record<string, ProblemTool> = {
  /** Stylish and JSON; oxlint prints the same stylish format. A file that cannot be parsed counts as one error. */
  eslint: ({ lines, json }) =>
    sumOrNull([
      ...withKeys(json.filter(Array.isArray).flat(), 'filePath', 'errorCount').map(
        errorsAndWarnings('Count'),
      ),
      ...countsIn(lines, /^✖ (\d{1,9}) problems? \(\d+ errors?, \d+ warnings?\)$/),
    ]),

  /** The default report and JSON. Its summary includes problems that it did not print; notes do not count. */
  biome({ lines, json }) {
    const summaries = withKeys(json, 'summary', 'command').map(report => keyOfValue(report, 'summary'))
    const runs = lines.flatMap((line, at) => (biomeChecked.test(line) ? [biomeSummary(lines, at)] : []))
    const problems = runs.map(run => sumOrNull(countsIn(run, biomeProblems)) ?? 0)
    return sumOrNull([...summaries.map(errorsAndWarnings('s')), ...problems])
  },

  /** The default, JSON and unix formats; its stylish format is the same as ESLint's. */
  oxlint({ lines, json }) {
    const listed = matching(lines, /^\S.*:\d+:\d+: .* \[(?:Error|Warning)\/[^\]]+\]$/)
    return sumOrNull([
      ...withKeys(json, 'number_of_files').map(report => listAt(report, 'diagnostics').length),
      ...(listed > 0 ? [listed] : []),
      ...countsIn(lines, /^Found (\d{1,9}) warnings? and (\d{1,9}) errors?\.$/),
    ])
  },

  /** Every format that ends with its summary, and JSON. */
  ruff({ lines, json }) {
    // Older versions of tsc print the same summary.
    if (matching(lines, / - error TS\d+: /) > 0) return null
    const reports = json.filter(Array.isArray)
    const own = withoutBiome(lines)
    return sumOrNull([
      ...reports
        .filter(report => withKeys(report, 'filename', 'noqa_row').length === report.length)
        .map(report => report.length),
      ...countsIn(own, /^Found (\d{1,9}) errors?\.$/),
      ...countsIn(own, /^Found \d+ errors? \(\d+ fixed, (\d{1,9}) remaining\)\.$/),
      ...countsIn(own, /^All checks passed!$/),
    ])
  },

  /** One line per problem, without a summary. Ruff prints the same lines plus a summary. */
  flake8({ lines }) {
    if (matching(lines, /^Found \d+ errors?/) > 0) return null
    return matching(lines, /^\S.*\.pyi?:\d+:\d+: [A-Z]{1,4}\d{2,4} /) || null
  },

  /**
   * cargo clippy and cargo check: diagnostics with a source position, in full, short and JSON format. A diagnostic
   * shared by a library and its tests appears once in text and twice in JSON.
   */
  clippy({ lines, json }) {
    if (json.some(value => keyOfValue(value, 'reason') === 'build-finished')) return clippyJson(json)
    if (matching(lines, /^ +(?:Checking|Compiling|Finished) |^error: could not compile /) === 0) return null
    if (matching(lines, compilerError) > 0) return 'broken'
    const head = /^(?:warning|error)(?:\[[\w:]+\])?: /
    const inFull = lines.filter((line, at) => head.test(line) && /^ *--> /.test(lines[at + 1] ?? ''))
    return inFull.length + matching(lines, /^\S.*\.rs:\d+:\d+: (?:warning|error)(?:\[[\w:]+\])?: /)
  },

  /** Plain and pretty: one line per error. An error without a file concerns the configuration: nothing was checked. */
  tsc({ lines }) {
    const errors = matching(lines, /^\S.*(?:\(\d+,\d+\): |:\d+:\d+ - )error TS\d+: /)
    return errors > 0 ? errors : matching(lines, /^error TS\d+: /) > 0 ? 'broken' : null
  },

  /** Its summary. A syntax error prevents all other checks. */
  mypy({ lines }) {
    if (matching(lines, /^Found \d+ errors? in .*\(errors prevented further checking\)$/) > 0) return 'broken'
    return sumOrNull([
      ...countsIn(lines, /^Found (\d{1,9}) errors? in \d+ files? \(checked \d+ source files?\)$/),
      ...countsIn(lines, /^Success: no issues found in \d+ source files?$/),
    ])
  },

  /** Problems are listed below the name of their package. A package that does not compile is not vetted. */
  goVet({ lines }) {
    if (matching(lines, /^# \S+/) === 0) return null
    if (matching(lines, /^vet: \S+\.go:\d+:\d+: /) > 0) return 'broken'
    return matching(lines, /^\S+\.go:\d+:\d+: /) || null
  },
}

export function problemCount(text: string, exitCode: number | null): number | null {
  if (exitCode === null) return null
  const said = printed(text)
  const counts = Object.values(tools).flatMap(count => count(said) ?? [])
  if (counts.includes('broken')) return null
  const sum = sumOrNull(counts.filter(count => count !== 'broken')) ?? 0
  // The command failed without a counted problem: something else went wrong.
  return sum === 0 && exitCode !== 0 ? null : sum
}

const biomeChecked = /^(?:Checked|Linted|Formatted) \d+ files? in /
const biomeFound = /^Found \d{1,9} (?:errors?|warnings?|infos?)\.$/
const biomeProblems = /^Found (\d{1,9}) (?:errors?|warnings?)\.$/

/** Ruff prints lines like those of Biome's summary; those right after `Checked 3 files` belong to Biome. */
function biomeSummary(lines: readonly string[], checkedAt: number): readonly string[] {
  const rest = lines.slice(checkedAt + 1, checkedAt + 5)
  const end = rest.findIndex(line => !biomeFound.test(line))
  return end === -1 ? rest : rest.slice(0, end)
}

function withoutBiome(lines: readonly string[]): string[] {
  let inSummary = false
  return lines.filter(line => {
    inSummary = biomeChecked.test(line) || (inSummary && biomeFound.test(line))
    return !inSummary
  })
}

/** A source that does not compile hides the problems of others. */
const compilerError = /^(?:\S.*\.rs:\d+:\d+: )?error\[E\d+\]: /

function clippyJson(json: readonly unknown[]): number | 'broken' {
  const messages = json
    .filter(value => keyOfValue(value, 'reason') === 'compiler-message')
    .map(value => keyOfValue(value, 'message'))
    .filter(message => listAt(message, 'spans').length > 0)
  const rendered = messages.map(message => String(keyOfValue(message, 'rendered')).split('\n  = ')[0] ?? '')
  return matching(rendered, compilerError) > 0 ? 'broken' : new Set(rendered).size
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = keyOfValue(value, key)
  return Array.isArray(list) ? list : []
}

function withKeys(values: readonly unknown[], ...keys: string[]): readonly unknown[] {
  return values.filter(value => keys.every(key => keyOfValue(value, key) !== undefined))
}

function errorsAndWarnings(ending: 'Count' | 's') {
  return (value: unknown) => countAt(value, `error${ending}`) + countAt(value, `warning${ending}`)
}

/** For each line of the form, the sum of the numbers in its groups. */
function countsIn(lines: readonly string[], form: RegExp): number[] {
  return lines.filter(line => form.test(line)).map(line => groupSum(line, form))
}
