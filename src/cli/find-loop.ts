/** Finding the loop a person means. */
import type { Summary } from '../core/loop/summary.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import type { Store } from '../store/contract.ts'
import { unknownLoop } from '../store/failures.ts'
import { type Paths, pathsFrom } from '../store/files/paths.ts'
import { openStoreToRead } from '../store/sqlite/open.ts'
import type { Input } from './command-table.ts'

export function findLoop(store: Store, input: Input): Result<Summary> {
  const [name, ...more] = input.positionals
  if (!name || more.length > 0) {
    return fail('invalid-arguments', 'Name one loop: its id, the beginning of it, or @last. See: loop status')
  }
  return store.heads.find(name)
}

export type OpenJournal = { store: Store; id: string; events: Recorded[]; paths: Paths }

/** The journal of the loop that is meant, to be looked at. */
export function openJournal(input: Input): Result<OpenJournal> {
  const paths = pathsFrom(input.env)
  const store = openStoreToRead(paths)
  if (!store.ok) return store
  if (!store.value) return unknownLoop(input.positionals.join(' '))
  const found = findLoop(store.value, input)
  if (!found.ok) return found
  const events = store.value.journals.read(found.value.id)
  return events.ok ? ok({ store: store.value, id: found.value.id, events: events.value, paths }) : events
}
