/**
 * How a host of many loops learns that there is something to do: one look at the store for all of them. A host
 * of one loop looks for itself (engine/drive).
 */
import type { Store } from '../store/contract.ts'

/** What `drive` asks: be rung when the inbox of the loop may hold something, or when the moment has come. */
export type Inputs = { watch(loop: string, until: number, ring: () => void): () => void }

export type SharedInputs = Inputs & {
  ring(loop: string): void
  stop(): void
}

type Waiting = { until: number; ring(): void }

const pollMs = 100

/**
 * `changed` is called after another process has written to the store, `broken` when it can not be read; neither
 * may throw. A command that is sent between two looks is seen by the next one: who waits has read its inbox
 * after the look before.
 */
export function sharedInputs(
  store: Store,
  host: { now(): number; changed(): void; broken(error: unknown): void },
): SharedInputs {
  const waiting = new Map<string, Waiting>()
  let version = store.changes.byOthers()
  let last = host.now()
  const look = () => {
    const now = host.now()
    // A clock that was set back: whether there is still something to wait for is for `decide` to say.
    const isBack = now < last
    last = now
    for (const one of waiting.values()) if (isBack || now >= one.until) one.ring()
    const seen = store.changes.byOthers()
    if (seen === version) return
    version = seen
    for (const loop of store.inbox.waiting()) waiting.get(loop)?.ring()
    host.changed()
  }
  const timer = setInterval(() => {
    try {
      look()
    } catch (error) {
      host.broken(error)
    }
  }, pollMs)
  return {
    watch(loop, until, ring) {
      const one = { until, ring }
      waiting.set(loop, one)
      return () => {
        if (waiting.get(loop) === one) waiting.delete(loop)
      }
    },
    ring: loop => waiting.get(loop)?.ring(),
    stop: () => clearInterval(timer),
  }
}
