/**
 * Finding the loop a person means. `@last` is the newest loop of the directory they stand in, or else of the nearest
 * directory above it that has one. Where there is none, a command that only looks takes the newest of all; a command
 * that acts refuses. Whoever acts on a loop of another directory is told which one that is.
 */
import { realpathSync } from 'node:fs'
import type { Summary } from '../core/loop/summary.ts'
import { oneLoop } from '../engine/shown/one-loop.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import type { Store } from '../store/contract.ts'
import { unknownLoop } from '../store/failures.ts'
import { type Paths, pathsFrom } from '../store/files/paths.ts'
import { openStoreToRead } from '../store/sqlite/open.ts'
import type { Input } from './command-table.ts'
import { notice } from './terminal.ts'

const last = '@last'

/** For a command that only looks. */
export function findLoop(store: Store, input: Input): Result<Summary> {
  const id = findLoopId(store, input)
  return id.ok ? store.heads.get(id.value) : id
}

/** The id alone, which is known however damaged the rest is. */
export function findLoopId(store: Store, input: Input): Result<string> {
  const [name, ...more] = input.positionals
  if (!name || more.length > 0) {
    return fail('invalid-arguments', 'Name one loop: its id, the beginning of it, or @last. See: loop status')
  }
  const id = name === last ? newestHere(store) : null
  if (id !== null) return ok(id)
  const found = store.heads.findId(name)
  if (found.ok && name === last) nameDirectory(store, found.value, input)
  return found
}

/** For a command that acts on it: never by chance on a loop of another directory, and never without a word. */
export function loopToActOn(store: Store, input: Input): Result<Summary> {
  const isLast = input.positionals.length === 1 && input.positionals[0] === last
  if (isLast && newestHere(store) === null) return noneHere(store)
  const found = findLoop(store, input)
  if (found.ok && !isInside(directoryHere(), found.value.cwd)) sayElsewhere(found.value, input)
  return found
}

/** The directory one stands in, with symlinks resolved as in the tree of a loop; null where it is gone. */
export function directoryHere(): string | null {
  try {
    return realpathSync(process.cwd())
  } catch {
    // Nothing depends on it: without it there is no directory whose loops would come first.
    return null
  }
}

function newestHere(store: Store): string | null {
  const here = directoryHere()
  return here === null ? null : store.heads.newestAt(here)
}

function noneHere(store: Store): Result<never> {
  const newest = store.heads.find(last)
  if (!newest.ok) return newest
  const { id, cwd } = newest.value
  return fail(
    'unknown-loop',
    `No loop was started in this directory or in one above it. The newest of all is ${id}, in ${cwd}: name it by its id.`,
  )
}

function nameDirectory(store: Store, id: string, input: Input): void {
  const found = store.heads.get(id)
  if (found.ok) sayElsewhere(found.value, input)
}

function sayElsewhere({ id, cwd }: Summary, input: Input): void {
  notice(input, `Loop ${id} works in another directory: ${cwd}`)
}

/** In this tree, or somewhere below its top. */
function isInside(directory: string | null, tree: string): boolean {
  return directory !== null && `${directory}/`.startsWith(tree === '/' ? tree : `${tree}/`)
}

export type OpenJournal = { store: Store; id: string; events: Recorded[]; paths: Paths }

/** The journal of the loop that is meant, to be looked at; `find` is how it is found. */
export function openJournal(input: Input, find = findLoop): Result<OpenJournal> {
  const paths = pathsFrom(input.env)
  const store = openStoreToRead(paths)
  if (!store.ok) return store
  if (!store.value) return unknownLoop(input.positionals.join(' '))
  const found = oneLoop(store.value, find(store.value, input))
  if (!found.ok) return found
  const events = store.value.journals.read(found.value.id)
  return events.ok ? ok({ store: store.value, id: found.value.id, events: events.value, paths }) : events
}
