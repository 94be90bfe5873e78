/**
 * What the output of a failed command tells: its signature, and signs that it can never work. The signature is what
 * failed, with which message, in which file. Two outputs with the same cause have the same signature, whatever their
 * times, process ids, temporary directories, line numbers or order of tests. It is used for comparison and short enough
 * to show. It knows no test runner: it selects the lines that look like errors.
 */

import type { CommandDoubt } from '../../failures/reading.ts'
import { printedLines } from './printed.ts'

const longestSignature = 400
const longestClue = 200

/** Names of failing tests or files; their numbers are part of the name. The groups are kept. */
const names: readonly RegExp[] = [
  /^✖ (.+) \(\d+(?:\.\d+)?ms\)$/,
  /^not ok\b(?: \d+)?(?: -)? ?(?!.*# ?(?:TODO|SKIP)\b)(.*?)(?: # time=.*)?(?: \{)?$/i,
  /^● (?!Console$)(\S.*)$/,
  /^FAIL[ \t]+(\S.*?)(?:\t\d.*| \(\d[\d.]* m?s\))?$/,
  /^(?:FAILED|ERROR) (\S+\.py(?:::.*?)?)(?: - ([\w.]+(?=:))?.*)?$/,
  /--- FAIL: (\S+) \(\d/,
  /^test (.+) \.\.\. FAILED$/,
  /^#\s+Failed test '(.*)'$/,
]

/** Error messages. */
const messages: readonly RegExp[] = [
  /(?:error|exception|fatal|panic)(?: ?\[\w+\]| [A-Z]+\d+)?:/i,
  /^(?:[\w.]*(?:Error|Exception|Interrupt)|Segmentation fault.*|Killed)$/,
  /^E {2,}\S/,
  /\bpanicked at /,
  /\(signal: \d+, SIG|^(?:Bail out!|FAILED--|● {2}\S)/,
  /undefined reference to/,
  /: (?:(?:command )?not found|No such file or directory|Permission denied)$/,
  /^(?:\d+:\d+ +error +|make(?:\[\d+\])?: \*\*\* )/,
  // A compiler or a Go test: file:line: message. Frames of a Python traceback are excluded.
  /^[^\s:]+\.\w+:\d+(?::\d+)?: (?!in )\S/,
  /^(?:#\s+)?(?:expected|actual|got|received|left|right|message|operator): +\S/i,
]

/** Stack frames of third-party code: an error is never repaired there. */
const foreign = /node_modules|node:|\/usr\/(?:lib|local|share)\/|\/rustc\/|site-packages|<frozen|<anonymous>$/

export function errorSignature(text: string): string | null {
  const lines = printedLines(text).map(line => outputOfGo(line).trim())
  const printed = lines.filter(line => line !== '')
  if (printed.length === 0) return null
  const found = clues(lines)
  if (found.length === 0) return short(printed.slice(-5).map(line => withoutNumbers(normal(line))))
  // Parallel tests end in any order.
  return short([...new Set(found)].sort())
}

const mostNew = 8

/** The lines that were not printed before, each made short; times, places and other numbers make no new line. */
export function newLines(now: string, before: string): string[] {
  const known = new Set(printedLines(before).map(alike))
  const found = printedLines(now).flatMap(line => {
    const key = alike(line)
    if (key === '' || known.has(key)) return []
    known.add(key)
    return line.replace(/\s+/g, ' ').trim().slice(0, longestClue)
  })
  return found.slice(0, mostNew)
}

function alike(line: string): string {
  return withoutNumbers(normal(line)).trim()
}

function clues(lines: readonly string[]): string[] {
  const found: string[] = []
  let before = ''
  let placeless: number | null = null
  for (const [index, line] of lines.entries()) {
    const clue = clueOf(lines, index)
    const place = placeOf(line)
    if (clue !== null) {
      placeless = before === '' ? found.length : null
      found.push(before === '' ? clue : `${clue} @ ${before}`)
    } else if (place !== null && placeless !== null) {
      found[placeless] += ` @ ${place}`
      placeless = null
    } else if (/^console\.\w+$/.test(line)) {
      // Output of a test has its own position.
      placeless = null
    }
    before = line === '' ? '' : (placeBefore(line) ?? before)
  }
  return found
}

function clueOf(lines: readonly string[], index: number): string | null {
  const line = lines[index] ?? ''
  for (const name of names) {
    const kept = name.exec(line)?.slice(1)
    if (kept === undefined) continue
    // A test without a name is identified by its line.
    const said = kept.filter(group => group !== undefined).join(' ') || line
    // Jest prints the message on its own line below the name.
    const message = line.startsWith('● ') ? withoutNumbers(normal(nextLine(lines, index))) : ''
    return `${normal(said)} ${message}`.trim()
  }
  if (!messages.some(pattern => pattern.test(line))) return null
  const rest = /(?::|[|>]-?)$/.test(line) ? nextLine(lines, index) : ''
  return withoutNumbers(normal(`${line} ${rest}`.trim()))
}

function nextLine(lines: readonly string[], index: number): string {
  const near = lines.slice(index + 1, index + 4)
  return near.find(line => line !== '') ?? ''
}

/** The file of a stack frame, or of a pointer below a message. */
function placeOf(line: string): string | null {
  if (!/^(?:at:? |❯ |--> |test at |location: |\/|#\s+at )/.test(line)) return null
  const end = line.search(/(?::\d+(?::\d+)?['")]*(?: \+0x[\da-f]+)?| line \d+\.)$/)
  if (end === -1) return null
  const file = line.slice(Math.max(line.lastIndexOf(' ', end - 1), line.lastIndexOf('(', end - 1)) + 1, end)
  return foreign.test(line) ? null : normal(file.replace(/^['"]/, ''))
}

/** The file named above its messages: in Python with the innermost last, in linters for all lines that follow. */
function placeBefore(line: string): string | null {
  const [, file] = /^File "([^"]+)", line \d+/.exec(line) ?? /^(\/\S+\.\w+)$/.exec(line) ?? []
  return file === undefined || foreign.test(file) ? null : normal(file)
}

/** go test -json wraps every line of output in an event. */
function outputOfGo(line: string): string {
  const [, output] = /^\{"Time":.*?"Output":"((?:[^"\\]|\\.)*)"\}$/.exec(line) ?? []
  return output?.replaceAll('\\n', '').replaceAll('\\t', '\t').replaceAll('\\"', '"') ?? line
}

/** Removes everything that differs between runs and machines; plain numbers stay. */
function normal(text: string): string {
  return text
    .replace(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '#')
    .replace(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '#')
    .replace(/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, '#')
    .replace(/\bfile:\/\//g, '')
    .replace(/(?<![\w.<])\/[\w@.+~-]+(?:\/[\w@.+~-]+)+/g, relative)
    .replace(/(\.[a-z]\w{0,5})(?::\d+(?::\d+)?|\(\d+,\d+\)|", line \d+)/gi, '$1')
    .replace(/\b0x[\da-f]+|\b(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{7,}\b/gi, '#')
    .replace(/\s+/g, ' ')
    .slice(0, longestClue)
}

/**
 * Shortens an absolute path to its end: neither the location of the checkout nor the name of a temporary
 * directory is part of an error.
 */
function relative(path: string): string {
  const parts = path.split('/').slice(1)
  const temporary = ['tmp', 'var', 'private'].includes(parts[0] ?? '')
  const from = temporary ? parts.findIndex(part => part === 'tmp' || part === 'T') + 2 : 0
  return parts.slice(Math.max(from, parts.length - 2)).join('/') || '#'
}

/** Removes free-standing numbers and their units; numbers inside a word, such as TS2304 or utf8, stay. */
function withoutNumbers(text: string): string {
  return text.replace(
    /(?<![\w.])[-+]?(?:\d+[hm])*\d[\d_]*(?:\.\d+)?(?: ?(?:ms|s|ns|µs|us|min|[kKMG]?i?B))?(?!\w)/g,
    '#',
  )
}

function short(found: readonly string[]): string {
  const whole = found.join(' | ')
  if (whole.length <= longestSignature) return whole
  const hash = ` … ${hashOf(whole)}`
  return whole.slice(0, longestSignature - hash.length) + hash
}

/** A hash (FNV-1a) that distinguishes texts that were cut; it need not be hard to forge. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/**
 * Finds signs that a failed command can never work: a missing script, target or directory is often a typing
 * mistake. The agent may have to create it, so the result is a doubt and not a verdict.
 */
const forms: readonly { form: RegExp; facts(name: string): CommandDoubt }[] = [
  // npm 7 and newer, npm 6, pnpm
  { form: /^npm (?:error|ERR!) [Mm]issing script: "?([^"]+?)"?$/, facts: script('npm') },
  {
    form: /^npm (?:error|ERR!) enoent (Could not read package\.json)/,
    facts: () => ({ kind: 'package-file-missing' }),
  },
  { form: /^.{0,3}ERR_PNPM_NO_SCRIPT.{0,3}\s+Missing script: (\S+)/, facts: script('pnpm') },
  { form: /^error Command "([^"]+)" not found\.$/, facts: script('yarn') },
  { form: /^error: Script not found "([^"]+)"$/, facts: script('bun') },
  {
    form: /^g?make(?:\[\d+\])?: \*\*\* No rule to make target [`'‘]([^'’]+)['’](?:, needed by .*)?\.\s+Stop\.$/,
    facts: target => ({ kind: 'make-rule-missing', target }),
  },
  {
    form: /^g?make(?:\[\d+\])?: \*\*\* (No targets specified and no makefile found)\.\s+Stop\.$/,
    facts: () => ({ kind: 'makefile-missing' }),
  },
  { form: /^g?make(?:\[\d+\])?: \*\*\* (.+): No such file or directory\.\s+Stop\.$/, facts: directory },
  // dash, bash
  { form: /^(?:\/bin\/)?sh: \d+: cd: can't cd to (.+)$/, facts: directory },
  { form: /^(?:\/bin\/)?(?:ba)?sh: (?:line \d+: )?cd: (.+): No such file or directory$/, facts: directory },
]

function script(program: string) {
  return (name: string): CommandDoubt => ({ kind: 'script-unknown', program, script: name })
}

function directory(path: string): CommandDoubt {
  return { kind: 'directory-missing', path }
}

const mostShown = 250

/** The first doubt; null if the output shows no such sign. */
export function doubtOf(output: string): CommandDoubt | null {
  for (const line of printedLines(output)) {
    for (const { form, facts } of forms) {
      const [, name] = form.exec(line) ?? []
      if (name !== undefined) return facts(name.slice(0, mostShown))
    }
  }
  return null
}
