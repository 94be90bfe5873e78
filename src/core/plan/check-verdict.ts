/**
 * The result of a command that judges the tree of a plan. PASS and FAIL are what its exit says; a command that did not
 * come to its end says nothing: ERROR.
 */
import type { NodeEnd } from '../../model/group/event.ts'
import type { Verdict } from '../../model/loop/event.ts'
import { verdictOf } from '../loop/run/verdict.ts'

export type CheckVerdict = { verdict: Verdict; why: string }

export function checkVerdict({ exitCode = null, why }: Pick<NodeEnd, 'exitCode' | 'why'>): CheckVerdict {
  if (why !== undefined) return { verdict: 'ERROR', why }
  return verdictOf(exitCode === null ? null : { code: exitCode, timedOut: false, durationMs: 0 }, 0)
}
