/**
 * The text of a workflow file as a small tree in which every part knows its position. It is YAML without the
 * features that hide meaning: no anchors, aliases, merge keys, tags or further documents. It knows nothing about
 * workflows.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument, Scalar } from 'yaml'
import type { Problem } from '../../model/group/workflow.ts'

/** Offsets into the text of the file. */
export type SourceRange = { start: number; end: number }

export type TextNode = {
  is: 'text'
  /** The text as typed: 2.50 is `2.50`. */
  text: string
  value: unknown
  /** It is a string, not a number or true. */
  isString: boolean
  range: SourceRange
  /** The position of these characters in the file; that of the whole text if it is not known. */
  within(start: number, end: number): SourceRange
}
export type MapNode = { is: 'map'; entries: YamlEntry[]; range: SourceRange }
type ListNode = { is: 'list'; items: Node[]; range: SourceRange }
type EmptyNode = { is: 'empty'; range: SourceRange }
export type Node = TextNode | MapNode | ListNode | EmptyNode
export type YamlEntry = { key: string; keyRange: SourceRange; value: Node }

/** The first entry with this key, in which - and _ are the same. */
export function entryOf({ entries }: MapNode, key: string): YamlEntry | undefined {
  const name = key.replaceAll('-', '_')
  return (
    entries.find(entry => entry.key === key) ?? entries.find(entry => entry.key.replaceAll('-', '_') === name)
  )
}

export function kindOfNode(value: Node): string {
  if (value.is === 'empty') return 'empty'
  if (value.is === 'map') return 'a map of keys'
  if (value.is === 'list') return 'a list'
  if (value.isString) return value.text.trim() === '' ? 'empty' : 'a text'
  return /^(true|false)$/.test(value.text) ? `the word ${value.text}` : `the number ${value.text}`
}

/** The mistakes found so far; `mark` adds one. */
export type ProblemNotes = {
  problems: Problem[]
  mark(range: SourceRange, message: string, hint?: string | null): void
}

/** More would be one mistake in many places. */
const mostProblems = 200

function clipped(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}

export function notesOn(text: string, file: string): ProblemNotes {
  const lines = new LineCounter()
  for (let at = 0; at !== -1; at = text.indexOf('\n', at) + 1 || -1) lines.addNewLine(at)
  const problems: Problem[] = []
  return {
    problems,
    mark({ start, end }, message, hint = null) {
      if (problems.length >= mostProblems) return
      const from = lines.linePos(Math.min(start, text.length))
      // A range that ends with a line end ends in that line.
      const to = lines.linePos(Math.max(start, start + text.slice(start, end).trimEnd().length))
      const problem = {
        file,
        line: from.line,
        column: from.col,
        endLine: to.line,
        endColumn: to.line === from.line ? Math.max(to.col, from.col + 1) : to.col,
        message: clipped(message),
        hint: hint && clipped(hint),
        source: text.split('\n')[from.line - 1]?.replace(/\r$/, '') ?? '',
      }
      const isKnown = problems.some(
        ({ line, column, message: said }) =>
          line === problem.line && column === problem.column && said === problem.message,
      )
      if (!isKnown) problems.push(problem)
    },
  }
}

/** The tree; null if the text is not usable YAML, which is noted. */
export function readYaml(text: string, notes: ProblemNotes): Node | null {
  try {
    return treeOf(text, notes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    notes.mark({ start: 0, end: 1 }, tooDeep)
    return null
  }
}

function treeOf(text: string, notes: ProblemNotes): Node | null {
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false })
  for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
    // Deeper than the stack: nobody writes such a file by hand.
    const other = /stack/i.test(message) ? tooDeep : `This is not YAML: ${message}.`
    const [words, hint] = known[code] ?? [other, null]
    const [line = ''] = text.slice(text.lastIndexOf('\n', pos[0] - 1) + 1).split('\n')
    notes.mark({ start: pos[0], end: pos[1] }, words, isBareReference(line) ? bareReference : hint)
  }
  const directive = /^%.*/m.exec(text.split(/^---/m)[0] ?? '')
  if (directive) {
    const { index: start } = directive
    const end = start + directive[0].length
    notes.mark({ start, end }, 'A workflow file has no directives.', 'Remove this line.')
  }
  if (notes.problems.length > 0) return null
  const tree = nodeOf(document.contents, { text, notes, around: { start: 0, end: text.length } })
  return notes.problems.length === 0 ? tree : null
}

const tooDeep = 'Lists or maps are nested too deeply here.'

