/**
 * Puts references into a shell command without putting any value into its text: `{{x}}` becomes the expansion of an
 * environment variable, quoted as its place needs, so a value cannot become code. One state machine follows quotes:
 *   plain ─'─> single ─'─> plain ─"─> double ─"─> plain;  in plain and double: $( ─> plain of a new frame ─)─> back
 * What it does not follow (heredocs, backquotes, arithmetic, …) refuses every value; core/shell/programs the rest.
 */
import { environmentName, type FoundReference, findReferences } from '../text/references.ts'
import { type Refusal, type Token, verdictOn, withoutAssignments } from './programs.ts'

const forms = {
  plain: (name: string) => `"$${name}"`,
  double: (name: string) => `\${${name}}`,
  single: (name: string) => `'"$${name}"'`,
  command: (name: string) => `/bin/sh -c "$${name}"`,
}
type Place = FoundReference & { form: keyof typeof forms; pipeline: number; refusal: Refusal | null }
/** The top, a subshell or a substitution. `isTarget`: the next word belongs to a redirection. */
type Frame = { quote: 'plain' | 'single' | 'double'; words: Token[]; word: Token | null; isTarget: boolean }
/** `frames`: the last is the innermost. `unsure`: what is not followed. */
type Scan = {
  text: string
  at: number
  frames: Frame[]
  commands: { words: Token[]; pipeline: number }[]
  places: Place[]
  pipeline: number
  isCompound: boolean
  unsure: string | null
}
const foreign: Refusal = { why: 'foreign', by: '${{' }
type Spliced = { command: string; paths: string[]; refused: (FoundReference & Refusal)[] }

/** `isCommand`: the variable is declared as a command, whose value runs in a shell of its own. */
export function splice(text: string, isCommand: (path: string) => boolean = () => false): Spliced {
  const found = findReferences(text)
  const { unsure, places } = judged(scanned(text, found), isCommand)
  if (unsure !== null) {
    const refusal: Refusal = { why: 'trouble', by: unsure }
    const read = found.filter(({ kind }) => kind !== 'escaped')
    const refused = read.map(one => ({ ...one, ...(one.kind === 'foreign' ? foreign : refusal) }))
    return { command: text, paths: [], refused }
  }
  let command = ''
  let at = 0
  for (const { start, end, path, kind, form } of places) {
    command += text.slice(at, kind === 'escaped' ? start - 1 : start)
    command += kind === 'escaped' ? text.slice(start, end) : forms[form](environmentName(path))
    at = end
  }
  const paths = places.flatMap(({ refusal, kind, path }) => (refusal || kind === 'escaped' ? [] : [path]))
  const refused = places.flatMap(place => (place.refusal ? [{ ...place, ...place.refusal }] : []))
  return { command: command + text.slice(at), paths: [...new Set(paths)], refused }
}

/** In a text with compounds, a value of any command can reach any other. */
function judged(scan: Scan, isCommand: (path: string) => boolean): Scan {
  const { commands, places, isCompound } = scan
  const verdicts = commands.flatMap(({ words, pipeline }) => {
    const [program, ...args] = withoutAssignments(words)
    const isWhole = ({ path, start, end, form }: Place) =>
      isCommand(path) && form === 'plain' && start === program?.start && end === start + program.raw.length
    const whole = args.length === 0 ? places.find(isWhole) : undefined
    if (whole) whole.form = 'command'
    const verdict = verdictOn(whole ? words.slice(0, -1) : words)
    return verdict ? [{ ...verdict, pipeline }] : []
  })
  for (const place of places) {
    if (place.form === 'command' || place.kind === 'escaped') continue
    const reaching = verdicts.find(one => isCompound || one.ofText || one.pipeline === place.pipeline)
    if (place.kind === 'foreign') place.refusal = foreign
    else if (isCommand(place.path)) place.refusal = { why: 'not-alone', by: '' }
    else if (reaching) place.refusal = { why: reaching.why, by: reaching.by }
  }
  return scan
}

const newFrame = (): Frame => ({ quote: 'plain', words: [], word: null, isTarget: false })
const innermost = ({ frames }: Scan): Frame => frames.at(-1) ?? newFrame()

function scanned(text: string, found: FoundReference[]): Scan {
  const references = new Map(found.map(one => [one.kind === 'escaped' ? one.start - 1 : one.start, one]))
  const state = { pipeline: 0, isCompound: false, unsure: null }
  const scan: Scan = { text, at: 0, frames: [newFrame()], commands: [], places: [], ...state }
  while (scan.at < text.length && scan.unsure === null) {
    const reference = references.get(scan.at)
    if (reference) takeReference(scan, reference)
    else step(scan)
  }
  const isOpen = scan.frames.length > 1 || innermost(scan).quote !== 'plain'
  if (isOpen) scan.unsure ??= 'a quote or ( that is not closed'
  endCommand(scan, '')
  return scan
}

