/**
 * Puts references into a shell command without putting any value into its text: `{{x}}` becomes the expansion
 * of an environment variable, quoted as its place needs, so a value cannot become code. A place where a second
 * program would read the value as code is refused. A command is compiled once; the values come later.
 */
import { environmentName, type FoundReference, findReferences } from '../text/references.ts'
import { judge } from './judge.ts'
import { readCommands } from './lists.ts'
import { type Quoting, type Refusal, readerOf, troubled, type ValuePlace } from './reader.ts'

/** `start` and `end`: the position of the reference in the original text. */
type RefusedPlace = Refusal & { path: string; start: number; end: number }

type Spliced = {
  command: string
  /** The paths of the references and of the variables that the text itself names, without duplicates. */
  paths: string[]
  refused: RefusedPlace[]
}

const forms: Record<Quoting, (name: string) => string> = {
  bare: name => `"$${name}"`,
  double: name => `\${${name}}`,
  heredoc: name => `\${${name}}`,
  single: name => `'"$${name}"'`,
  command: name => `/bin/sh -c "$${name}"`,
}

export function splice(text: string, isCommand: (path: string) => boolean = () => false): Spliced {
  const found = findReferences(text)
  if (found.length === 0) return { command: text, paths: [], refused: [] }
  const reader = readerOf(text, found)
  readCommands(reader, [])
  if (reader.heredocs.length > 0) troubled(reader, 'a heredoc without its text')
  judge(reader, isCommand)
  const { trouble } = reader
  if (trouble) return { command: text, paths: [], refused: found.flatMap(one => unread(one, trouble)) }
  const refused = reader.places.flatMap(refusalOf)
  const places = reader.places.filter(({ refusal }) => refusal === null)
  const edits = [
    ...places.map(({ found: { start, end, path }, quoting }) => ({
      start,
      end,
      text: forms[quoting](environmentName(path)),
    })),
    ...reader.dropped.map(start => ({ start, end: start + 1, text: '' })),
  ].sort((a, b) => a.start - b.start)
  let command = ''
  let at = 0
  for (const edit of edits) {
    command += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  const paths = [...new Set(places.map(place => place.found.path))]
  return { command: command + text.slice(at), paths, refused }
}

function unread({ kind, path, start, end }: FoundReference, by: string): RefusedPlace[] {
  return kind === 'escaped' ? [] : [{ why: 'trouble', by, path, start, end }]
}

function refusalOf({ refusal, found: { path, start, end } }: ValuePlace): RefusedPlace[] {
  return refusal ? [{ ...refusal, path, start, end }] : []
}
