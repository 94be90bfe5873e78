/**
 * The state of a shell parser, as far as it matters for a value in the command: in which quotes, in which word
 * of which command, on whose standard input. If dash and bash read something differently, or this parser does
 * not know it, that is `trouble`, and no value is put into the command at all.
 */
import type { FoundReference } from '../text/references.ts'

/** The reason why a value may not stand there. `by`: the program or construct that would read it as code. */
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

/** `command`: the value is a whole command, from a variable declared as one. */
export type Quoting = 'bare' | 'double' | 'single' | 'heredoc' | 'command'

/** A reference in a command. */
export type ValuePlace = { found: FoundReference; quoting: Quoting; refusal: Refusal | null }

export type Word = {
  raw: string
  /** The word without quotes, as the shell would see it; null if that is known only at run time. */
  text: string | null
  /** All references inside it, at any depth. */
  places: ValuePlace[]
}

/** A command of a pipeline, simple or compound, with all that is in it. */
export type Element = {
  places: ValuePlace[]
  /** References that reach its standard input through a heredoc. */
  stdin: ValuePlace[]
  /** The program inside it that would run its standard input. */
  runsInput: string | null
  /** The files that its output is written to, as they are spelled. */
  writes: string[]
}

/** A heredoc (`<<EOF`) whose text has not been read yet. */
type Heredoc = { delimiter: string; quoted: boolean; tabs: boolean; into: ValuePlace[][] }

/** `around`: the enclosing elements, its own last. `isSubstituted`: it stands in `$(…)`. */
export type SimpleCommand = { words: Word[]; around: Element[]; isSubstituted: boolean }

/** `for name in words` */
type ForLoop = { name: string | null; words: Word[] }

export type ShellReader = {
  text: string
  at: number
  references: Map<number, FoundReference>
  /** The lists that collect a reference found now: those of all open elements and words. */
  into: ValuePlace[][]
  elements: Element[]
  heredocs: Heredoc[]
  /** The number of pending heredocs outside the current substitution. */
  waiting: number
  depth: number
  places: ValuePlace[]
  /** The positions of backslashes that escape a reference; they are removed. */
  dropped: number[]
  functions: Set<string>
  commands: SimpleCommand[]
  loops: ForLoop[]
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
    loops: [],
    pipelines: [],
    trouble: null,
  }
}

/** Gives up: nothing that is read after this counts. */
export function troubled(reader: ShellReader, what: string): void {
  reader.trouble ??= what
  reader.at = reader.text.length
}

export function notePlace(reader: ShellReader, place: ValuePlace): void {
  reader.places.push(place)
  for (const list of reader.into) list.push(place)
}

/** Reads a reference at this position. Returns true for a reference, 'text' for text that only looks like one. */
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

/** Reads with `list` collecting the references found, such as those of a word. */
export function inList<T>(reader: ShellReader, list: ValuePlace[], read: () => T): T {
  reader.into.push(list)
  const result = read()
  reader.into.pop()
  return result
}
