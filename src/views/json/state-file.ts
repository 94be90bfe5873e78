/**
 * `.loop/state.json`: the state of a loop in the schema that hooks and other tools read. It is a projection of the
 * journal: changes by an agent have no effect.
 */
import { type Standing, standings } from '../../core/loop/criteria.ts'
import type { State } from '../../core/loop/state.ts'
import { hasJudged, summarize } from '../../core/loop/summary.ts'

export function stateJson(state: State): string {
  const { status } = summarize(state)
  const criteria = standings(state)
  const met = criteria.filter(standing => standing.met).map(({ name }) => name)
  const unmet = criteria.filter(standing => !standing.met).map(({ name }) => name)
  const names = criteria.map(({ name }) => name)
  const document = {
    spec: state.spec.prompt,
    criteria: names,
    criteriaStatus: Object.fromEntries(criteria.map(standing => [standing.name, statusOf(standing)])),
    exit_signal: state.turn.outcome?.kind === 'completed',
    steps: names,
    completedSteps: met,
    remainingSteps: unmet,
    iteration: state.work.iteration,
    status: ['queued', 'running', 'waiting'].includes(status) ? 'in_progress' : status,
    circuitBreaker: { stuckCount: state.judged.unmetInRow, lastUnmet: (hasJudged(state) && unmet[0]) || '' },
    // An extra field: the owner of this projection, so that a hook ignores the file.
    loop: state.id,
    driver: 'loop',
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The short form if the evidence is execution output, which is the usual case. */
function statusOf({ met, verification }: Standing) {
  return verification === 'execution output' ? met : { met, verification }
}
