/**
 * The task list of a session, from its host program or from the files of Claude Code. A list that is bound to a loop
 * stays its list when the session is cleared, compacted or replaced by another.
 */
import { join } from 'node:path'
import { readTaskFiles } from '../adapters/task-files.ts'
import { openTasks, parseTask, type SessionTask } from '../core/session/tasks.ts'
import type { Paths } from '../store/files/paths.ts'
import { readTaskCheck } from '../store/files/task-checks.ts'
import type { HookCall } from './situation.ts'

const most = 500

/** `list` is null if the host program itself gives the tasks, or if the place of the list is unknown. */
type TaskList = { list: string | null; tasks: SessionTask[] }

type TasksPlace = { paths: Pick<Paths, 'data'>; env: NodeJS.ProcessEnv; bound: string | null }

export function tasksOf({ session, tasks }: HookCall, { paths, env, bound }: TasksPlace): TaskList {
  if (tasks) return { list: null, tasks: tasks.slice(0, most).flatMap(task => parseTask(task) ?? []) }
  const own = listDir(session, env)
  const named = env['CLAUDE_CODE_TASK_LIST_ID'] ? own : (bound ?? own)
  const found = { list: named, tasks: named === null ? [] : tasksIn(named, paths) }
  if (named === own || own === null || openTasks(found.tasks).length > 0) return found
  // The bound list is finished, and the session has begun its own.
  const others = tasksIn(own, paths)
  return openTasks(others).length > 0 ? { list: own, tasks: others } : found
}

/** The tasks, each with whether it is marked completed without its command having passed. */
export function tasksIn(list: string, paths: Pick<Paths, 'data'>): SessionTask[] {
  return readTaskFiles(list).flatMap(file => {
    const task = parseTask(file)
    if (!task || task.status !== 'completed') return task ?? []
    const check = readTaskCheck(paths, { list, number: Number(task.id) })
    return check && check.passedAt === null ? { ...task, isUnverified: true } : task
  })
}

/** The list of the session: the one it was given, otherwise its own. */
export function listDir(session: string, env: NodeJS.ProcessEnv): string | null {
  return namedList(env['CLAUDE_CODE_TASK_LIST_ID'] || session, env)
}

/** The directory of Claude Code's list with this name. */
export function namedList(name: string, env: NodeJS.ProcessEnv): string | null {
  const home = env['CLAUDE_CONFIG_DIR'] ?? (env['HOME'] && join(env['HOME'], '.claude'))
  return home && name !== '' ? join(home, 'tasks', name.replaceAll(/[^\w-]/g, '-')) : null
}
