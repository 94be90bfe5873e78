/**
 * Sends notices about loops to the user, at least once each. A notice is derived from an event, and the number of
 * the last delivered event is kept beside the journal (store/sqlite/open). So a loopd that dies loses none: the
 * next one sends it. `id` stays the same, so that receivers can drop duplicates.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { notify } from '../../adapters/notify.ts'
import { folds, type JournalKind, journalKind, type KindsOf, known } from '../../core/folds.ts'
import { type Fold, replayed } from '../../core/machine.ts'
import type { Told } from '../../engine/feed.ts'
import type { Store } from '../../store/contract.ts'
import { type Notice, noticeFor, toldKinds } from '../../views/faces/notice.ts'
import { daemonWords } from '../../views/words/daemon.ts'
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
  told(told: Told<KindsOf[JournalKind]>): void
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
    const sent = loops.get(loop) ?? { open: new Set(), highest: 0 }
    loops.set(loop, sent)
    sent.open.add(seq)
    if (!(await deliver(notice))) return
    sent.open.delete(seq)
    sent.highest = Math.max(sent.highest, seq)
    // An earlier notice can still be on its way: then the next loopd sends both again.
    mark(loop, Math.min(sent.highest, ...Array.from(sent.open, other => other - 1)))
    if (sent.open.size === 0) loops.delete(loop)
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

  return {
    tell: notice => follow(deliver(notice)),
    told(told) {
      const notice = noticeFor(told.kind, told)
      if (notice) follow(about(notice, told.event.loop, told.event.seq))
    },
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
      problem(channel, daemonWords.notNotified(channel, why))
      if (givenUp) log.error({ notice: notice.id, channel }, `a notice was given up: ${notice.title}: ${why}`)
    },
  })
}

type Missed = { notice: Notice; loop: string; seq: number }

/** Only of background journals; a person who has taken one up needs no notice. */
function missed(store: Store): Missed[] {
  return store.notified.missed(toldKinds).flatMap(({ loop, after }) => {
    const events = store.journals.read(loop)
    // The host of a damaged journal reports it.
    const kind = events.ok ? journalKind(events.value[0]) : ''
    const fold: Fold<KindsOf[JournalKind]> | null = known(folds, kind)
    if (!events.ok || !fold) return []
    const found: Missed[] = []
    let last: KindsOf[JournalKind]['state'] | null = null
    for (const told of replayed<KindsOf[JournalKind]>(fold, events.value)) {
      const { seq } = told.event
      const notice = seq > after ? noticeFor(kind, told) : null
      if (notice) found.push({ notice, loop, seq })
      last = told.state
    }
    return last && fold.summarize(last).background ? found : []
  })
}
