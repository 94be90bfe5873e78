/** Reports in a sentence what was done to a loop, or with --json its current state. */
import type { State } from '../core/loop/state.ts'
import { summarize } from '../core/loop/summary.ts'
import { loopJson } from '../documents/loop.ts'
import type { World } from '../engine/world.ts'
import { redactAll, secretsIn } from '../secrets/redact.ts'
import type { Input } from './command-table.ts'
import { outFor } from './terminal.ts'

export function printState(
  world: World,
  input: Input,
  { state, words }: { state: State; words: string },
): void {
  outFor<'loop'>(input, stateDocument(state, world), words)
}

/** Without secrets. */
export function stateDocument(state: State, world: World) {
  const detail = loopJson({ summary: summarize(state), orphaned: false }, world.now())
  return redactAll(detail, secretsIn(world.env))
}
