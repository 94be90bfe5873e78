/**
 * Parses the commands, pipelines and compounds of a shell script far enough to know which word belongs to which
 * program and what reaches whose standard input. It does not check the order of reserved words: `sh -n` does.
 */
import {
  type Element,
  inList,
  type ShellReader,
  type SimpleCommand,
  troubled,
  type ValuePlace,
  type Word,
} from './reader.ts'
import { noteAll, readQuoted, readShellWord } from './words.ts'

const operator = /;;&|;;|;&|;|&&|&>|&|\|\||\|&|\||\n|\)/y
const reservedWord =
  /(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|\{|\}|!|time|function|select|coproc|\[\[)(?=[\s;&|()<>]|$)/y
const closing = ['then', 'elif', 'else', 'fi', 'do', 'done', 'esac', '}']

/**
 * Reads commands up to one of these ends and consumes it, unless it is a parenthesis; returns '' if none is
 * found.
 */
export function readCommands(reader: ShellReader, ends: readonly string[]): string {
  let pipeline: Element[] = []
  let goesOn = false
  for (;;) {
    skipBlanks(reader)
    const found = reader.at < reader.text.length ? matchAt(reader, operator) : ''
    if (found === null) {
      const word = matchAt(reader, reservedWord) ?? ''
      if (closing.includes(word)) {
        reader.pipelines.push(pipeline)
        reader.at += word.length
        return ends.includes(word) ? word : unexpected(reader, word)
      }
      pipeline.push(readElement(reader))
      goesOn = false
      continue
    }
    if (found === '\n') readLineEnd(reader)
    else if (found !== ')') reader.at += found.length
    if (found === '|') goesOn = true
    if (found === '|' || (found === '\n' && goesOn)) continue
    reader.pipelines.push(pipeline)
    pipeline = []
    const end = found.startsWith(';;') || found === ';&' ? ';;' : found
    if (end === '' || ends.includes(end)) return end
    if (['&>', '|&', ')', ';;'].includes(end)) return unexpected(reader, end)
  }
}

function unexpected(reader: ShellReader, what: string): '' {
  troubled(reader, `${what}, which not every shell would read the same way here`)
  return ''
}

function matchAt({ text, at }: ShellReader, form: RegExp): string | null {
  form.lastIndex = at
  return form.exec(text)?.[0] ?? null
}

/** Skips blanks, continued lines and a comment. A value in a comment has no effect. */
function skipBlanks(reader: ShellReader): void {
  reader.at += matchAt(reader, /(?:[ \t]|\\\n)*(?:#[^\n]*)?/y)?.length ?? 0
}

function skipLines(reader: ShellReader): void {
  skipBlanks(reader)
  while (reader.text.charAt(reader.at) === '\n') {
    readLineEnd(reader)
    skipBlanks(reader)
  }
}

function takeWord(reader: ShellReader, words: readonly string[]): string | null {
  const word = matchAt(reader, reservedWord)
  if (word === null || !words.includes(word)) return null
  reader.at += word.length
  return word
}

const mostNested = 100

function readElement(reader: ShellReader): Element {
  const element: Element = { places: [], stdin: [], runsInput: null, writes: [] }
  if (reader.elements.length > mostNested) troubled(reader, `commands nested deeper than ${mostNested}`)
  reader.elements.push(element)
  inList(reader, element.places, () => readBody(reader))
  reader.elements.pop()
  return element
}

function readBody(reader: ShellReader): void {
  while (takeWord(reader, ['!', 'time'])) skipBlanks(reader)
  if (reader.text.charAt(reader.at) === '(') {
    if (reader.text.charAt(reader.at + 1) === '(') return troubled(reader, '((')
    reader.at += 1
    readCommands(reader, [')'])
    if (reader.text.charAt(reader.at) !== ')') return troubled(reader, 'a ( that is not closed')
    reader.at += 1
    return readRedirections(reader)
  }
  const word = takeWord(reader, Object.keys(compounds))
  if (word) {
    compounds[word]?.(reader)
    return readRedirections(reader)
  }
  const unknown = takeWord(reader, ['function', 'select', 'coproc', '[['])
  if (unknown) return troubled(reader, `${unknown}, which not every shell knows`)
  readSimple(reader)
}

const compounds: Record<string, (reader: ShellReader) => void> = {
  '{': reader => closes(reader, readCommands(reader, ['}'])),
  if: reader => {
    let end = ''
    do end = readCommands(reader, ['then', 'elif', 'else', 'fi'])
    while (end !== '' && end !== 'fi')
    closes(reader, end)
  },
  while: readLoop,
  until: readLoop,
  for: readFor,
  case: readCase,
}

function closes(reader: ShellReader, end: string): void {
  if (end === '') troubled(reader, 'a compound command that is not closed')
}

function readLoop(reader: ShellReader): void {
  if (readCommands(reader, ['do']) === '') return closes(reader, '')
  closes(reader, readCommands(reader, ['done']))
}

function readFor(reader: ShellReader): void {
  skipBlanks(reader)
  if (reader.text.charAt(reader.at) === '(') return troubled(reader, 'for ((')
  const name = readShellWord(reader, inParentheses)
  for (const place of name.places) place.refusal ??= { why: 'name', by: 'for' }
  skipLines(reader)
  if (takeWord(reader, ['in'])) reader.loops.push({ name: name.text, words: readWords(reader) })
  readLoop(reader)
}

function readCase(reader: ShellReader): void {
  skipBlanks(reader)
  readShellWord(reader, inParentheses)
  skipLines(reader)
  if (!takeWord(reader, ['in'])) return troubled(reader, 'case without in')
  for (;;) {
    skipLines(reader)
    if (takeWord(reader, ['esac'])) return
    if (!readPatterns(reader)) return troubled(reader, 'a pattern of case that is not closed')
    const end = readCommands(reader, [';;', 'esac'])
    if (end !== ';;') return closes(reader, end)
  }
}

function readPatterns(reader: ShellReader): boolean {
  if (reader.text.charAt(reader.at) === '(') reader.at += 1
  for (;;) {
    skipBlanks(reader)
    const before = reader.at
    readShellWord(reader, inParentheses)
    skipBlanks(reader)
    const next = reader.text.charAt(reader.at)
    reader.at += 1
    if (next === ')') return true
    if (next !== '|' || reader.at === before) return false
  }
}

function inParentheses(reader: ShellReader): void {
  readCommands(reader, [')'])
}

function readSimple(reader: ShellReader): void {
  const words = readWords(reader)
  if (reader.text.charAt(reader.at) !== '(') {
    const around = [...reader.elements]
    const isSubstituted = reader.depth > 0
    reader.commands.push({ words, around, isSubstituted } satisfies SimpleCommand)
    return
  }
  const parentheses = matchAt(reader, /\([ \t]*\)/y)
  const [name, ...more] = words
  if (!parentheses || !name?.text || more.length > 0 || name.places.length > 0) {
    return troubled(reader, 'a ( after a word')
  }
  reader.functions.add(name.text)
  reader.at += parentheses.length
}

/** Reads the words of a command and, among them, its redirections, which are not words. */
function readWords(reader: ShellReader): Word[] {
  const words: Word[] = []
  for (;;) {
    skipBlanks(reader)
    if (readRedirection(reader)) continue
    if (reader.at >= reader.text.length || /[\n;&|()]/.test(reader.text.charAt(reader.at))) return words
    words.push(readShellWord(reader, inParentheses))
  }
}

function readRedirections(reader: ShellReader): void {
  do skipBlanks(reader)
  while (readRedirection(reader))
}

const redirection = /\d*(?:<<<|<<-|<<|<>|<&|>&|>>|>\||<|>)/y

function readRedirection(reader: ShellReader): boolean {
  const found = matchAt(reader, redirection)
  if (found === null) return false
  reader.at += found.length
  const form = found.replace(/^\d+/, '')
  if (reader.text.charAt(reader.at) === '(') troubled(reader, `${form}(…)`)
  reader.at += matchAt(reader, /(?:[ \t]|\\\n)*/y)?.length ?? 0
  if (form === '<<' || form === '<<-') readDelimiter(reader, form === '<<-')
  else {
    const stdin = form === '<<<' ? (reader.elements.at(-1)?.stdin ?? []) : []
    const { raw } = inList(reader, stdin, () => readShellWord(reader, inParentheses))
    if (/^1?>/.test(found) && form !== '>&') reader.elements.at(-1)?.writes.push(raw)
  }
  return true
}

const delimiterForm = /(?:'[^']*'|"[^"\\]*"|\\[^\n]|[^\s;&|<>()'"\\])+/y

function readDelimiter(reader: ShellReader, tabs: boolean): void {
  const raw = matchAt(reader, delimiterForm) ?? ''
  const end = reader.at + raw.length
  const holdsValue = [...reader.references.keys()].some(at => at >= reader.at && at < end)
  if (raw === '' || /[$`\n]/.test(raw) || holdsValue)
    return troubled(reader, 'a heredoc whose end is no word')
  reader.at = end
  reader.heredocs.push({
    delimiter: raw.replaceAll(/['"]|\\(.)/g, (_, escaped?: string) => escaped ?? ''),
    quoted: /['"\\]/.test(raw),
    tabs,
    into: [...reader.into, reader.elements.at(-1)?.stdin ?? ([] as ValuePlace[])],
  })
}

/** Reads a line end and the heredocs that start after it. */
function readLineEnd(reader: ShellReader): void {
  reader.at += 1
  if (reader.waiting > 0) return troubled(reader, 'a line end in $(…) before the text of a heredoc')
  const heredocs = reader.heredocs
  reader.heredocs = []
  for (const { delimiter, quoted, tabs, into } of heredocs) {
    const end = endOfHeredoc(reader, delimiter, tabs)
    if (!end) return troubled(reader, `a heredoc without its ${delimiter}`)
    const before = reader.into
    reader.into = into
    if (quoted) noteAll(reader, end.text, { why: 'quoted-heredoc', by: delimiter })
    else while (reader.at < end.text && !reader.trouble) readQuoted(reader, inParentheses, 'heredoc')
    reader.into = before
    if (reader.trouble) return
    if (!quoted && reader.at !== end.text)
      return troubled(reader, 'a heredoc that ends within a substitution')
    reader.at = end.next
  }
}

function endOfHeredoc(
  { text, at }: ShellReader,
  delimiter: string,
  tabs: boolean,
): { text: number; next: number } | null {
  let start = at
  while (start < text.length) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, end)
    if ((tabs ? line.replace(/^\t+/, '') : line) === delimiter) {
      return { text: start, next: Math.min(end + 1, text.length) }
    }
    start = end + 1
  }
  return null
}
