/**
 * Where a shell is while it reads a command, as far as a value that is to stand in it has to know: in which quotes,
 * in which word of which command, on whose standard input. What dash and bash read differently, or what this
 * does not know, is `trouble`: then no value is put into the command at all.
 */
import type { FoundReference } from '../text/references.ts'

/** Why a value must not stand there. `by`: the program or construct that would read it as code. */
export type Refusal = {
  why:
    | 'evaluator'
    | 'standard-input'
    | 'program'
    | 'unknown-program'
    | 'option'
    | 'name'
    | 'arithmetic'
    | 'parameter'
    | 'backquotes'
    | 'quoted-heredoc'
    | 'foreign'
    | 'trouble'
    | 'not-alone'
  by: string
}

/** `command`: the value is a command by itself, of a variable that is declared as one. */
export type Quoting = 'bare' | 'double' | 'single' | 'heredoc' | 'command'

/** A reference in a command. */
export type ValuePlace = { found: FoundReference; quoting: Quoting; refusal: Refusal | null }

export type Word = {
  raw: string
  /** As the shell would take it, without quotes; null where that is known only when it runs. */
  text: string | null
  /** All references in it, however deep. */
  places: ValuePlace[]
}

/** A command of a pipeline, simple or compound, with all that is in it. */
export type Element = {
  places: ValuePlace[]
  /** References that reach its standard input by a heredoc. */
  stdin: ValuePlace[]
  /** A program in it that would run what comes on standard input. */
  runsInput: string | null
}

/** `<<EOF`, before its text comes. */
type Heredoc = { delimiter: string; quoted: boolean; tabs: boolean; into: ValuePlace[][] }

/** `around`: the elements it is in, its own last. */
export type SimpleCommand = { words: Word[]; around: Element[] }

export type ShellReader = {
  text: string
  at: number
  references: Map<number, FoundReference>
  /** The lists that a reference found now belongs to: of open elements and words. */
  into: ValuePlace[][]
  elements: Element[]
  heredocs: Heredoc[]
  /** How many heredocs wait outside of the substitution that is read now. */
  waiting: number
  depth: number
  places: ValuePlace[]
  /** Backslashes that keep a reference as text: they go. */
  dropped: number[]
  functions: Set<string>
  commands: SimpleCommand[]
  pipelines: Element[][]
  trouble: string | null
}

export function readerOf(text: string, found: FoundReference[]): ShellReader {
  return {
    text,
    at: 0,
    references: new Map(found.map(one => [one.kind === 'escaped' ? one.start - 1 : one.start, one])),
    into: [],
    elements: [],
    heredocs: [],
    waiting: 0,
    depth: 0,
    places: [],
    dropped: [],
    functions: new Set(),
    commands: [],
    pipelines: [],
    trouble: null,
  }
}

/** Gives up: whatever is read after this means nothing. */
export function troubled(reader: ShellReader, what: string): void {
  reader.trouble ??= what
  reader.at = reader.text.length
}

export function notePlace(reader: ShellReader, place: ValuePlace): void {
  reader.places.push(place)
  for (const list of reader.into) list.push(place)
}

/** A reference that stands here is read as a whole. True: there was one; of text that only looks like one, 'text'. */
export function takeReference(
  reader: ShellReader,
  quoting: Quoting,
  refusal: Refusal | null = null,
): 'value' | 'text' | null {
  const found = reader.references.get(reader.at)
  if (!found) return null
  reader.at = found.end
  if (found.kind === 'escaped') {
    reader.dropped.push(found.start - 1)
    return 'text'
  }
  const foreign: Refusal = { why: 'foreign', by: '${{' }
  notePlace(reader, { found, quoting, refusal: found.kind === 'foreign' ? foreign : refusal })
  return 'value'
}

/** Reads what belongs to a list of its own, such as the text of a word. */
export function inList<T>(reader: ShellReader, list: ValuePlace[], read: () => T): T {
  reader.into.push(list)
  const result = read()
  reader.into.pop()
  return result
}
