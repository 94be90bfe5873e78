/**
 * `loop watch` without a screen: the output of a foreground loop, for a loop that another process drives, until it
 * rests.
 */
import { evolve, fold } from '../../core/loop/evolve.ts'
import { isActive, type Summary } from '../../core/loop/summary.ts'
import { lookMs } from '../../engine/feed/lookout.ts'
import { feedOf } from '../../engine/feed.ts'
import { readGroup } from '../../engine/read-group.ts'
import { shown } from '../../engine/shown/orphans.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import type { Recorded } from '../../model/loop/event.ts'
import type { Store } from '../../store/contract.ts'
import { loopDir } from '../../store/files/paths.ts'
import { redactAll, secretsIn } from '../../views/secrets/redact.ts'
import { announceGroup } from '../../views/text/group/announce.ts'
import { jsonText } from '../../views/text/plain-text.ts'
import type { Input } from '../command-table.ts'
import { liveView } from '../foreground/live.ts'
import { err, out } from '../terminal.ts'

export function watchPlainly(store: Store, found: Summary, input: Input): Promise<Result<number>> {
  if (input.given('json')) return eachEvent(store, found.id, jsonTeller(input))
  return found.kind === 'group' ? groupPlainly(store, found.id, input) : loopPlainly(store, found.id, input)
}

function jsonTeller({ env }: Input): (event: Recorded) => boolean {
  const secrets = secretsIn(env)
  return event => out(jsonText(redactAll(event, secrets)))
}

async function loopPlainly(store: Store, id: string, { env }: Input): Promise<Result<number>> {
  const before = store.journals.read(id)
  if (!before.ok) return before
  let state = fold(before.value)
  const live = liveView(
    { tty: false, colour: false, keys: false },
    of => loopDir(store.paths, of),
    secretsIn(env),
  )
  live.join(state)
  const tell = (event: Recorded) => {
    const was = state
    state = evolve(state, event)
    live.tell({ kind: 'loop', event, state, before: was })
    return true
  }
  try {
    return await eachEvent(store, id, tell, state.seq)
  } finally {
    live.stop()
  }
}

async function groupPlainly(store: Store, id: string, { env }: Input): Promise<Result<number>> {
  const secrets = secretsIn(env)
  return eachEvent(store, id, event => {
    const state = readGroup(store, id)
    if (!state.ok) return false
    for (const line of redactAll(announceGroup(event as unknown as GroupRecorded, state.value), secrets))
      err(line)
    return true
  })
}

/** Passes on every event after a number as it arrives, until the journal rests or nobody listens. */
// Where, which, to whom, and from where on.
// oxlint-disable-next-line max-params
async function eachEvent(
  store: Store,
  id: string,
  tell: (event: Recorded) => boolean,
  after = 0,
): Promise<Result<number>> {
  const feed = feedOf(store)
  let seen = after
  for (;;) {
    const version = feed.version()
    const head = store.heads.get(id)
    if (!head.ok) return head
    // Ask for the end before the last look at the journal, so that no event before the end is missed.
    const rests = !isActive(head.value.status) || shown(store, head.value).orphaned
    const events = store.journals.readAfter(id, seen)
    if (!events.ok) return events
    for (const event of events.value) {
      seen = event.seq
      if (!tell(event)) return ok(0)
    }
    if (rests) return ok(0)
    await feed.changed(version, { withinMs: 5 * lookMs })
  }
}
