/**
 * Waiting for the store: one timer of a process looks whether it has changed, on behalf of everybody who waits, as
 * often as the most impatient of them needs it. While nobody waits it stands still. Reads no journal.
 */
import type { Store } from '../../store/contract.ts'

export type Lookout = {
  /** Called after another connection has written; must not throw. Returns its end. */
  whenOthersWrite(listener: () => void): () => void
  /** Changes with every write to the store, of this connection or another. */
  version(): string
  /** The version at the first look that finds another one than `after`, or at the end of the caller's patience. */
  changed(after: string, patience?: Patience): Promise<string>
  /**
   * Rings when the inbox of the journal may hold something, at the time `until`, and when the clock was set back:
   * whether there is still something to wait for is then to be decided anew. The caller has just read the inbox: a
   * command that is sent between two looks is seen by the next one.
   */
  bell(journal: string, until: number): { rung: Promise<null>; stop(): void }
  /** Rings the bell of a journal of which something was asked in this process. */
  ring(journal: string): void
}

type Patience = {
  signal?: AbortSignal
  /** How often the store is looked at for this caller. */
  everyMs?: number
  /** The time after which the caller goes on though nothing has changed. */
  withinMs?: number
}

/** `broken`: hears that the store cannot be read, and everybody waits on; without it whoever waits gets the error. */
export type Clock = { now(): number; broken?(error: unknown): void }

type Bell = PromiseWithResolvers<null> & { until: number }
type Waiter = PromiseWithResolvers<string> & { after: string; everyMs: number; due: number }

type Watch = Clock & {
  store: Store
  bells: Map<string, Bell>
  waiters: Set<Waiter>
  others: Set<() => void>
  /** The last look: what it has found, and its time. */
  seen: { version: string; byOthers: number }
  last: number
  timer: { due: number; handle: NodeJS.Timeout } | null
}

/** A command for a running loop waits so long at most. */
export const lookMs = 100
/** For whoever does nothing but wait for an answer. */
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

/** The time a bell rings at is kept to the millisecond, where that is soon. */
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

/** So that a program that waits for nothing can end, and close its store. */
function restIfAlone(watch: Watch): void {
  if (!isAlone(watch)) return
  clearTimeout(watch.timer?.handle)
  watch.timer = null
}
