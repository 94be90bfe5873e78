/**
 * `--notify`: tells a person who has left the terminal, by the same channels as loopd. A notice that cannot be sent
 * before the program ends is reported and dropped: nobody should wait for a webhook to get the exit code.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { notify } from '../../adapters/notify.ts'
import type { Kinds } from '../../core/machine.ts'
import type { Driven } from '../../engine/drive.ts'
import { liveSettings } from '../../server/daemon/settings.ts'
import { noticeFor } from '../../views/faces/notice.ts'
import { loopdWords } from '../../views/words/daemon.ts'
import { err } from '../terminal.ts'

const pausesMs = [1_000, 5_000]
const mostMs = 15_000

/** A loop, or a group, which also speaks for its loops. */
type Told = Pick<Driven<Kinds>, 'world' | 'state'>

/** Sends notices until `stop`; `end` resolves when all were sent or given up. */
export function telling({ world, state: { id } }: Told): { stop(): void; end(): Promise<void> } {
  const { env, store, feed } = world
  const settings = liveSettings(store.paths)
  const stop = new AbortController()
  const under: Promise<unknown>[] = []
  const forget = feed.subscribe(id, told => {
    const notice = noticeFor(told.kind, told)
    if (!notice) return
    const channels = () => ({ command: settings.now().notificationCmd, webhook: settings.now().webhook })
    const failed = (channel: string, why: string, givenUp: boolean) => {
      if (givenUp) err(loopdWords.notNotified(channel, why))
    }
    under.push(notify(notice, { channels, env, signal: stop.signal, pausesMs, told() {}, failed }))
  })
  return {
    stop: forget,
    async end() {
      await Promise.race([Promise.all(under), delay(mostMs, undefined, { ref: false })])
      stop.abort()
    },
  }
}
