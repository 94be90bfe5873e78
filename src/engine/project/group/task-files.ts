/** The tasks of a plan in the files of Claude Code's list, so that a session sees the same list: a projection. */
import { join } from 'node:path'
import { lastTaskNumber, projectTaskFiles, readTaskFiles } from '../../../adapters/tasks/files.ts'
import type { GroupState } from '../../../core/group/state.ts'
import { taskDescription, taskNumber } from '../../../core/plan/task-text.ts'
import { outlineOf } from '../../../core/programs/plan/outline.ts'
import type { TaskFile } from '../../../model/plan/task-file.ts'

/** Null if there is no home directory for lists. */
function taskListDir(list: string, env: NodeJS.ProcessEnv): string | null {
  const home = env['CLAUDE_CONFIG_DIR'] ?? (env['HOME'] && join(env['HOME'], '.claude'))
  return home ? join(home, 'tasks', list.replaceAll(/[^\w-]/g, '-')) : null
}

/** `before`: the highest number that others use in the list. */
function planTaskFiles(state: GroupState, before: number): TaskFile[] {
  const { tasks } = outlineOf(state)
  const number = (id: string) => String(before + (taskNumber(id) ?? 0))
  return tasks.map(task => ({
    id: number(task.id),
    subject: task.subject,
    description: taskDescription(task),
    activeForm: task.activeForm,
    ...(task.member !== null && { owner: task.member }),
    status: task.status,
    blocks: tasks.filter(({ blockedBy }) => blockedBy.includes(task.id)).map(({ id }) => number(id)),
    blockedBy: task.blockedBy.map(number),
    metadata: {
      wave: task.wave,
      loopId: state.id,
      verification: 'execution output',
      stuckCount: task.stuckCount,
      files: task.files,
    },
  }))
}

export function writeTaskFiles(state: GroupState, env: NodeJS.ProcessEnv): void {
  const list = state.spec.plan?.taskList ?? null
  const dir = list === null ? null : taskListDir(list, env)
  const tasks = dir === null ? [] : planTaskFiles(state, takenBefore(dir, state.id))
  if (dir !== null && tasks.length > 0) projectTaskFiles(dir, tasks)
}

/** In an existing list the tasks of a plan come after the others; in a new one T-001 is 1.json. */
function takenBefore(dir: string, plan: string): number {
  const own = readTaskFiles(dir).filter(({ metadata }) => metadata?.['loopId'] === plan)
  return own.length > 0 ? Math.min(...own.map(({ id }) => Number(id))) - 1 : lastTaskNumber(dir)
}
