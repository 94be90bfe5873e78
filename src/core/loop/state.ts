/**
 * What is known about a loop: the fold of its journal, and nothing else. In parts, each in one file of
 * core/loop/parts with how it begins and what changes it; the other fields are those of the envelope.
 * Status is derived from it (core/loop/summary), never stored here.
 */
import type { Spec } from '../../model/loop/spec.ts'
import type { CostPart } from './parts/cost.ts'
import type { DoubtsPart } from './parts/doubts.ts'
import type { HookPart } from './parts/hook.ts'
import type { HumanPart } from './parts/human.ts'
import type { JudgedPart } from './parts/judged.ts'
import type { LimitsPart } from './parts/limits.ts'
import type { TreePart } from './parts/tree.ts'
import type { TurnPart } from './parts/turn.ts'
import type { WorkPart } from './parts/work.ts'

export type State = {
  id: string
  seq: number
  createdAt: number
  /** Time of the newest event; with an outcome, when the loop ended. */
  lastAt: number
  /** The lease under which the newest event was written. */
  epoch: number
  /** How long it has been at work until the newest event: without its rests. */
  activeMs: number
  /** An event of a kind or version this program does not know: shown, never driven. */
  unknown: string | null
  spec: Spec
  work: WorkPart
  tree: TreePart
  judged: JudgedPart
  human: HumanPart
  limits: LimitsPart
  turn: TurnPart
  cost: CostPart
  doubts: DoubtsPart
  hook: HookPart
}
