/**
 * Waiting for changes of the store: one timer per process polls it on behalf of all waiting callers, as often as the
 * most impatient one needs. While nobody waits, the timer is off. It reads no journal.
 */
import type { Store } from '../../store/contract.ts'

export type Lookout = {
  /** Called after another connection has written; must not throw. Returns the function that ends the subscription. */
  whenOthersWrite(listener: () => void): () => void
  /** A value that changes with every write to the store, by this connection or another. */
  version(): string
  /** Resolves with the new version as soon as it differs from `after`, or when the caller's patience ends. */
  changed(after: string, patience?: Patience): Promise<string>
  /**
   * Rings when the journal's inbox may have a command, at the time `until`, and when the clock was set back, so that
   * the caller decides again. The caller has just read the inbox: a command that arrives between two polls is found
   * by the next one.
   */
  bell(journal: string, until: number): { rung: Promise<null>; stop(): void }
  /** Rings the bell of a journal that was given a command in this process. */
  ring(journal: string): void
}

type Patience = {
  signal?: AbortSignal
  /** The polling interval for this caller. */
  everyMs?: number
  /** The time after which the caller continues without a change. */
  withinMs?: number
}

/** `broken` is told if the store cannot be read, and waiting goes on; without it the waiting callers get the error. */
export type Clock = { now(): number; broken?(error: unknown): void }

type Bell = PromiseWithResolvers<null> & { until: number }
type Waiter = PromiseWithResolvers<string> & { after: string; everyMs: number; due: number }

type Watch = Clock & {
  store: Store
  bells: Map<string, Bell>
  waiters: Set<Waiter>
  others: Set<() => void>
  /** The result and the time of the last poll. */
  seen: { version: string; byOthers: number }
  last: number
  timer: { due: number; handle: NodeJS.Timeout } | null
}

/** The longest delay of a command to a running loop. */
export const lookMs = 100
/** The polling interval of a caller that only waits for an answer. */
export const answerLookMs = 20

export function lookoutOver(store: Store, clock: Clock): Lookout {
  const watch: Watch = {
    ...clock,
    store,
    bells: new Map(),
    waiters: new Set(),
    others: new Set(),
    seen: { version: store.changes.byAny(), byOthers: store.changes.byOthers() },
    last: clock.now(),
    timer: null,
  }
  return {
    whenOthersWrite(listener) {
      watch.others.add(listener)
      lookWithin(watch, lookMs)
      return () => {
        watch.others.delete(listener)
        restIfAlone(watch)
      }
    },
    version: () => store.changes.byAny(),
    changed: (after, patience = {}) => changed(watch, after, patience),
    bell(journal, until) {
      const bell = { until, ...Promise.withResolvers<null>() }
      watch.last = Math.max(watch.last, watch.now())
      watch.bells.set(journal, bell)
      lookWithin(watch, untilBell(bell, watch.now()))
      const stop = () => {
        if (watch.bells.get(journal) === bell) watch.bells.delete(journal)
        restIfAlone(watch)
      }
      return { rung: bell.promise, stop }
    },
    ring: journal => watch.bells.get(journal)?.resolve(null),
  }
}

async function changed(watch: Watch, after: string, patience: Patience): Promise<string> {
  const { signal, everyMs = lookMs, withinMs = Number.POSITIVE_INFINITY } = patience
  if (signal?.aborted) return after
  const due = performance.now() + withinMs
  const waiter = { after, everyMs, due, ...Promise.withResolvers<string>() }
  const abort = () => waiter.resolve(after)
  signal?.addEventListener('abort', abort, { once: true })
  watch.waiters.add(waiter)
  lookWithin(watch, Math.min(everyMs, withinMs))
  try {
    return await waiter.promise
  } finally {
    signal?.removeEventListener('abort', abort)
    watch.waiters.delete(waiter)
    restIfAlone(watch)
  }
}

function lookWithin(watch: Watch, ms: number): void {
  const due = performance.now() + ms
  if (watch.timer && watch.timer.due <= due) return
  clearTimeout(watch.timer?.handle)
  const handle = setTimeout(() => {
    watch.timer = null
    try {
      look(watch)
    } catch (error) {
      tellBroken(watch, error)
    }
    if (!isAlone(watch)) lookWithin(watch, untilNextLook(watch))
  }, ms)
  watch.timer = { due, handle }
}

function look(watch: Watch): void {
  const { store, bells, waiters, others, seen, last } = watch
  const now = watch.now()
  watch.last = now
  for (const bell of bells.values()) if (now < last || now >= bell.until) bell.resolve(null)
  const version = store.changes.byAny()
  const byOthers = store.changes.byOthers()
  if (version !== seen.version && bells.size > 0)
    for (const journal of store.inbox.waiting()) bells.get(journal)?.resolve(null)
  watch.seen = { version, byOthers }
  if (byOthers !== seen.byOthers) for (const listener of others) listener()
  for (const waiter of waiters)
    if (waiter.after !== version || performance.now() >= waiter.due) waiter.resolve(version)
}

function tellBroken({ broken, bells, waiters }: Watch, error: unknown): void {
  if (broken) return broken(error)
  for (const one of [...bells.values(), ...waiters]) one.reject(error)
}

/** A bell that is due soon rings to the millisecond. */
function untilBell({ until }: Bell, now: number): number {
  return Math.min(lookMs, Math.max(1, until - now))
}

function untilNextLook(watch: Watch): number {
  const now = watch.now()
  const since = performance.now()
  let ms = watch.others.size > 0 ? lookMs : Number.POSITIVE_INFINITY
  for (const bell of watch.bells.values()) ms = Math.min(ms, untilBell(bell, now))
  for (const { everyMs, due } of watch.waiters) ms = Math.min(ms, everyMs, Math.max(1, due - since))
  return ms
}

function isAlone({ bells, waiters, others }: Watch): boolean {
  return bells.size + waiters.size + others.size === 0
}

/** Stops the timer, so that a program that waits for nothing can end and close its store. */
function restIfAlone(watch: Watch): void {
  if (!isAlone(watch)) return
  clearTimeout(watch.timer?.handle)
  watch.timer = null
}
