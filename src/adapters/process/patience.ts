/** Waiting for a short while for something that is about to happen and that nothing announces. */
import { setTimeout as delay } from 'node:timers/promises'

export async function untilNot(condition: () => boolean, ms: number): Promise<void> {
  const deadline = performance.now() + ms
  while (condition() && performance.now() < deadline) await delay(2)
}
