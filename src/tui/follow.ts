/**
 * Looks at the store whenever it has changed, and ten times a second for what files tell. Where it cannot be read for a
 * while (it is being replaced, the disk is away) that is said, and it is opened again until it can.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { type Feed, feedOf } from '../engine/feed.ts'
import type { Result } from '../model/failure.ts'
import type { Store } from '../store/contract.ts'
import { failureWords } from '../views/words/failure/words.ts'

type Following = {
  /** Whether anything has changed; may throw where the store is broken. */
  look(store: Store): boolean
  changed(): void
  /** Why what is shown may be old; null when it is not any more. */
  stale(why: string | null): void
}

type Open = { store: Store; feed: Feed }

const lookMs = 100
const againMs = 1_000

/** `ready`: the first look is done. */
export function followStore(
  open: () => Result<Store | null>,
  following: Following,
): { ready: Promise<void>; wake(): void; stop(): Promise<void> } {
  const end = new AbortController()
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  let wake = () => {}
  const woken = () =>
    new Promise<void>(awake => {
      wake = awake
    })
  const wait = async (opened: Open | null, version: string) => {
    const changed = opened
      ? opened.feed.changed(version, { signal: end.signal, withinMs: lookMs })
      : delay(lookMs, null, { signal: end.signal }).catch(() => null)
    await Promise.race([woken(), changed])
  }
  const over = reading({ open, following, wait, ready: resolve, signal: end.signal })
  return {
    ready,
    wake: () => wake(),
    async stop() {
      end.abort()
      wake()
      await over
    },
  }
}

type Reading = {
  open(): Result<Store | null>
  following: Following
  wait(opened: Open | null, version: string): Promise<void>
  ready(): void
  signal: AbortSignal
}

async function reading({ open, following, wait, ready, signal }: Reading): Promise<void> {
  let opened: Open | null = null
  let isStale = false
  while (!signal.aborted) {
    try {
      opened ??= openedBy(open)
      const version = opened?.feed.version() ?? ''
      const isNew = opened !== null && following.look(opened.store)
      if (isStale) following.stale(null)
      isStale = false
      if (isNew) following.changed()
      ready()
      await wait(opened, version)
    } catch (error) {
      isStale = true
      following.stale(`cannot be read just now: ${(error as Error).message}`)
      ready()
      close(opened)
      opened = null
      await delay(againMs, null, { signal }).catch(() => null)
    }
  }
  close(opened)
}

function openedBy(open: Reading['open']): Open | null {
  const store = open()
  if (!store.ok) throw new Error(failureWords(store.failure))
  return store.value && { store: store.value, feed: feedOf(store.value) }
}

/** A store that is broken may not even be closed; its file is let go of with the program. */
function close(opened: Open | null): void {
  try {
    opened?.store.close()
  } catch {
    opened = null
  }
}
