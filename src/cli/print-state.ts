/** Reports in a sentence what was done to a journal, or with --json its current state. */
import type { JournalKind, KindsOf } from '../core/folds.ts'
import { loopJson } from '../documents/loop.ts'
import type { World } from '../engine/world.ts'
import { redactAll, secretsIn } from '../secrets/redact.ts'
import type { Input } from './command-table.ts'
import { outFor } from './terminal.ts'

type Summary = KindsOf[JournalKind]['summary']

export function printState(
  world: Pick<World, 'now' | 'env'>,
  input: Input,
  { summary, words, more }: { summary: Summary; words: string; more?: object },
): void {
  outFor<'loop'>(input, stateDocument(world, summary, more), words)
}

/** Without secrets. */
export function stateDocument(world: Pick<World, 'now' | 'env'>, summary: Summary, more: object = {}) {
  return redactAll({ ...loopJson({ summary, orphaned: false }, world.now()), ...more }, secretsIn(world.env))
}
