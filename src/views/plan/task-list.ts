/** A task list for people: one line per task, then the next task. */
import { clip, oneLine, safeLine } from '../../core/text/plain-text.ts'

type ListedTask = {
  /** In the usual form: T-001. */
  id: string
  subject: string
  status: string
  blockedBy: readonly string[]
  verify: string | null
  /** Its command has passed in loop's own run; null if it has none. */
  verified: boolean | null
}

export function taskListText(name: string, tasks: readonly ListedTask[], current: string | null): string {
  const done = tasks.filter(({ status, verified }) => status === 'completed' && verified !== false)
  if (tasks.length === 0)
    return safeLine(`${name}: no tasks yet. Make one: loop task add "<subject>" --verify "<command>"`)
  const width = Math.max(...tasks.map(({ status }) => status.length))
  const lines = tasks.map(
    task => `  ${task.id}  ${task.status.padEnd(width)}  ${clip(oneLine(task.subject), 80)}${notes(task)}`,
  )
  const next = tasks.find(({ id }) => id === current)
  return [
    `${name}: ${done.length} of ${tasks.length} completed`,
    ...lines,
    ...(next ? [`Next: ${next.id} ${clip(oneLine(next.subject), 80)}`] : []),
  ]
    .map(safeLine)
    .join('\n')
}

function notes({ status, blockedBy, verify, verified }: ListedTask): string {
  const about = [
    ...(status !== 'completed' && blockedBy.length > 0 ? [`blocked by ${blockedBy.join(', ')}`] : []),
    ...(status === 'completed' && verified === false ? ['not verified yet'] : []),
    ...(status === 'completed' && verified === true ? ['verified'] : []),
    ...(status !== 'completed' && verify !== null ? [`verify: ${clip(verify, 60)}`] : []),
  ]
  return about.length > 0 ? `  (${about.join('; ')})` : ''
}
