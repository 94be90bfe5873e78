/**
 * Posts a command to the inbox of a loop that another process hosts, and waits for what its host makes of it: the
 * event with the command as its cause. A command whose host has gone is taken back, so that nobody finds it later.
 */
import { randomUUID } from 'node:crypto'
import type { Kinds } from '../core/machine.ts'
import { ok, type Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import { answerLookMs } from './feed/lookout.ts'
import type { World } from './world.ts'

/** `silent`: no answer in time, and the command waits for its host. `gone`: it hosts the loop no more. */
type Posted = { answer: Recorded } | { silent: true } | { gone: true }

const answerMs = 2_000

export async function post(
  { store, feed, now }: World,
  { id, command, by }: { id: string; command: Kinds['command']; by: string },
): Promise<Result<Posted>> {
  // Not the journal itself: a host goes on, and must be reached, though an old row is damaged.
  const seen = store.journals.lastSeq(id)
  const cause = randomUUID()
  let version = feed.version()
  store.inbox.send({ id: cause, loop: id, at: now(), command })
  const deadline = performance.now() + answerMs
  while (performance.now() < deadline) {
    const before = version
    version = await feed.changed(before, { everyMs: answerLookMs, withinMs: deadline - performance.now() })
    if (version === before) continue
    const events = store.journals.readAfter(id, seen)
    if (!events.ok) return events
    const answer = events.value.find(event => event.cause === cause)
    if (answer) return ok({ answer })
    // Who only had something to ask hosts a loop for an instant, and reads no inbox.
    if (store.leases.hostOf(id) !== by && store.inbox.withdraw(cause)) return ok({ gone: true })
  }
  return ok({ silent: true })
}
