/** Polls a condition for a short while: for changes that are about to happen and that no event announces. */
import { setTimeout as delay } from 'node:timers/promises'

/** Resolves when the condition is false, or after `ms`. */
export async function untilNot(condition: () => boolean, ms: number): Promise<void> {
  const deadline = performance.now() + ms
  while (condition() && performance.now() < deadline) await delay(2)
}
