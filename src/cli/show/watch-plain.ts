/**
 * `loop watch` without a screen: the output of a foreground loop, for a loop that another process drives, until it
 * rests.
 */
import { meantKind } from '../../core/folds.ts'
import { evolve, fold } from '../../core/loop/evolve.ts'
import type { Summary } from '../../core/summary.ts'
import { lookMs } from '../../engine/feed/lookout.ts'
import { readState } from '../../engine/machine.ts'
import { shownWhole } from '../../engine/shown/detail.ts'
import type { Result } from '../../model/failure.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import type { Recorded } from '../../model/loop/event.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import type { Store } from '../../store/contract.ts'
import { loopDir } from '../../store/files/paths.ts'
import { farewellLines } from '../../views/screen/watch-words.ts'
import { announceGroup } from '../../views/text/group-announce.ts'
import type { Input } from '../command-table.ts'
import { liveView } from '../foreground/live.ts'
import { err, outDocument, outLines } from '../terminal.ts'
import { followJournal } from './follow.ts'

const withinMs = 5 * lookMs
const fromFirst = { after: 0, withinMs }

export function watchPlainly(store: Store, found: Summary, input: Input): Promise<Result<number>> {
  if (input.given('json')) return followJournal(store, found.id, { ...fromFirst, tell: jsonTeller(input) })
  return tellingEnd(store, found, input)
}

/** The lines of a loop or group until it rests, and then how it stands: as a screen leaves it. */
async function tellingEnd(store: Store, { id, kind }: Summary, input: Input): Promise<Result<number>> {
  const told = await plainly[meantKind({ kind })](store, id, input)
  const now = store.heads.get(id)
  if (!told.ok) return told
  if (!now.ok) return now
  const shown = redactAll(shownWhole(store, now.value), secretsIn(input.env))
  outLines(farewellLines(shown, Date.now()))
  return told
}

function jsonTeller({ env }: Input): (event: Recorded) => boolean {
  const secrets = secretsIn(env)
  return event => outDocument<'event'>(redactAll(event, secrets))
}

const plainly = { loop: loopPlainly, group: groupPlainly }

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
    return await followJournal(store, id, { after: state.seq, tell, withinMs })
  } finally {
    live.stop()
  }
}

async function groupPlainly(store: Store, id: string, { env }: Input): Promise<Result<number>> {
  const secrets = secretsIn(env)
  const tell = (event: Recorded) => {
    const state = readState(store, id, 'group')
    if (!state.ok) return false
    for (const line of redactAll(announceGroup(event as unknown as GroupRecorded, state.value), secrets))
      err(line)
    return true
  }
  return followJournal(store, id, { ...fromFirst, tell })
}
