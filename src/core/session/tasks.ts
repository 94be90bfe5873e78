/**
 * The task list of a session, read from its files or given by its host program: known fields of bounded size.
 * Decides which task comes next, and in which state of the source's workflow the session is. A completed task is only
 * the session's claim.
 */
import { blockerCycle } from '../plan/waves.ts'
import { countOf, objectOf, parseJson, textOf, textsOf } from './state-file.ts'

export type SessionTask = {
  id: string
  subject: string
  description: string
  status: 'pending' | 'in_progress' | 'completed'
  blockedBy: string[]
  wave: number | null
  /** `loop task` made this task, so the agent may have no task tool of its host program for it. */
  isOfLoop: boolean
  /** The task is marked completed, but its deciding command has not passed in loop's own run. */
  isUnverified?: boolean
}

/** Null for entries that the host program would skip as well. */
export function parseTask(value: unknown): SessionTask | null {
  const task = objectOf(value)
  const id = textOf(task?.['id'])
  const status = task?.['status']
  if (!task || id === '' || (status !== 'pending' && status !== 'in_progress' && status !== 'completed')) {
    return null
  }
  return {
    id,
    subject: textOf(task['subject']),
    description: textOf(task['description']),
    status,
    blockedBy: textsOf(task['blockedBy']),
    wave: countOf(objectOf(task['metadata'])?.['wave']) || null,
    isOfLoop: typeof objectOf(task['metadata'])?.['stuckCount'] === 'number',
  }
}

export function openTasks(tasks: readonly SessionTask[]): SessionTask[] {
  return tasks.filter(({ status, isUnverified }) => status !== 'completed' || isUnverified === true)
}

/** The current task: one that was begun, otherwise the first without an open predecessor, otherwise the first. */
export function currentTask(tasks: readonly SessionTask[]): SessionTask | null {
  const open = openTasks(tasks)
  const ids = new Set(open.map(({ id }) => id))
  const free = open.find(({ blockedBy }) => !blockedBy.some(id => ids.has(id)))
  return open.find(({ status }) => status === 'in_progress') ?? free ?? open[0] ?? null
}

/** Open tasks in a circle: each waits for the next, the last for the first. Null if there is none. */
export function blockedCycle(tasks: readonly SessionTask[]): string[] | null {
  return blockerCycle(openTasks(tasks))
}

/**
 * Reads `.loop/workflow-state.json` of a session: the stage of a planned piece of work, as the agent reports
 * it.
 */
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