/** `{{` without a quote before it. */
function isBareReference(line: string): boolean {
  return /^[^'"]*\{\{/.test(line)
}

const inQuotes = 'Put a value with ": ", "#" or a quote in it into quotes, or below | on lines of its own.'

const noTags: [string, string] = [
  'A workflow file has no tags.',
  'Remove the word that begins with "!", or put the whole value into quotes.',
]
const bareReference =
  'A value that begins with {{, or has it within [ ] or { }, stands in quotes: "{{name}}".'

const known: Record<string, [string, string | null]> = {
  MULTIPLE_DOCS: [
    'A workflow file is one document; another begins here.',
    'Put each workflow into a file of its own.',
  ],
  TAB_AS_INDENT: ['A tab cannot indent in YAML.', 'Indent with spaces.'],
  BLOCK_AS_IMPLICIT_KEY: ['This is not YAML: there is a second key on the line.', inQuotes],
  MULTILINE_IMPLICIT_KEY: [
    'This is not YAML: a key ends on another line, or there is no ":" after it.',
    inQuotes,
  ],
  UNRESOLVED_TAG: noTags,
  TAG_RESOLVE_FAILED: noTags,
  BAD_ALIAS: [
    'A workflow file has no aliases.',
    'Write the value out; common options go below defaults:. A value that begins with "*" stands in quotes.',
  ],
  UNEXPECTED_TOKEN: ['This is not YAML: this text belongs to no key.', inQuotes],
  MISSING_CHAR: ['This is not YAML: a closing quote or bracket, or a ":" or ",", is missing.', inQuotes],
  BAD_INDENT: [
    'This is not YAML: the line is not indented as those around it.',
    'Keys of one list or map begin in the same column.',
  ],
}

type Context = { text: string; notes: ProblemNotes; around: SourceRange }

function nodeOf(node: unknown, context: Context): Node {
  const { text, notes } = context
  const range = rangeOf(node) ?? { start: context.around.end, end: context.around.end }
  const { anchor, tag } = (node ?? {}) as { anchor?: string; tag?: string }
  if (anchor !== undefined)
    notes.mark(
      signBefore(text, range, '&'),
      'A workflow file has no anchors.',
      'Write the value out, or use defaults:.',
    )
  if (isAlias(node)) {
    notes.mark(
      range,
      'A workflow file has no aliases.',
      'Write the value out; common options go below defaults:.',
    )
    return { is: 'empty', range }
  }
  if (tag !== undefined) {
    const [, word = ''] = /(!\S*)\s*$/.exec(text.slice(0, range.start)) ?? []
    const start = text.slice(0, range.start).trimEnd().length - word.length
    notes.mark({ start, end: start + word.length }, ...noTags)
  }
  if (isMap(node))
    return { is: 'map', entries: entriesOf(node.items as Pair[], { ...context, around: range }), range }
  if (isSeq(node))
    return { is: 'list', items: node.items.map(item => nodeOf(item, { ...context, around: range })), range }
  if (!isScalar(node) || node.value === null) return { is: 'empty', range }
  return textNode(node as Scalar & { range?: number[] }, range, text)
}

/** The position of the sign right before a node. */
function signBefore(text: string, { start }: SourceRange, sign: string): SourceRange {
  const at = text.lastIndexOf(sign, start)
  return { start: Math.max(0, at), end: start }
}

function entriesOf(pairs: Pair[], context: Context): YamlEntry[] {
  const { notes } = context
  const entries: YamlEntry[] = []
  for (const { key, value } of pairs) {
    const keyRange = rangeOf(key) ?? context.around
    if (!isScalar(key) || typeof key.value !== 'string' || key.value === '__proto__') {
      const isReference = context.text.startsWith('{{', keyRange.start - 1)
      notes.mark(
        isReference ? { start: keyRange.start - 1, end: keyRange.end + 1 } : keyRange,
        'This is not the name of a key.',
        isReference ? bareReference : 'A key is one word, followed by ": ".',
      )
      continue
    }
    if (key.value === '<<') {
      notes.mark(
        keyRange,
        'A workflow file has no merge keys.',
        'Put options that several loops share below defaults:.',
      )
      continue
    }
    entries.push({ key: key.value, keyRange, value: nodeOf(value, { ...context, around: keyRange }) })
  }
  return entries
}

function rangeOf(node: unknown): SourceRange | null {
  const [start, end] = (node as { range?: [number, number, number] } | null)?.range ?? []
  return start === undefined || end === undefined ? null : { start, end }
}

function textNode(scalar: Scalar, range: SourceRange, source: string): TextNode {
  const isString = typeof scalar.value === 'string'
  const text = isString ? String(scalar.value) : (scalar.source ?? String(scalar.value))
  const whole = source.slice(range.start, range.end)
  return {
    is: 'text',
    text,
    value: scalar.value,
    isString,
    range,
    within(start, end) {
      const from = offsetOf(text, start, { scalar, whole })
      return from === null ? range : { start: range.start + from, end: range.start + from + (end - start) }
    },
  }
}

/** The position of a value's character in the source; null if escapes or folding hide it. */
function offsetOf(
  text: string,
  at: number,
  { scalar, whole }: { scalar: Scalar; whole: string },
): number | null {
  const quote = /^["']/.test(whole) ? 1 : 0
  if (whole.startsWith(text, quote)) return quote + at
  if (scalar.type === Scalar.BLOCK_LITERAL) {
    const lines = whole.split('\n')
    const before = text.slice(0, at).split('\n')
    const line = lines[before.length] ?? ''
    const indent = Math.max(0, line.length - (text.split('\n')[before.length - 1]?.length ?? 0))
    return lines.slice(0, before.length).join('\n').length + 1 + indent + (before.at(-1)?.length ?? 0)
  }
  if (!text.startsWith('{{', at)) return null
  const nth = text.slice(0, at).split('{{').length
  const parts = whole.split('{{')
  return parts.length > nth ? parts.slice(0, nth).join('{{').length : null
}
