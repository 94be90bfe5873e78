/** Follows the journal of a loop or group that another process drives: every event once, in order, until it rests. */
import { isActive } from '../../core/loop/summary.ts'
import { feedOf } from '../../engine/feed.ts'
import { shown } from '../../engine/shown/orphans.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Recorded } from '../../model/loop/event.ts'
import type { Store } from '../../store/contract.ts'
import { orphanedLine } from '../../views/text/status.ts'
import { err } from '../terminal.ts'

type Follower = {
  /** The number of the last event that is known already. */
  after: number
  /** False if nobody listens any more. */
  tell(event: Recorded): boolean
  /** Called after each look at the journal; `rests`: it was the last one. False as above. */
  looked?(rests: boolean): boolean
  /** The wait is bounded: files grow without an event, and a host that dies writes nothing. */
  withinMs: number
}

export async function followJournal(store: Store, id: string, follower: Follower): Promise<Result<number>> {
  const { after, tell, looked = () => true, withinMs } = follower
  const feed = feedOf(store)
  let seen = after
  for (;;) {
    const version = feed.version()
    const head = store.heads.get(id)
    if (!head.ok) return head
    // Ask for the end before the last look, so that nothing that was written before the end is missed.
    const now = shown(store, head.value)
    const rests = !isActive(head.value.status) || now.orphaned
    const events = store.journals.readAfter(id, seen)
    if (!events.ok) return events
    for (const event of events.value) {
      seen = event.seq
      if (!tell(event)) return ok(0)
    }
    if (!looked(rests)) return ok(0)
    // It would wait without a word for a process that does not exist.
    if (now.orphaned) err(orphanedLine(now, Date.now()))
    if (rests) return ok(0)
    await feed.changed(version, { withinMs })
  }
}
