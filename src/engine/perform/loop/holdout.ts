/**
 * The hold-out of a loop: a command of the user that runs after the promise has passed, in the same tree. Only the
 * journal contains it: no prompt, state file or other file of the tree names the command or its output.
 */
import type { Event } from '../../../model/loop/event.ts'
import { runsIn } from '../../../model/run.ts'
import { holdoutDir } from '../../../store/files/paths.ts'
import { judgeCriterion } from '../criterion.ts'
import { frozenPath } from './steering.ts'
import { stepFailed, type Task } from './steps.ts'

export async function judgeHoldout(iteration: number, task: Task): Promise<Event[]> {
  const { world, state, signal } = task
  const { holdout: command } = state.spec
  if (command === undefined) throw new Error('Internal error: a hold-out that nobody asked for')
  const spec = { ...state.spec, env: { ...frozenPath(task), ...state.spec.env } }
  const run = { id: state.id, dir: holdoutDir(iteration), name: 'hold-out', command, spec, cwd: runsIn(spec) }
  const judged = await judgeCriterion({ ...run, mounts: spec.copy?.mounts, mayDoubt: false }, world, signal)
  if (judged === null) return []
  if (!judged.ok) return [stepFailed('hold-out', judged.failure.facts)]
  return [{ kind: 'holdout.judged', data: { iteration, result: judged.value } }]
}
