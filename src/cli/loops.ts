/** Finding the loop a person means, and whether somebody hosts it. */
import { needsHost, type Summary } from '../core/summary.ts'
import type { Recorded } from '../model/event.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { openStoreToRead, type Store } from '../store/database.ts'
import { read } from '../store/journal.ts'
import { hostFinder } from '../store/lease.ts'
import { type Paths, pathsFrom } from '../store/paths.ts'
import { find, unknown } from '../store/summary.ts'
import type { Shown } from '../views/status.ts'
import type { Input } from './command.ts'

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

/** An active loop without a living host is orphaned: it waits for somebody to resume it. One that is queued needs none. */
export function shown(store: Store, summary: Summary, hostOf = hostFinder(store)): Shown {
  return { summary, orphaned: needsHost(summary) && hostOf(summary.id) === null }
}
