/** The block after each iteration with the status of a loop, in the format that other tools read. */
import { criterionStates } from '../../core/loop/criteria.ts'
import { type Decision, decide } from '../../core/loop/decide.ts'
import type { State } from '../../core/loop/state.ts'
import { jsonText } from '../../core/text/plain-text.ts'

export function statusBlock(state: State): string[] {
  const criteria = criterionStates(state)
  // The loop can pause although every criterion is met, so `decide` is asked for what comes next.
  const decision = decide(state, state.lastAt)
  const isEnd = decision.do === 'record' && decision.event.kind === 'loop.completed'
  // A look at nothing but the work comes before the end, and does not send the agent back.
  const isLook = decision.do === 'step' && decision.step.kind === 'look' && state.trust.changed.length === 0
  const done = isEnd || isLook
  const fields = criteria.map(({ name, met }) => `${jsonText(name)}: ${met}`)
  return [
    '---LOOP_STATUS---',
    `EXIT_SIGNAL: ${done}`,
    `CRITERIA: {${fields.join(', ')}}`,
    `STUCK_COUNT: ${state.judged.unmetInRow}`,
    `NEXT: ${done ? 'complete' : next(state, decision)}`,
    '---END_STATUS---',
  ]
}

function next(state: State, decision: Decision): string {
  const open = criterionStates(state).find(({ met }) => !met)
  if (!open) {
    const isHeld = decision.do === 'rest' || (decision.do === 'record' && decision.event.kind === 'loop.held')
    return isHeld ? `a human looks at it: ${held(decision)}` : 'loop runs the promise once more'
  }
  if (open.command === null) return `a human says whether this is so: ${open.name}`
  return open.name === open.command ? `make this pass: ${open.command}` : `meet ${open.name}`
}

const whyHeld: Partial<Record<string, string>> = {
  'must-not': 'what must not happen has happened',
  'protected-changed': 'protected files were changed',
}

function held(decision: Decision): string {
  const reason = decision.do === 'record' && 'reason' in decision.event.data ? decision.event.data.reason : ''
  return whyHeld[reason] ?? 'the loop pauses'
}
