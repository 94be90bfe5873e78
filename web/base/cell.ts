/**
 * A cell: one value that can be read, set and watched, and the hook by which a component follows it. All state of the
 * page is in cells; a component is drawn again only if a cell that it reads has changed.
 */
import { useEffect, useReducer } from 'preact/hooks'

export type Cell<T> = {
  get(): T
  set(next: T): void
  update(change: (now: T) => T): void
  watch(changed: () => void): () => void
}

export function cell<T>(first: T): Cell<T> {
  let value = first
  const watchers = new Set<() => void>()
  const set = (next: T) => {
    if (Object.is(next, value)) return
    value = next
    for (const changed of watchers) changed()
  }
  return {
    get: () => value,
    set,
    update: change => set(change(value)),
    watch(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
  }
}

/** The value of a cell; the component is drawn again when it changes. */
export function useCell<T>(from: Cell<T>): T {
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const value = from.get()
  useEffect(() => {
    // The cell may have changed between drawing and this effect.
    if (!Object.is(from.get(), value)) redraw(undefined as never)
    return from.watch(() => redraw(undefined as never))
  }, [from])
  return value
}
