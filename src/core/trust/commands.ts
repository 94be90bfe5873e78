/**
 * The commands in a shell text, parsed by the rules that dash and bash share: which words belong to which program, what
 * is piped or written, and the words of each `for`. It does not check the order of reserved words: `sh -n` does. What
 * the two shells read differently, or this parser does not know, is `trouble`: then nothing of it counts.
 */

/** `text`: the word without quotes, as the shell would see it; null if that is known only at run time. */
export type Word = { raw: string; text: string | null }

/** A command of a pipeline, simple or compound, from one place of the text to another, without a `!` before it. */
export type Element = {
  from: number
  to: number
  /** The files that its output goes to, and those that it has as standard input, as they are spelled. */
  writes: string[]
  reads: string[]
  /** The texts of its heredocs. */
  heredocs: string[]
  isSubstituted: boolean
  /** It is started with `&`. */
  isBackground: boolean
}

/** `around`: the enclosing elements, its own last. `isSubstituted`: it stands in `$(…)`. */
type SimpleCommand = { words: Word[]; around: Element[]; isSubstituted: boolean }

/** `for name in words` */
type ForLoop = { name: string | null; words: Word[] }

/** A heredoc (`<<EOF`) whose text has not been read yet. */
type Heredoc = { delimiter: string; quoted: boolean; tabs: boolean; into: string[] }

type CommandReader = {
  text: string
  at: number
  elements: Element[]
  heredocs: Heredoc[]
  /** The number of pending heredocs outside the current substitution. */
  waiting: number
  depth: number
  commands: SimpleCommand[]
  loops: ForLoop[]
  pipelines: Element[][]
  trouble: string | null
}

/** `loops`: the list that collects each `for`. */
export function readerOf(text: string, loops: ForLoop[]): CommandReader {
  const stacks = { elements: [], heredocs: [], waiting: 0, depth: 0 }
  return { text, at: 0, ...stacks, commands: [], loops, pipelines: [], trouble: null }
}

