/**
 * Sends notices about loops to the user, at least once each. A notice is derived from an event, and the number of
 * the last delivered event is kept beside the journal (store/sqlite/changes). So a loopd that dies loses none: the
 * next one sends it. `id` stays the same, so that receivers can drop duplicates.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { notify } from '../../adapters/notify.ts'
import { journalKind } from '../../core/folds.ts'
import { beginGroup, evolveGroup } from '../../core/group/evolve.ts'
import type { GroupState } from '../../core/group/state.ts'
import { begin, evolve } from '../../core/loop/evolve.ts'
import type { State } from '../../core/loop/state.ts'
import type { Envelope } from '../../model/envelope.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import type { Recorded } from '../../model/loop/event.ts'
import type { Store } from '../../store/contract.ts'
import { groupNotice, groupNoticeKinds } from '../../views/words/notice/group-notice.ts'
import { type Notice, noticeKinds, noticeOf } from '../../views/words/notice/notice.ts'
import type { Log } from './log.ts'
import type { LiveSettings } from './settings.ts'

type Teller = {
  env: NodeJS.ProcessEnv
  log: Log
  settings: LiveSettings
  /** The problem of one channel; null once it is solved. */
  problem(channel: string, why: string | null): void
}

export type Notices = {
  /** A notice of loopd itself: it is in no journal, and the next loopd repeats it if it still applies. */
  tell(notice: Notice): void
  told(event: Recorded, state: State, before: State | null): void
  /** The same of a group. */
  toldOfGroup(event: GroupRecorded, state: GroupState, before: GroupState | null): void
  /** Sends what earlier loopds did not; called once, before any loop is hosted. */
  catchUp(): void
  /** Resolves when everything has been tried, or after this time; the rest is left to the next loopd. */
  end(ms: number): Promise<void>
}

export function tellFrom(store: Store, teller: Teller): Notices {
  const { log } = teller
  const stop = new AbortController()
  const trying = new Set<Promise<void>>()
  const loops = new Map<string, { open: Set<number>; highest: number }>()

  const deliver = (notice: Notice) => delivered(notice, teller, stop.signal)

  async function about(notice: Notice, loop: string, seq: number): Promise<void> {
    const known = loops.get(loop) ?? { open: new Set(), highest: 0 }
    loops.set(loop, known)
    known.open.add(seq)
    if (!(await deliver(notice))) return
    known.open.delete(seq)
    known.highest = Math.max(known.highest, seq)
    // An earlier notice can still be on its way: then the next loopd sends both again.
    mark(loop, Math.min(known.highest, ...Array.from(known.open, other => other - 1)))
    if (known.open.size === 0) loops.delete(loop)
  }

  function mark(loop: string, seq: number): void {
    try {
      store.notified.mark(loop, seq)
    } catch (error) {
      // The disk is full: the next loopd sends it once more.
      log.warn({ err: error, loop }, 'sent notices cannot be recorded')
    }
  }

  const follow = (work: Promise<unknown>) => {
    const one = work
      .catch(error => log.error({ err: error }, 'a notice could not be sent'))
      .then(() => void trying.delete(one))
    trying.add(one)
  }

  const tellOf = ({ loop, seq }: Envelope, notice: Notice | null) => {
    if (notice) follow(about(notice, loop, seq))
  }

  return {
    tell: notice => follow(deliver(notice)),
    told: (event, state, before) => tellOf(event, noticeOf(event, state, before)),
    toldOfGroup: (event, state, before) => tellOf(event, groupNotice(event, state, before)),
    catchUp() {
      try {
        for (const { notice, loop, seq } of missed(store)) follow(about(notice, loop, seq))
      } catch (error) {
        log.warn({ err: error }, 'unsent notices cannot be looked up')
      }
    },
    async end(ms) {
      await Promise.race([Promise.all(trying), delay(ms, undefined, { ref: false })])
      stop.abort()
      // A hanging command is ended with its children, which takes a second at most.
      await Promise.all(trying)
    },
  }
}

/** Whether it was delivered or given up; false if it was stopped before. */
function delivered(notice: Notice, teller: Teller, signal: AbortSignal): Promise<boolean> {
  const { log, env, settings, problem } = teller
  log.info({ loop: notice.loop, notice: notice.id, reason: notice.reason }, `notice: ${notice.title}`)
  return notify(notice, {
    channels: () => ({ command: settings.now().notificationCmd, webhook: settings.now().webhook }),
    env,
    signal,
    told: channel => problem(channel, null),
    failed(channel, why, givenUp) {
      problem(channel, `nobody can be notified by ${channel}: ${why}`)
      if (givenUp) log.error({ notice: notice.id, channel }, `a notice was given up: ${notice.title}: ${why}`)
    },
  })
}

type Missed = { notice: Notice; loop: string; seq: number }

/** Only background loops; a person who has taken one up needs no notice. */
function missed(store: Store): Missed[] {
  return store.notified.missed([...noticeKinds, ...groupNoticeKinds]).flatMap(({ loop, after }) => {
    const events = store.journals.read(loop)
    // The host of a damaged journal reports it.
    if (!events.ok) return []
    const kind = journalKind(events.value[0])
    if (kind === 'loop') return noticesIn(events.value, after)
    return kind === 'group' ? groupNoticesIn(events.value as unknown as GroupRecorded[], after) : []
  })
}

function noticesIn(events: Recorded[], after: number): Missed[] {
  const found: Missed[] = []
  let state: State | null = null
  for (const event of events) {
    const before: State | null = state
    state = before ? evolve(before, event) : begin(event)
    const notice = event.seq > after ? noticeOf(event, state, before) : null
    if (notice) found.push({ notice, loop: event.loop, seq: event.seq })
  }
  return state?.turn.background ? found : []
}

function groupNoticesIn(events: GroupRecorded[], after: number): Missed[] {
  const found: Missed[] = []
  let state: GroupState | null = null
  for (const event of events) {
    const before: GroupState | null = state
    state = before ? evolveGroup(before, event) : beginGroup(event)
    const notice = event.seq > after ? groupNotice(event, state, before) : null
    if (notice) found.push({ notice, loop: event.loop, seq: event.seq })
  }
  return state?.background ? found : []
}
