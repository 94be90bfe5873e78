/** The block that says, after each iteration, where a loop stands, in the form that other tools read. */
import { standings } from '../../core/loop/criteria.ts'
import type { State } from '../../core/loop/state.ts'
import { jsonText } from './plain-text.ts'

export function statusBlock(state: State): string[] {
  const criteria = standings(state)
  const done = criteria.length > 0 && criteria.every(({ met }) => met)
  const fields = criteria.map(({ name, met }) => `${jsonText(name)}: ${met}`)
  return [
    '---LOOP_STATUS---',
    `EXIT_SIGNAL: ${done}`,
    `CRITERIA: {${fields.join(', ')}}`,
    `STUCK_COUNT: ${state.judged.unmetInRow}`,
    `NEXT: ${done ? 'complete' : next(state)}`,
    '---END_STATUS---',
  ]
}

function next(state: State): string {
  const open = standings(state).find(({ met }) => !met)
  if (!open) return 'none'
  if (open.command === null) return `a human says whether this is so: ${open.name}`
  return open.name === open.command ? `make this pass: ${open.command}` : `meet ${open.name}`
}
