/**
 * Checks the tasks that a session has marked completed: loop runs the command of each itself. A task that fails is
 * set back to in progress, also in the task file, where the session and its host program see it.
 */
import { changeTaskFile } from '../adapters/task-files.ts'
import type { SessionTask } from '../core/session/tasks.ts'
import { checkTask } from '../engine/task-check.ts'
import { failureWords } from '../failures/words.ts'
import { ok } from '../model/failure.ts'
import type { TaskFile } from '../model/task-file.ts'
import { platform } from '../platform/platform.ts'
import { pathsFrom } from '../store/files/paths.ts'
import { readTaskCheck } from '../store/files/task-checks.ts'
import { taskFailedWords } from '../views/words/reinforcement.ts'

type TasksToCheck = { list: string; tasks: readonly SessionTask[]; deadlineMs: number }

/** The messages about tasks that did not pass. */
export async function checkTasks(
  env: NodeJS.ProcessEnv,
  { list, tasks, deadlineMs }: TasksToCheck,
): Promise<string[]> {
  const paths = pathsFrom(env)
  const signal = AbortSignal.timeout(deadlineMs)
  const failed: string[] = []
  for (const task of tasks) {
    const place = { list, number: Number(task.id) }
    const check = readTaskCheck(paths, place)
    if (!check || check.passedAt !== null) continue
    const found = await checkTask(place, check, {
      paths,
      env,
      here: platform.processes.here(),
      now: new Date(),
      signal,
    })
    if (found === null)
      return [...failed, `verification unfinished: ${check.command}. Stop again in a moment.`]
    const judged = found.ok ? found.value : { verdict: 'ERROR', why: failureWords(found.failure), tail: '' }
    if (judged.verdict === 'PASS') continue
    changeTaskFile(list, place.number, file => ok(setBack(file)))
    failed.push(taskFailedWords(task, { ...check, ...judged }))
  }
  return failed
}

/** Set back to in progress, with one more failed check. */
function setBack(file: TaskFile): TaskFile {
  const stuck = file.metadata?.['stuckCount']
  const stuckCount = (typeof stuck === 'number' ? stuck : 0) + 1
  return { ...file, status: 'in_progress', metadata: { ...file.metadata, stuckCount } }
}