/** Gives up: nothing that is read after this counts. */
function troubled(reader: CommandReader, what: string): null {
  reader.trouble ??= what
  reader.at = reader.text.length
  return null
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

const operator = /;;&|;;|;&|;|&&|&>|&|\|\||\|&|\||\n|\)/y
const reservedWord =
  /(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|\{|\}|!|time|function|select|coproc|\[\[)(?=[\s;&|()<>]|$)/y
const closing = ['then', 'elif', 'else', 'fi', 'do', 'done', 'esac', '}']

/** Reads commands up to one of these ends and consumes it, unless it is a parenthesis; '' if none is found. */
export function readCommands(reader: CommandReader, ends: readonly string[]): string {
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
    if (found === '&') for (const element of pipeline) element.isBackground = true
    pipeline = []
    const end = found.startsWith(';;') || found === ';&' ? ';;' : found
    if (end === '' || ends.includes(end)) return end
    if (['&>', '|&', ')', ';;'].includes(end)) return unexpected(reader, end)
  }
}

function unexpected(reader: CommandReader, what: string): '' {
  troubled(reader, what)
  return ''
}

function matchAt({ text, at }: CommandReader, form: RegExp): string | null {
  form.lastIndex = at
  return form.exec(text)?.[0] ?? null
}

function skipBlanks(reader: CommandReader): void {
  reader.at += matchAt(reader, /(?:[ \t]|\\\n)*(?:#[^\n]*)?/y)?.length ?? 0
}

function skipLines(reader: CommandReader): void {
  skipBlanks(reader)
  while (reader.text.charAt(reader.at) === '\n') {
    readLineEnd(reader)
    skipBlanks(reader)
  }
}

function takeWord(reader: CommandReader, words: readonly string[]): string | null {
  const word = matchAt(reader, reservedWord)
  if (word === null || !words.includes(word)) return null
  reader.at += word.length
  return word
}

const mostNested = 100

function readElement(reader: CommandReader): Element {
  const { at } = reader
  const element: Element = {
    from: at,
    to: at,
    writes: [],
    reads: [],
    heredocs: [],
    isSubstituted: reader.depth > 0,
    isBackground: false,
  }
  if (reader.elements.length > mostNested) troubled(reader, 'nesting')
  reader.elements.push(element)
  readBody(reader)
  element.to = reader.at
  reader.elements.pop()
  return element
}

function readBody(reader: CommandReader): unknown {
  while (takeWord(reader, ['!', 'time'])) skipBlanks(reader)
  for (const element of reader.elements.slice(-1)) element.from = reader.at
  if (reader.text.charAt(reader.at) === '(') {
    if (reader.text.charAt(reader.at + 1) === '(') return troubled(reader, '((')
    reader.at += 1
    readCommands(reader, [')'])
    if (reader.text.charAt(reader.at) !== ')') return troubled(reader, '(')
    reader.at += 1
    return readRedirections(reader)
  }
  const word = takeWord(reader, Object.keys(compounds))
  if (word) {
    compounds[word]?.(reader)
    return readRedirections(reader)
  }
  const unknown = takeWord(reader, ['function', 'select', 'coproc', '[['])
  return unknown ? troubled(reader, unknown) : readSimple(reader)
}

const compounds: Record<string, (reader: CommandReader) => unknown> = {
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

function closes(reader: CommandReader, end: string): void {
  if (end === '') troubled(reader, 'an open compound')
}

function readLoop(reader: CommandReader): void {
  if (readCommands(reader, ['do']) === '') return closes(reader, '')
  closes(reader, readCommands(reader, ['done']))
}

function readFor(reader: CommandReader): unknown {
  skipBlanks(reader)
  if (reader.text.charAt(reader.at) === '(') return troubled(reader, 'for ((')
  const { text } = readWord(reader)
  skipLines(reader)
  if (takeWord(reader, ['in'])) reader.loops.push({ name: text, words: readWords(reader) })
  readLoop(reader)
}

function readCase(reader: CommandReader): unknown {
  skipBlanks(reader)
  const word = readWord(reader)
  skipLines(reader)
  if (!takeWord(reader, ['in'])) return troubled(reader, 'case')
  for (;;) {
    skipLines(reader)
    if (takeWord(reader, ['esac'])) return
    if (!readPatterns(reader, word)) return troubled(reader, 'case')
    const end = readCommands(reader, [';;', 'esac'])
    if (end !== ';;') return closes(reader, end)
  }
}

/** A pattern is what the word is compared with: `case "$(sh greet.sh)" in "$(cat want.txt)")`. */
function readPatterns(reader: CommandReader, word: Word): boolean {
  if (reader.text.charAt(reader.at) === '(') reader.at += 1
  for (;;) {
    skipBlanks(reader)
    const before = reader.at
    const pattern = readWord(reader)
    const [test, equal] = ['test', '='].map(text => ({ raw: text, text }))
    if (/\$\(|`/.test(pattern.raw) && test && equal)
      reader.commands.push({
        words: [test, word, equal, pattern],
        around: [...reader.elements],
        isSubstituted: false,
      })
    skipBlanks(reader)
    const next = reader.text.charAt(reader.at)
    reader.at += 1
    if (next === ')') return true
    if (next !== '|' || reader.at === before) return false
  }
}

function readSimple(reader: CommandReader): unknown {
  const words = readWords(reader)
  if (reader.text.charAt(reader.at) !== '(')
    return reader.commands.push({ words, around: [...reader.elements], isSubstituted: reader.depth > 0 })
  const parentheses = matchAt(reader, /\([ \t]*\)/y)
  if (!parentheses || !words[0]?.text || words.length > 1) return troubled(reader, '( after a word')
  reader.at += parentheses.length
  skipLines(reader)
  // The body of a function belongs to its name: they are one command.
  const element = reader.elements.at(-1)
  const from = element?.from ?? reader.at
  readBody(reader)
  if (element) element.from = from
}

/** Reads the words of a command and, among them, its redirections, which are not words. */
function readWords(reader: CommandReader): Word[] {
  const words: Word[] = []
  for (;;) {
    readRedirections(reader)
    if (reader.at >= reader.text.length || /[\n;&|()]/.test(reader.text.charAt(reader.at))) return words
    words.push(readWord(reader))
  }
}

function readRedirections(reader: CommandReader): void {
  do skipBlanks(reader)
  while (readRedirection(reader))
}

function readRedirection(reader: CommandReader): boolean {
  const found = matchAt(reader, /\d*(?:<<<|<<-|<<|<>|<&|>&|>>|>\||<|>)/y)
  if (found === null) return false
  reader.at += found.length
  if (reader.text.charAt(reader.at) === '(') troubled(reader, `${found}(…)`)
  reader.at += matchAt(reader, /(?:[ \t]|\\\n)*/y)?.length ?? 0
  if (/<<-?$/.test(found) && !found.endsWith('<<<')) readDelimiter(reader, found.endsWith('-'))
  else {
    const { raw } = readWord(reader)
    if (/^1?>/.test(found) && !found.endsWith('&')) reader.elements.at(-1)?.writes.push(raw)
    if (/^0?<$/.test(found)) reader.elements.at(-1)?.reads.push(raw)
  }
  return true
}

function readDelimiter(reader: CommandReader, tabs: boolean): unknown {
  const raw = matchAt(reader, /(?:'[^']*'|"[^"\\]*"|\\[^\n]|[^\s;&|<>()'"\\])+/y) ?? ''
  if (raw === '' || /[$`\n]/.test(raw)) return troubled(reader, 'a heredoc whose end is not a word')
  reader.at += raw.length
  const delimiter = raw.replaceAll(/['"]|\\(.)/g, (_, escaped?: string) => escaped ?? '')
  const into = reader.elements.at(-1)?.heredocs ?? []
  reader.heredocs.push({ delimiter, quoted: /['"\\]/.test(raw), tabs, into })
}

/** Reads a line end and the heredocs that start after it. */
function readLineEnd(reader: CommandReader): unknown {
  reader.at += 1
  if (reader.waiting > 0) return troubled(reader, 'a line end in $(…) before the text of a heredoc')
  const heredocs = reader.heredocs
  reader.heredocs = []
  for (const heredoc of heredocs) {
    const end = endOfHeredoc(reader, heredoc)
    if (!end) return troubled(reader, 'a heredoc without its end')
    heredoc.into.push(reader.text.slice(reader.at, end.text))
    if (heredoc.quoted) reader.at = end.text
    while (reader.at < end.text && !reader.trouble) readQuoted(reader, 'heredoc')
    if (reader.trouble) return
    if (reader.at !== end.text) return troubled(reader, 'a heredoc that ends within a substitution')
    reader.at = end.next
  }
}

function endOfHeredoc(
  { text, at }: CommandReader,
  { delimiter, tabs }: Heredoc,
): { text: number; next: number } | null {
  let start = at
  while (start < text.length) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, end)
    if ((tabs ? line.replace(/^\t+/, '') : line) === delimiter)
      return { text: start, next: Math.min(end + 1, text.length) }
    start = end + 1
  }
  return null
}

/** The characters that end a word. */
const meta = /[ \t\n;&|<>()]/

function readWord(reader: CommandReader): Word {
  const start = reader.at
  let text: string | null = ''
  while (reader.at < reader.text.length && !meta.test(reader.text.charAt(reader.at)))
    text = joined(text, readPart(reader))
  const raw = reader.text.slice(start, reader.at)
  // bash expands these into several words.
  const isExpanded = /\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(raw) || (/[*?[]/.test(raw) && raw !== '[')
  return { raw, text: isExpanded ? null : text }
}

function joined(text: string | null, part: string | null): string | null {
  return text === null || part === null ? null : text + part
}

/** `double` and `heredoc`: only `$`, backquotes and the backslash mean something. */
type Quoting = 'bare' | 'double' | 'heredoc'

/** Reads one character, quoted string or expansion; null if its text is known only at run time. */
function readPart(reader: CommandReader): string | null {
  const character = reader.text.charAt(reader.at)
  if (character === "'") return readSingle(reader)
  if (character === '"') return readDouble(reader)
  if (character !== '\\') return readQuoted(reader, 'bare')
  const next = reader.text.charAt(reader.at + 1)
  if (next === '') troubled(reader, 'a backslash at its end')
  reader.at += 2
  return next === '\n' ? '' : next
}

function readSingle(reader: CommandReader): string | null {
  const end = reader.text.indexOf("'", reader.at + 1)
  if (end === -1) return troubled(reader, "'")
  const text = reader.text.slice(reader.at + 1, end)
  newlinesInQuotes(reader, text)
  reader.at = Math.max(reader.at, end + 1)
  return text
}

function readDouble(reader: CommandReader): string | null {
  const start = reader.at
  let text: string | null = ''
  reader.at += 1
  while (reader.text.charAt(reader.at) !== '"') {
    if (reader.at >= reader.text.length) return troubled(reader, '"')
    text = joined(text, readQuoted(reader, 'double'))
  }
  newlinesInQuotes(reader, reader.text.slice(start, reader.at))
  reader.at += 1
  return text
}

/** Reads one part of a double-quoted string or a heredoc, or of a word outside of quotes. */
function readQuoted(reader: CommandReader, quoting: Quoting): string | null {
  const character = reader.text.charAt(reader.at)
  if (character === '$') return readDollar(reader, quoting)
  if (character === '`') return readBackquotes(reader)
  reader.at += 1
  if (character !== '\\') return character
  const next = reader.text.charAt(reader.at)
  reader.at += 1
  return next === '\n' ? '' : /[$`"\\]/.test(next) ? next : `\\${next}`
}

/** A heredoc starts after the next line end, and shells disagree on whether a line end inside quotes counts. */
function newlinesInQuotes(reader: CommandReader, text: string): void {
  if (text.includes('\n') && reader.heredocs.length + reader.waiting > 0)
    troubled(reader, 'a line end in quotes before the text of a heredoc')
}

const deepest = 20

function readDollar(reader: CommandReader, quoting: Quoting): string | null {
  const next = reader.text.charAt(reader.at + 1)
  reader.at += 1
  if (next === '(') return readSubstitution(reader)
  if (next === '{') return readParameter(reader, quoting)
  if (next === '[' || (quoting === 'bare' && (next === "'" || next === '"')))
    return troubled(reader, `$${next}`)
  const name = matchAt(reader, /[A-Za-z_]\w*|[0-9@*#?$!-]/y)
  reader.at += name?.length ?? 0
  return name === null ? '$' : null
}

function readSubstitution(reader: CommandReader): null {
  if (reader.text.startsWith('((', reader.at)) return readArithmetic(reader)
  if (reader.depth > deepest) troubled(reader, 'nesting')
  const { heredocs, waiting } = reader
  reader.at += 1
  reader.waiting = waiting + heredocs.length
  reader.heredocs = []
  reader.depth += 1
  readCommands(reader, [')'])
  reader.depth -= 1
  if (reader.heredocs.length > 0) troubled(reader, 'a heredoc without its text')
  reader.heredocs = heredocs
  reader.waiting = waiting
  if (reader.text.charAt(reader.at) !== ')') return troubled(reader, '$(')
  reader.at += 1
  return null
}

function readArithmetic(reader: CommandReader): null {
  const start = reader.at
  let open = 0
  do {
    const character = reader.text.charAt(reader.at)
    if (character === '' || /['"`\\#]/.test(character)) troubled(reader, 'quotes in $((…))')
    if (character === '(') open += 1
    if (character === ')') open -= 1
    reader.at += 1
  } while (open > 0 && !reader.trouble)
  return reader.text.slice(start, reader.at).endsWith('))') ? null : troubled(reader, '$((')
}

function readParameter(reader: CommandReader, quoting: Quoting): null {
  reader.at += 1
  reader.depth += 1
  if (reader.depth > deepest) troubled(reader, 'nesting')
  while (reader.text.charAt(reader.at) !== '}') {
    const character = reader.text.charAt(reader.at)
    if (character === '') return troubled(reader, '${')
    if (/['"]/.test(character) && quoting !== 'bare') troubled(reader, 'quotes in ${…} in quotes')
    else if (character === "'") readSingle(reader)
    else if (character === '"') readDouble(reader)
    else readQuoted(reader, quoting)
  }
  reader.depth -= 1
  reader.at += 1
  return null
}

/** Backquotes end at the first one without a backslash, whatever the quotes around it. */
function readBackquotes(reader: CommandReader): null {
  const inside = matchAt(reader, /`(?:[^`\\]|\\[^])*`/y)
  if (inside === null) return troubled(reader, '`')
  if (/['"]/.test(inside.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '')))
    return troubled(reader, 'a quote in `…`')
  newlinesInQuotes(reader, inside)
  reader.at += inside.length
  return null
}
