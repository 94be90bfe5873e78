/** Finding the loop a person means. */
import type { Summary } from '../core/loop/summary.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import { type Paths, pathsFrom } from '../store/files/paths.ts'
import { openStoreToRead, type Store } from '../store/sqlite/database.ts'
import { read } from '../store/sqlite/journal.ts'
import { find, unknown } from '../store/sqlite/summary.ts'
import type { Input } from './command-table.ts'

export function findLoop(store: Store, input: Input): Result<Summary> {
  const [name, ...more] = input.positionals
  if (!name || more.length > 0) {
    return fail('invalid-arguments', 'Name one loop: its id, the beginning of it, or @last. See: loop status')
  }
  return find(store, name)
}

export type OpenJournal = { store: Store; id: string; events: Recorded[]; paths: Paths }

/** The journal of the loop that is meant, to be looked at. */
export function openJournal(input: Input): Result<OpenJournal> {
  const paths = pathsFrom(input.env)
  const store = openStoreToRead(paths)
  if (!store.ok) return store
  if (!store.value) return unknown(input.positionals.join(' '))
  const found = findLoop(store.value, input)
  if (!found.ok) return found
  const events = read(store.value, found.value.id)
  return events.ok ? ok({ store: store.value, id: found.value.id, events: events.value, paths }) : events
}
