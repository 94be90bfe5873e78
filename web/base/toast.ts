/** Short messages about the result of an action. They vanish by themselves; those that ask for something stay longer. */
import type { Answered } from './api.ts'
import { cell } from './cell.ts'

type Toast = { id: number; tone: 'good' | 'bad'; text: string; undo?: { label: string; run(): void } }

export const toasts = cell<readonly Toast[]>([])

/** An undo has to be read, decided and reached. */
const shownMs = { good: 8_000, bad: 20_000, undo: 60_000 }

let last = 0

export function say(toast: Omit<Toast, 'id'>): void {
  last += 1
  const id = last
  toasts.update(now => [...now.slice(-3), { ...toast, id }])
  const ms = toast.undo ? shownMs.undo : shownMs[toast.tone]
  window.setTimeout(() => dismiss(id), ms)
}

export function dismiss(id: number): void {
  toasts.update(now => now.filter(toast => toast.id !== id))
}

/** Shows the result of a request as a message; true after a success. */
export function saidHow<T>(answered: Answered<T>, done: string): answered is { ok: true; value: T } {
  if (answered.ok) say({ tone: 'good', text: done })
  else say({ tone: 'bad', text: answered.message })
  return answered.ok
}
