/**
 * Facts about refused commands: why a loop or a group, as it stands, does not do what was asked. They are recorded
 * (`command.refused`), so a kind and its data are add-only, like an event. Their sentences:
 * views/words/recorded/refusal.
 */
import type { Nothing } from '../all.ts'

/** The refusals of every kind of journal, and of the engine that asks it. */
type AnyRefusals = {
  'journal-too-new': { holds: string }
  'has-ended': { outcome: string }
  'has-completed': Nothing
  'already-paused': Nothing
  'already-queued': Nothing
  /** `has`: the newest of its checkpoints; `older`: how many there are besides. */
  'checkpoint-unknown': { name: string; has: string[]; older: number }
  'command-unreadable': Nothing
  'command-unknown': Nothing
  'no-host': { id: string; asked: 'pause' | 'rollback' | 'checkpoint' }
  'host-gone': Nothing
  'goes-on-already': { id: string }
}

type LoopRefusals = {
  'pauses-already': Nothing
  'loop-completed': Nothing
  'agent-at-work': { id: string }
  'agent-at-work-still': Nothing
  /** `raise`: the limits that would be enough; only those that are used up. */
  'limits-used-up': {
    iterations: number
    costUsd: number | null
    budgetUsd: number | null
    raise: { maxIterations?: number; budgetUsd?: number }
  }
  'nothing-asked': Nothing
  'checkpoints-off': Nothing
  'never-saved': Nothing
  'checkpoint-under-way': { name: string }
  'rollback-under-way': { to: string }
  'checkpoint-name-unfit': Nothing
  'checkpoint-name-reserved': { name: string }
  'checkpoint-name-taken': { name: string }
  'text-too-long': Nothing
  'criterion-unknown': { criterion: string; has: string[] }
  'loop-not-at-rest': { id: string; status: string }
}

type GroupRefusals = {
  'for-one-loop': { asked: string }
  'hook-stops-already': Nothing
  'cancels-already': Nothing
  'copies-gone': Nothing
  'group-budget-used-up': { id: string }
  'no-open-question': Nothing
  'answer-unfit': { question: string; choices: string[] }
  'no-reviews': Nothing
  'finding-unknown': { finding: string; has: string[] }
  'attempt-unknown': { attempt: string; has: string[] }
  'attempt-without-result': { node: string }
  'was-cancelled': Nothing
  'pick-too-early': Nothing
  'pick-outside-tree': { file: string }
  'group-not-at-rest': Nothing
}

export type Refusals = AnyRefusals & LoopRefusals & GroupRefusals

/** The facts of one refusal, tagged with its kind. */
export type RefusalFacts = { [K in keyof Refusals]: { kind: K } & Refusals[K] }[keyof Refusals]
