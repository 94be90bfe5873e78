/**
 * Whether everything is clear before the work begins: the facts of the checklist, and a gate if a row of the checklist
 * is not met. For a spec that is still vague after two rounds of questions, the gate shows the assumptions, and a
 * person decides whether to continue.
 */

import type { GroupState } from '../../group/state.ts'
import { type StartFacts, startChecklist, unclearRows } from '../../plan/checklist.ts'
import type { Growth } from '../program.ts'
import { askPeople, isAgreed } from './gates.ts'
import { assumptionsIn, autonomyOf, isStillVague, scoreIn } from './intent.ts'
import { planOf, said, shapeIn } from './read.ts'

type Known = { tasks: readonly string[]; announcement: string }

export function startFacts(state: GroupState, { tasks, announcement }: Known): StartFacts {
  const { reversibility, taskList } = planOf(state)
  const criteria = shapeIn(state)?.criteria.map(({ name }) => name) ?? null
  return {
    ...scoreIn(state),
    shape: isStillVague(state) ? 'blocked' : autonomyOf(state),
    reversibility,
    criteria,
    tasks,
    taskList: taskList ?? 'of this session only',
    // The criteria in the state file are written from these names.
    stateCriteria: criteria,
    announcement,
  }
}

/** Null once everything is clear, or a person has accepted the assumptions. */
export function askUnclear(state: GroupState, tasks: readonly string[]): Growth | null {
  const unclear = unclearRows(startChecklist(startFacts(state, { tasks, announcement: 'follows' })))
  if (unclear.length === 0) return null
  const question = [
    `Not clear before the start: ${unclear.join(', ')}. Two rounds of questions have left this open:`,
    ...assumptionsIn(state),
    'Continue with these assumptions?',
  ].join('\n')
  const asked = askPeople(state, { id: 'checklist', asks: 'gate', question })
  if (asked) return asked
  return isAgreed(said(state, 'checklist')) ? null : { end: 'failed', reason: 'rejected', why: 'checklist' }
}
