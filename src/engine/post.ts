/**
 * Posts a command to the inbox of a loop that another process hosts, and waits for the event that has the command as
 * its cause. If the host disappears, the command is withdrawn, so that no later host finds it.
 */
import { randomUUID } from 'node:crypto'
import type { Kinds } from '../core/machine.ts'
import { ok, type Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import { answerLookMs } from './feed/lookout.ts'
import type { World } from './world.ts'

/** `silent`: no answer in time; the command still waits for its host. `gone`: that process no longer hosts the loop. */
type Posted = { answer: Recorded } | { silent: true } | { gone: true }

const answerMs = 2_000

export async function post(
  { store, feed, now }: World,
  { id, command, by }: { id: string; command: Kinds['command']; by: string },
): Promise<Result<Posted>> {
  // Only the number is read: a host must be reachable even if an old row of its journal is damaged.
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
    // A process that only gives a command hosts a loop for an instant and reads no inbox.
    if (store.leases.hostOf(id) !== by && store.inbox.withdraw(cause)) return ok({ gone: true })
  }
  return ok({ silent: true })
}
