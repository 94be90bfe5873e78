/**
 * What a person looks for in the report of one failed test: the error in one line, and where it is. It knows no test
 * runner, only the forms in which they and their languages write a place, and what was expected instead of what.
 */
import { isTestFile } from '../change.ts'
import type { TestPlace } from './runner.ts'

const longestLine = 200

/** Messages that say only that two values differ, or that name the assertion and not the values. */
const sayNothing: readonly RegExp[] = [
  /^Expected values to be /,
  /^The expression evaluated to a falsy value/,
  /^Expected "actual" /,
  /^expect\(/,
  /^(?:Values|Difference|Assertion failed|assertion failed)\b.*:?$/,
  /^assertion `.*` failed$/,
  /^should (?:be|not be|loosely|deeply|strictly|not) ?(?:\w+ ?){0,4}(?:\(.*\))?$/,
  /^(?:compare: )?[!=]==?$/,
  /^Assert\.\w+\(\) Failure(?:: Values differ)?$/,
  /^Error Message:$/,
  /^Failure\/Error: /,
  /^# +(?:Failed test|at )/,
]

/** `expected 3, got 2` where the message itself says less. */
export function errorLine(said: string, body: readonly string[]): string {
  const message = said
    .trim()
    .replace(/^(?:error: |(?:[a-z]\w*\.)+(?=[A-Z]\w*(?:Error|Exception|Failure)))/, '')
    .replace(/^(?:Uncaught )?(?:Assertion\w*(?:Error)?)(?: \[\w+\])?(?:: |$)/, '')
    .replace(/^(\w+)(?: \[ERR_\w+\])(?=: )/, '$1')
    .replace(/^\S+\.\w+:\d+(?::\d+)?: /, '')
    .replace(/ \[recovered\]$| at \w+\.\w+:\d+$/, '')
  const values = difference(body)
  if (said === '') return oneLine(values ?? '')
  if (sayNothing.some(form => form.test(message))) return oneLine(values ?? (below(message, body) || message))
  if (values === null || /\b(?:expected|want)\b|===|!==?|==/i.test(message))
    return oneLine(joined(message, body))
  return oneLine(message === '' ? values : `${message.replace(/:$/, '')}: ${values}`)
}

/** A message that announces the next line is nothing without it. */
function joined(message: string, body: readonly string[]): string {
  if (!message.endsWith(':') && message !== '') return message
  return `${message} ${below(message, body)}`.trim().replace(/:$/, '')
}

function below(message: string, body: readonly string[]): string {
  const at = message === '' ? -1 : body.findIndex(line => line.includes(message))
  const next = body.slice(at + 1).find(line => line.trim() !== '')
  // A field of YAML is none of the message.
  return next === undefined || /^ *[a-z]\w*:(?: |$)/.test(next) ? '' : next.trim()
}

function difference(body: readonly string[]): string | null {
  const expected = valueOf(body, /^ *(?:# +)?(?:expected|right|want(?:ed)?): *`?(\S.*)$/i)
  const got = valueOf(body, /^ *(?:# +)?(?:actual|received|got|left): *`?(\S.*)$/i)
  return expected !== null && got !== null ? `expected ${expected}, got ${got}` : marked(body)
}

/** Null for a value that continues on the next lines. */
function valueOf(body: readonly string[], form: RegExp): string | null {
  for (const line of body) {
    const [, value = ''] = form.exec(line) ?? []
    if (value !== '') return /^(?:[|>]-?|.*[[{(])$/.test(value) ? null : bare(value)
  }
  return null
}

const legends =
  /^ *(?:(?:[-+]|-{3}|\+{3}) ?(?:expected|actual|received)\b|\[Diff\] Actual \/ Expected|'?Difference \(- actual)/i

/** The first lines that differ, below the line that says which side is which. */
function marked(body: readonly string[]): string | null {
  const legend = body.findIndex(line => legends.test(line))
  if (legend === -1) return null
  const isPlusExpected = /\+ *expected|Actual \/ Expected/i.test(`${body[legend]}${body[legend + 1]}`)
  const rest = body.slice(legend + 1).filter(line => !legends.test(line))
  const side = (sign: '+' | '-') =>
    rest.flatMap(line => (line.trimStart()[0] === sign ? [line.trim().slice(1).trim()] : []))[0]
  const [expected, got] = isPlusExpected ? [side('+'), side('-')] : [side('-'), side('+')]
  return expected && got ? `expected ${bare(expected)}, got ${bare(got)}` : null
}

/** Without the comma of a list, or what older Rust puts around it. */
function bare(value: string): string {
  return value.replace(/`', \S+$/, '').replace(/[,`]+$/, '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, longestLine)
}

/** A value of YAML without its quotes. */
export function unquoted(text: string): string {
  const [, quote, inside] = /^(['"])(.*)\1$/.exec(text) ?? []
  if (inside === undefined) return text
  return quote === "'" ? inside.replaceAll("''", "'") : inside.replaceAll('\\"', '"')
}

const places: readonly RegExp[] = [
  // JavaScript: a stack frame, and Vitest; tape and TAP of node
  /^ *(?:at |❯ |#? *at: |location: )(?:.*?[( '"])?((?:file:\/\/)?[^\s('"]+\.\w+):(\d+):\d+['")]*$/,
  // Python: pytest, and a traceback
  /^([^\s:]+\.\w+):(\d+): /,
  /^ *File "([^"]+)", line (\d+)/,
  // Go: a message of a test, and a frame of a panic
  /^\s+([^\s:]+\.go):(\d+)(?:: | \+0x)/,
  // Rust
  /(?:panicked at |', )([^\s:']+\.rs):(\d+):\d+:?$/,
  /^ *--> ([^\s:]+):(\d+):\d+$/,
  // AVA
  /^ {2}(\S+\.[cm]?[jt]sx?):(\d+)$/,
  // Java
  /^\s+(?:at [^\s(]+\(|\S+ at )(\w+\.(?:java|kt|groovy|scala)):(\d+)\)?$/,
  // Perl, Ruby, PHP, .NET
  /^ *# +at (\S+) line (\d+)\.$/,
  /^ *# (\S+\.rb):(\d+)(?::in\b|$)/,
  /^(?: +│ )?(\/\S+\.php):(\d+)$/,
  / in (\S+\.\w+):line (\d+)$/,
]

const foreign = /node_modules|^node:|\/usr\/(?:lib|local|share)\/|\/rustc\/|site-packages|<|\.cargo\/registry/

/** The first place in the file of the test; if that is not named, the first in a test file, or the first at all. */
export function placeIn(body: readonly string[], file: string | null): TestPlace | null {
  const found = body.flatMap((line, at) => placeOf(line) ?? splitPlace(body, at) ?? [])
  const own = file === null ? undefined : found.find(place => isSame(place.file, file))
  if (own !== undefined) return { ...own, file: file ?? own.file }
  if (file !== null) return null
  return found.find(place => isTestFile(place.file)) ?? found[0] ?? null
}

function placeOf(line: string): TestPlace | null {
  for (const form of places) {
    const [, file, number] = form.exec(line) ?? []
    if (file !== undefined) return foreign.test(file) ? null : { file, line: Number(number) }
  }
  return null
}

/** tap writes file and line on lines of their own, in `at`. */
function splitPlace(body: readonly string[], at: number): TestPlace | null {
  if (!/^ +at:$/.test(body[at] ?? '')) return null
  const within = body.slice(at + 1, at + 5)
  const value = (key: RegExp) => within.flatMap(line => key.exec(line)?.[1] ?? [])[0]
  const [file, line] = [value(/^ *file(?:Name)?: (\S+)$/), value(/^ *line(?:Number)?: (\d{1,9})$/)]
  return file === undefined || line === undefined ? null : { file, line: Number(line) }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map(path => path.replace(/^file:\/\//, '').replace(/^\.\//, ''))
  return a === b || (a ?? '').endsWith(`/${b}`) || (b ?? '').endsWith(`/${a}`)
}
