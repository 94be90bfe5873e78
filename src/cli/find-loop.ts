/**
 * Finds the loop that a person means. `@last` is the newest loop of the current directory, or of the nearest parent
 * that has one. If there is none, a command that only reads takes the newest of all; a command that acts refuses. A
 * command that acts on a loop of another directory names that directory.
 */
import { realpathSync } from 'node:fs'
import type { Summary } from '../core/summary.ts'
import { oneLoop } from '../engine/shown/members.ts'
import { fail, invalid, ok, type Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import { nearest } from '../options/nearest.ts'
import type { Store } from '../store/contract.ts'
import { unknownLoop } from '../store/failures.ts'
import { type Paths, pathsFrom } from '../store/files/paths.ts'
import { openStoreToRead } from '../store/sqlite/open.ts'
import type { Input } from './command-table.ts'
import { notice } from './terminal.ts'

const last = '@last'

/** For a command that only reads. */
export function findLoop(store: Store, input: Input): Result<Summary> {
  const id = findLoopId(store, input)
  return id.ok ? store.heads.get(id.value) : id
}

/** The id alone, which is known even if the rest is damaged. */
export function findLoopId(store: Store, input: Input): Result<string> {
  const [name, ...more] = input.positionals
  if (!name || more.length > 0) {
    return invalid({ kind: 'one-loop' })
  }
  const id = name === last ? newestHere(store) : null
  if (id !== null) return ok(id)
  const found = store.heads.findId(name)
  const other = found.ok && name === last ? store.heads.get(found.value) : null
  if (other?.ok) sayElsewhere(other.value, input)
  return found.ok || found.failure.facts.kind !== 'unknown-loop' ? found : unknownHere(store, name)
}

/** There is no store yet, so there is no loop that could be meant. */
export function noLoops({ positionals: [name, ...more] }: Input): Result<never> {
  return name && more.length === 0 ? unknownLoop(name) : invalid({ kind: 'one-loop' })
}

const mostNames = 500

/** With the id that was probably meant. */
function unknownHere(store: Store, name: string): Result<never> {
  const ids = store.heads.briefs({ all: { limit: mostNames }, members: true }).summaries.map(({ id }) => id)
  const near = nearest(name, ids)
  return fail('unknown-loop', { kind: 'unknown-loop', name, ...(near !== null && { near }) })
}

/** For a command that acts: it never acts on a loop of another directory by chance or without saying so. */
export function loopToActOn(store: Store, input: Input): Result<Summary> {
  const isLast = input.positionals.length === 1 && input.positionals[0] === last
  if (isLast && newestHere(store) === null) return noneHere(store)
  const found = findLoop(store, input)
  if (found.ok && !isInside(directoryHere(), found.value.cwd)) sayElsewhere(found.value, input)
  return found
}

/** The current directory with symlinks resolved, as in specs; null if it is gone. */
export function directoryHere(): string | null {
  try {
    return realpathSync(process.cwd())
  } catch {
    // Only the order of the list depends on it.
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
  return fail('unknown-loop', { kind: 'no-loop-here', id, cwd })
}

function sayElsewhere({ id, cwd }: Summary, input: Input): void {
  notice(input, `Loop ${id} works in another directory: ${cwd}`)
}

/** In this tree, or somewhere below its top. */
function isInside(directory: string | null, tree: string): boolean {
  return directory !== null && `${directory}/`.startsWith(tree === '/' ? tree : `${tree}/`)
}

/** The meant loop or group, and its store. */
export type OpenFound = { store: Store; paths: Paths; found: Summary }

export type OpenJournal = { store: Store; id: string; events: Recorded[]; paths: Paths }

/** `find` selects the way to find it. */
export function openFound(input: Input, find = findLoop): Result<OpenFound> {
  const paths = pathsFrom(input.env)
  const store = openStoreToRead(paths)
  if (!store.ok) return store
  if (!store.value) return noLoops(input)
  const found = find(store.value, input)
  return found.ok ? ok({ store: store.value, paths, found: found.value }) : found
}

/** Its journal for reading; a group with one member stands for that member. */
export function openLoop({ store, paths, found }: OpenFound): Result<OpenJournal> {
  const one = oneLoop(store, ok(found))
  if (!one.ok) return one
  const events = store.journals.read(one.value.id)
  return events.ok ? ok({ store, id: one.value.id, events: events.value, paths }) : events
}

export function openJournal(input: Input): Result<OpenJournal> {
  const opened = openFound(input)
  return opened.ok ? openLoop(opened.value) : opened
}
