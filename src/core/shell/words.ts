/**
 * Parses the words of a shell command: quotes, escapes, `$…` and backquotes, by the rules that dash and bash
 * share. A substitution is parsed as the list of commands that it is (core/shell/lists).
 */
import { namesShell } from './programs.ts'
import {
  inList,
  notePlace,
  type Quoting,
  type ShellReader,
  takeReference,
  troubled,
  type ValuePlace,
  type Word,
} from './reader.ts'

/** Reads commands up to the parenthesis that closes a substitution. */
type ReadList = (reader: ShellReader) => void

/** The characters that end a word. */
const meta = /[ \t\n;&|<>()]/

export function readShellWord(reader: ShellReader, list: ReadList): Word {
  const start = reader.at
  const places: ValuePlace[] = []
  const text = inList(reader, places, () => readParts(reader, list))
  const raw = reader.text.slice(start, reader.at)
  // bash expands these into several words.
  const isExpanded = /\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(raw) || (/[*?[]/.test(raw) && raw !== '[')
  return { raw, text: isExpanded ? null : text, places }
}

function readParts(reader: ShellReader, list: ReadList): string | null {
  let text: string | null = ''
  const add = (part: string | null) => {
    text = text === null || part === null ? null : text + part
  }
  while (reader.at < reader.text.length && !meta.test(reader.text.charAt(reader.at))) {
    add(readPart(reader, list))
  }
  return text
}

/** Reads one character, quoted string or expansion; null if its text is known only at run time. */
function readPart(reader: ShellReader, list: ReadList): string | null {
  const { at } = reader
  const taken = takeReference(reader, 'bare')
  if (taken === 'text') return reader.text.slice(at + 1, reader.at)
  if (taken) return null
  switch (reader.text.charAt(at)) {
    case '\\':
      return readEscape(reader)
    case "'":
      return readSingle(reader)
    case '"':
      return readDouble(reader, list)
    case '$':
      return readDollar(reader, list, 'bare')
    case '`':
      return readBackquotes(reader)
    default:
      reader.at += 1
      return reader.text.charAt(at)
  }
}

function readEscape(reader: ShellReader): string {
  const next = reader.text.charAt(reader.at + 1)
  if (next === '') troubled(reader, 'a backslash at its end')
  reader.at += 2
  return next === '\n' ? '' : next
}

function readSingle(reader: ShellReader): string | null {
  const start = reader.at
  const end = reader.text.indexOf("'", reader.at + 1)
  if (end === -1) return unclosed(reader, "'")
  let text: string | null = ''
  reader.at += 1
  while (reader.at < end) {
    const { at } = reader
    const taken = takeReference(reader, 'single')
    if (!taken) reader.at += 1
    const part = reader.text.slice(taken === 'text' ? at + 1 : at, reader.at)
    text = taken === 'value' || text === null ? null : text + part
  }
  newlinesInQuotes(reader, reader.text.slice(start, end))
  reader.at = Math.max(reader.at, end + 1)
  return text
}

function readDouble(reader: ShellReader, list: ReadList): string | null {
  const start = reader.at
  let text: string | null = ''
  reader.at += 1
  while (reader.text.charAt(reader.at) !== '"') {
    if (reader.at >= reader.text.length) return unclosed(reader, '"')
    const part = readQuoted(reader, list, 'double')
    text = text === null || part === null ? null : text + part
  }
  newlinesInQuotes(reader, reader.text.slice(start, reader.at))
  reader.at += 1
  return text
}

/** Reads one part of a double-quoted string or a heredoc. */
export function readQuoted(reader: ShellReader, list: ReadList, quoting: Quoting): string | null {
  const { at } = reader
  const taken = takeReference(reader, quoting)
  if (taken === 'text') return reader.text.slice(at + 1, reader.at)
  if (taken) return null
  const character = reader.text.charAt(at)
  if (character === '$') return readDollar(reader, list, quoting)
  if (character === '`') return readBackquotes(reader)
  if (character !== '\\') {
    reader.at += 1
    return character
  }
  const next = reader.text.charAt(at + 1)
  reader.at += 2
  return next === '\n' ? '' : /[$`"\\]/.test(next) ? next : `\\${next}`
}

/**
 * A heredoc's text starts after the next line end, and shells disagree on whether a line end inside quotes
 * counts.
 */
function newlinesInQuotes(reader: ShellReader, text: string): void {
  if (text.includes('\n') && reader.heredocs.length + reader.waiting > 0)
    troubled(reader, 'a line end in quotes before the text of a heredoc')
}

function unclosed(reader: ShellReader, quote: string): null {
  troubled(reader, `a ${quote} that is not closed`)
  return null
}

const mostNested = 20
const tooDeep = `substitutions nested deeper than ${mostNested}`

const parameter = /[A-Za-z_]\w*|[0-9@*#?$!-]/y

function readDollar(reader: ShellReader, list: ReadList, quoting: Quoting): string | null {
  const next = reader.text.charAt(reader.at + 1)
  reader.at += 1
  // The dollar of ${{…}}; the reference after it is refused where it is read.
  if (reader.references.has(reader.at)) return null
  if (next === '(') return readSubstitution(reader, list)
  if (next === '{') return readParameter(reader, list, quoting)
  if (next === '[' || (quoting === 'bare' && (next === "'" || next === '"'))) {
    troubled(reader, `$${next}, which not every shell knows`)
    return null
  }
  parameter.lastIndex = reader.at
  const name = parameter.exec(reader.text)?.[0]
  reader.at += name?.length ?? 0
  return name === undefined ? '$' : null
}

function readSubstitution(reader: ShellReader, list: ReadList): null {
  if (reader.text.startsWith('((', reader.at)) return readArithmetic(reader)
  if (reader.depth > mostNested) troubled(reader, tooDeep)
  const { heredocs, waiting } = reader
  reader.at += 1
  reader.waiting = waiting + heredocs.length
  reader.heredocs = []
  reader.depth += 1
  list(reader)
  reader.depth -= 1
  if (reader.heredocs.length > 0) troubled(reader, 'a heredoc without its text')
  reader.heredocs = heredocs
  reader.waiting = waiting
  if (reader.text.charAt(reader.at) !== ')') troubled(reader, 'a $( that is not closed')
  else reader.at += 1
  return null
}

function readArithmetic(reader: ShellReader): null {
  const start = reader.at
  let open = 0
  do {
    if (takeReference(reader, 'bare', { why: 'arithmetic', by: '$((…))' })) continue
    const character = reader.text.charAt(reader.at)
    if (character === '' || /['"`\\#]/.test(character)) troubled(reader, 'quotes in $((…))')
    if (character === '(') open += 1
    if (character === ')') open -= 1
    reader.at += 1
  } while (open > 0 && !reader.trouble)
  if (!reader.text.slice(start, reader.at).endsWith('))')) troubled(reader, '$(( without its ))')
  return null
}

function readParameter(reader: ShellReader, list: ReadList, quoting: Quoting): null {
  const before = reader.places.length
  reader.at += 1
  reader.depth += 1
  if (reader.depth > mostNested) troubled(reader, tooDeep)
  while (reader.text.charAt(reader.at) !== '}') {
    if (takeReference(reader, quoting, { why: 'parameter', by: '${…}' })) continue
    const character = reader.text.charAt(reader.at)
    if (character === '') return unclosed(reader, '${')
    if (/['"]/.test(character) && quoting !== 'bare') troubled(reader, 'quotes in ${…} in quotes')
    else if (character === "'") readSingle(reader)
    else if (character === '"') readDouble(reader, list)
    else readQuoted(reader, list, quoting)
  }
  reader.depth -= 1
  for (const place of reader.places.slice(before)) place.refusal ??= { why: 'parameter', by: '${…}' }
  reader.at += 1
  return null
}

/**
 * Backquotes end at the first one without a backslash, whatever the quotes around it; where quotes matter, it
 * is trouble.
 */
function readBackquotes(reader: ShellReader): null {
  const start = reader.at + 1
  reader.at = start
  while (reader.text.charAt(reader.at) !== '`') {
    if (takeReference(reader, 'bare', { why: 'backquotes', by: '`…`' })) continue
    if (reader.at >= reader.text.length) return unclosed(reader, '`')
    reader.at += reader.text.charAt(reader.at) === '\\' ? 2 : 1
  }
  const inside = reader.text.slice(start, reader.at)
  if (/['"]/.test(inside.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '')))
    troubled(reader, 'a quote in `…` that is not closed there')
  newlinesInQuotes(reader, inside)
  if (namesShell(inside)) for (const element of reader.elements) element.runsInput ??= '`…`'
  reader.at += 1
  return null
}

/** Marks all references up to `end`, in text that the shell takes literally, with this refusal. */
export function noteAll(reader: ShellReader, end: number, refusal: ValuePlace['refusal']): void {
  for (const found of reader.references.values()) {
    if (found.start < reader.at || found.end > end) continue
    if (found.kind === 'escaped') reader.dropped.push(found.start - 1)
    else notePlace(reader, { found, quoting: 'heredoc', refusal })
  }
}
