/**
 * Reads the store after every change, and at least ten times a second, since output files change without it. If the
 * store cannot be read (it is being replaced, the disk is away), the screen says so and the store is opened again every
 * second.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { type Feed, feedOf } from '../engine/feed.ts'
import { failureWords } from '../failures/words.ts'
import type { Result } from '../model/failure.ts'
import type { Store } from '../store/contract.ts'
import { screenSays } from '../views/screen/messages.ts'

type Following = {
  /** True if anything changed. May throw if the store is broken. */
  look(store: Store): boolean
  changed(): void
  /** Why the screen may be out of date; null as soon as it no longer is. */
  stale(why: string | null): void
}

type Open = { store: Store; feed: Feed }

const lookMs = 100
const againMs = 1_000

/** `ready` resolves after the first read. */
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
      following.stale(screenSays.cannotRead((error as Error).message))
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

/** Closing a broken store can throw; its file is released when the program ends. */
function close(opened: Open | null): void {
  try {
    opened?.store.close()
  } catch {
    opened = null
  }
}
