/**
 * The hold-out of a loop: a command of the user that runs after the promise has passed, in the same tree. The
 * journal has it sealed, and it is opened here: no prompt, state file or other file of the tree names the command or
 * its output.
 */
import type { Event } from '../../../model/loop/event.ts'
import { runsIn } from '../../../model/run.ts'
import { holdoutDir } from '../../../store/files/paths.ts'
import { unseal } from '../../../store/files/sealed.ts'
import { judgeCriterion } from '../criterion.ts'
import { frozenPath } from './steering.ts'
import { stepFailed, type Task } from './steps.ts'

export async function judgeHoldout(iteration: number, task: Task): Promise<Event[]> {
  const { world, state, signal } = task
  const { holdout: sealed } = state.spec
  if (sealed === undefined) throw new Error('Internal error: a hold-out that nobody asked for')
  const { paths } = world.store
  const command = unseal(paths, sealed)
  if (command === null) {
    return [stepFailed('hold-out', { kind: 'holdout-sealed', key: paths.sealKey })]
  }
  const spec = { ...state.spec, env: { ...frozenPath(task), ...state.spec.env } }
  const run = { id: state.id, dir: holdoutDir(iteration), name: 'hold-out', command, isHidden: true, spec }
  const place = { cwd: runsIn(spec), mounts: spec.copy?.mounts }
  const judged = await judgeCriterion({ ...run, ...place, mayDoubt: false }, world, signal)
  if (judged === null) return []
  if (!judged.ok) return [stepFailed('hold-out', judged.failure.facts)]
  return [{ kind: 'holdout.judged', data: { iteration, result: { ...judged.value, command: sealed } } }]
}
