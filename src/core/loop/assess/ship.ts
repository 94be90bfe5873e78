/**
 * The ship verdict of a result, recorded at the end. SHIP: every criterion is met by strong evidence, the
 * change is easy to undo, and there are no doubts. MONITOR: all is met, but hard to undo, known only by review,
 * or in doubt (tests are gone, the repository is gone or its HEAD moved). RESEARCH: something is unmet or
 * assumed, or a forbidden thing is present or cannot be judged.
 */
import type { Objection, Ship } from '../../../model/loop/assessment.ts'
import type { Verification } from '../../../model/loop/spec.ts'
import { criterionStates } from '../criteria.ts'
import type { State } from '../state.ts'
import { doubtsOf } from './doubts.ts'

const strong: readonly Verification[] = ['execution output', 'observation', 'measurement']

/** With one of these the result does not fulfil the request; the others only ask for a look. */
const open: readonly Objection[] = ['unmet', 'assumption', 'must-not', 'holdout']

/** The recorded verdict; before the end it is computed from the state. */
export function shipOf(state: State): Ship {
  return state.turn.ship ?? judgeShip(state)
}

export function judgeShip(state: State): Ship {
  const against = objectionsTo(state)
  if (against.length === 0) return { verdict: 'SHIP', against }
  return { verdict: against.some(one => open.includes(one)) ? 'RESEARCH' : 'MONITOR', against }
}

function objectionsTo(state: State): Objection[] {
  const criteria = criterionStates(state)
  const facts: Record<Objection, boolean> = {
    unmet: criteria.length === 0 || criteria.some(({ met }) => !met),
    assumption: criteria.some(({ verification }) => verification === 'assumption'),
    'must-not': state.judged.mustNot.some(({ verdict }) => verdict !== 'FAIL'),
    holdout: state.trust.holdout !== null && state.trust.holdout.verdict !== 'PASS',
    'hard-to-take-back': state.assessed.reversibility === '1',
    'only-reviewed': !criteria.some(({ verification }) => strong.includes(verification)),
    'in-doubt': doubtsOf(state).length > 0,
  }
  return (Object.keys(facts) as Objection[]).filter(name => facts[name])
}
