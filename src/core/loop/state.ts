/**
 * The state of a loop: the fold of its journal and nothing else. It consists of parts, each in one file of
 * core/loop/parts with its initial value and the events that change it, and of fields of the envelope. The
 * status is derived from it (core/loop/summary) and not stored here.
 */
import type { Spec } from '../../model/loop/spec.ts'
import type { CostPart } from './parts/cost.ts'
import type { DoubtsPart } from './parts/doubts.ts'
import type { HookPart } from './parts/hook.ts'
import type { HumanPart } from './parts/human.ts'
import type { JudgedPart } from './parts/judged.ts'
import type { LimitsPart } from './parts/limits.ts'
import type { AssessedPart } from './parts/spec.ts'
import type { TreePart } from './parts/tree.ts'
import type { TrustPart } from './parts/trust.ts'
import type { TurnPart } from './parts/turn.ts'
import type { RefusedPart, WorkPart } from './parts/work.ts'

export type State = {
  id: string
  seq: number
  createdAt: number
  /** The time of the newest event; with an outcome, the end of the loop. */
  lastAt: number
  /** The lease epoch of the newest event. */
  epoch: number
  /** The working time up to the newest event, without rests. */
  activeMs: number
  /** An event of a kind or version that this program does not know: the journal is shown, but never driven. */
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
  trust: TrustPart
  refused: RefusedPart
  assessed: AssessedPart
}