function takeReference(scan: Scan, found: FoundReference): void {
  const frame = innermost(scan)
  scan.places.push({ ...found, form: frame.quote, pipeline: scan.pipeline, refusal: null })
  const leads = frame.word === null || frame.word.text === ''
  add(scan, found.kind === 'escaped' ? scan.text.slice(found.start, found.end) : null)
  scan.at = found.end
  if (found.kind === 'escaped') return
  if (frame.word) frame.word.leads ||= leads
  for (const { word } of scan.frames) if (word) word.hasValue = true
}

/** Adds text to the word; null for what is known only at run time. */
function add(scan: Scan, text: string | null): void {
  const frame = innermost(scan)
  frame.word ??= { start: scan.at, raw: '', text: '', hasValue: false, leads: false }
  frame.word.text = text === null || frame.word.text === null ? null : frame.word.text + text
}

const parameter = /\$(?:[A-Za-z_]\w*|[\d@*#?$!-]|\{\w+(?:(?::?[-+=?]|[%#])[^\\'"`${}]*)?\})/y
/** The first that matches is taken. `where` is tested against the quotes, and `start` at the start of a word. */
const rules: [where: RegExp, form: RegExp, act: (scan: Scan, found: string) => unknown][] = [
  [/single/, /'/y, changeQuote],
  [/plain|double/, /`/y, stop('backquotes')],
  [/plain|double/, /\$\(\(|\$\[/y, stop('arithmetic')],
  [/plain|double/, /\$\(/y, open],
  [/plain|double/, parameter, scan => add(scan, null)],
  [/plain|double/, /\$\{/y, stop('${…}')],
  // A continued line without a blank before it could join the halves of an operator.
  [/plain|double/, /(?<=[ \t])\\\n/y, () => {}],
  [/plain|double/, /\\(?:\n|$)/y, stop('a backslash at the end of a line')],
  [/double/, /"/y, changeQuote],
  [/double/, /\\[^$`"\\]/y, add],
  [/plain|double/, /\\[^]/y, (scan, found) => add(scan, found.slice(1))],
  [/plain/, /\$['"]/y, stop("$'…'")],
  [/plain/, /<</y, stop('a heredoc')],
  [/plain/, /[<>]\(|\(\(|;[;&]|&>|\|&/y, (scan, found) => stop(found)(scan)],
  [/plain start/, /#[^\n]*|\d+(?=[<>])/y, () => {}],
  [/plain/, /['"]/y, changeQuote],
  [/plain/, /[ \t]+/y, endWord],
  [/plain/, /&&|\|\||[;&|\n]/y, endCommand],
  [/plain/, /[<>]+[&|]?/y, scan => Object.assign(endWord(scan), { isTarget: true })],
  [/plain/, /\(/y, open],
  [/plain/, /\)/y, close],
  // bash expands these into something else.
  [/plain/, /[*?[{]/y, scan => add(scan, null)],
  [/./, /[^]/y, add],
]

function step(scan: Scan): void {
  const { quote, word } = innermost(scan)
  for (const [where, form, act] of rules) {
    form.lastIndex = scan.at
    const found = where.test(word ? quote : `${quote} start`) ? form.exec(scan.text)?.[0] : undefined
    if (found === undefined) continue
    act(scan, found)
    scan.at += found.length
    return
  }
}

function stop(by: string): (scan: Scan) => unknown {
  return scan => Object.assign(scan, { unsure: by })
}

function changeQuote(scan: Scan, mark: string): void {
  add(scan, '')
  const frame = innermost(scan)
  frame.quote = frame.quote !== 'plain' ? 'plain' : mark === '"' ? 'double' : 'single'
}

function open(scan: Scan, found: string): void {
  if (found === '$(') add(scan, null)
  else if (endWord(scan).words.length > 0) scan.unsure = 'a ( after a word'
  scan.isCompound ||= found === '('
  scan.frames.push(newFrame())
}

function close(scan: Scan): void {
  endCommand(scan, ')')
  scan.frames.pop()
  if (scan.frames.length === 0) scan.unsure = 'a ) without its ('
}

function endWord(scan: Scan): Frame {
  const frame = innermost(scan)
  const { word, isTarget, words } = frame
  if (word === null) return frame
  word.raw = scan.text.slice(word.start, scan.at)
  if (word.raw === '[') word.text = '['
  Object.assign(frame, { word: null, isTarget: false })
  const isReserved = /^(?:if|then|elif|else|fi|while|until|for|do|done|[!{}])$/.test(word.raw)
  if (isReserved && words.length === 0 && word.raw !== '!') scan.isCompound = true
  if (!isTarget && (!isReserved || words.length > 0 || word.raw === 'for')) words.push(word)
  return frame
}

/** Only a pipe connects two commands, outside of compounds and substitutions. */
function endCommand(scan: Scan, operator: string): void {
  const frame = endWord(scan)
  if (frame.words.length > 0) scan.commands.push({ words: frame.words, pipeline: scan.pipeline })
  Object.assign(frame, { words: [], isTarget: false })
  if (operator !== '|' && scan.frames.length === 1) scan.pipeline += 1
}
