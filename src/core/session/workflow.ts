/**
 * Reads `.loop/workflow-state.json` of a session: the stage of a planned piece of work, as the agent reports
 * it.
 */
import { countOf, objectOf, parseJson, textOf } from './state-file.ts'

export type Workflow = {
  stage: string
  task: string
  specScore: number
  fitScore: number
  /** One short entry per review: "wave_1 8/10". */
  reviews: string[]
  driven: boolean
}

export function parseWorkflow(text: string): Workflow | null {
  const document = objectOf(parseJson(text))
  const stage = textOf(document?.['stage'])
  if (!document || stage === '') return null
  return {
    stage,
    task: textOf(document['task']),
    specScore: countOf(document['spec_score']),
    fitScore: countOf(document['fit_score']),
    reviews: Object.entries(objectOf(document['reviews']) ?? {})
      .slice(0, 20)
      .flatMap(review),
    driven: document['driver'] === 'loop',
  }
}

/** In the early stages a session stops in order to ask its user about the request; that is not its end. */
export function asksUser({ stage }: Workflow): boolean {
  return stage === 'intent' || stage === 'shape'
}

function review([name, value]: [string, unknown]): string[] {
  const found = objectOf(value)
  if (!found) return []
  const blockers = countOf(found['blockers']) + countOf(found['blockers_remaining'])
  const open = blockers > 0 ? `, ${blockers} open` : ''
  if (typeof found['passed'] === 'boolean')
    return [`${name.slice(0, 40)} ${found['passed'] ? 'passed' : 'not passed'}${open}`]
  return [`${name.slice(0, 40)} ${countOf(found['score'])}/10${open}`]
}
