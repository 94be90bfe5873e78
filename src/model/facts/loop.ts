/**
 * Facts about failures of one loop: an unclear id, another host, a refused command. Their sentences:
 * views/words/failure/loop.
 */
import type { Facts, Nothing } from './all.ts'

export type LoopFailures = {
  /** `near`: the id that was probably meant, where one is like it. */
  'unknown-loop': { name: string; near?: string }
  'ambiguous-loop': { name: string; ids: string[] }
  'newer-journal': { id: string }
  'not-a-loop': { id: string; is: string }
  'busy-just-now': { id: string }
  'host-silent': { id: string; asked: string; pid: string }
  'already-driven': { id: string; pid: string }
  refused: { id: string; asked: string; because: Facts }
  'tree-busy': { id: string; cwd: string }
  'which-loop': { why: string }
  'unknown-run': { id: string; run: number | string }
  'unknown-verification': { id: string; verification: string }
  'loop-not-rolled-back': { id: string; why: string }
  'question-for-human': { id: string }
  'in-own-tree': { id: string }
  'not-cancelled': { id: string; why: string }
  'output-discarded': { id: string; at: number | null }
  'no-run-in-iteration': { iteration: string; runs: number }
  'never-rolled-back': { id: string }
  'no-loop-here': { id: string; cwd: string }
  'no-hook-run': Nothing
  'promise-not-run': Nothing
  'promise-not-run-in': { iteration: string; known: number[] }
  'no-items': { agent: string }
  'files-lost': { because: Facts; why: Facts }
  'way-back': { because: Facts; id: string }
  'driven-elsewhere': { id: string; pid: string; because: Facts }
  'agent-unkillable': { because: Facts; pids: number[] }
  'stopped-unrecorded': { id: string; because: Facts }
}
