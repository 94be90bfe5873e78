/**
 * The task list of a session, as its files or its host give it: known fields of bounded size, or nothing. Which
 * task comes next is decided here; whether one is done is only ever the session's word.
 */
import { countOf, objectOf, textOf, textsOf } from './state-file.ts'

export type SessionTask = {
  id: string
  subject: string
  description: string
  status: 'pending' | 'in_progress' | 'completed'
  blockedBy: string[]
  wave: number | null
}

/** Null for what the host itself would pass over. */
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
  }
}

export function openTasks(tasks: readonly SessionTask[]): SessionTask[] {
  return tasks.filter(({ status }) => status !== 'completed')
}

/** The ids of open tasks that wait for each other, each for the next and the last for the first; empty for none. */
export function circleIn(tasks: readonly SessionTask[]): string[] {
  const open = new Map(openTasks(tasks).map(task => [task.id, task]))
  const cleared = new Set<string>()
  for (const start of open.keys()) {
    const path: string[] = []
    // Depth first without recursion: the next one on the path, or one step back.
    for (let at: string | undefined = start; at !== undefined; at = path.at(-1)) {
      if (path.at(-1) !== at) path.push(at)
      const next: string | undefined = open.get(at)?.blockedBy.find(id => open.has(id) && !cleared.has(id))
      const seen = next === undefined ? -1 : path.indexOf(next)
      if (seen >= 0) return path.slice(seen)
      if (next === undefined) cleared.add(path.pop() ?? '')
      else path.push(next)
    }
  }
  return []
}

/** The one at hand: begun, else the first that nothing open stands before, else the first. */
export function currentTask(tasks: readonly SessionTask[]): SessionTask | null {
  const open = openTasks(tasks)
  const ids = new Set(open.map(({ id }) => id))
  const free = open.find(({ blockedBy }) => !blockedBy.some(id => ids.has(id)))
  return open.find(({ status }) => status === 'in_progress') ?? free ?? open[0] ?? null
}

/** Open tasks that wait for each other in a circle, each for the next and the last for the first; null where none do. */
export function blockedCycle(tasks: readonly SessionTask[]): string[] | null {
  const open = new Map(openTasks(tasks).map(task => [task.id, task.blockedBy]))
  const done = new Set<string>()
  for (const start of open.keys()) {
    const found = cycleFrom(start, open, done)
    if (found) return found
  }
  return null
}

/** Follows the first way that is not known to lead nowhere; `done` are the tasks from which no circle is reached. */
function cycleFrom(start: string, open: ReadonlyMap<string, string[]>, done: Set<string>): string[] | null {
  const path: string[] = [start]
  while (path.length > 0) {
    const at = path.at(-1) ?? ''
    const next = (open.get(at) ?? []).find(id => open.has(id) && !done.has(id))
    if (next === undefined) {
      done.add(at)
      path.pop()
    } else if (path.includes(next)) return path.slice(path.indexOf(next))
    else path.push(next)
  }
  return null
}
