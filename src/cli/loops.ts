/** Finding the loop a person means, and whether somebody hosts it. */
import { isActive, type Summary } from '../core/summary.ts'
import { fail, type Result } from '../model/failure.ts'
import type { Store } from '../store/database.ts'
import { hostOf } from '../store/lease.ts'
import { find } from '../store/summary.ts'
import type { Shown } from '../views/status.ts'
import type { Input } from './command.ts'

export function findLoop(store: Store, input: Input): Result<Summary> {
  const [name, ...more] = input.positionals
  if (name === undefined || more.length > 0) {
    return fail('invalid-arguments', 'Name one loop: its id, the beginning of it, or @last. See: loop status')
  }
  return find(store, name)
}

/** An active loop without a living host is orphaned: it waits for somebody to resume it. */
export function shown(store: Store, summary: Summary): Shown {
  return { summary, orphaned: isActive(summary.status) && hostOf(store, summary.id) === null }
}
