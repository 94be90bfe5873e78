/** `[LOOP RESUME]`: the message to a session at its start, and again after its memory was compacted. */
import { isUnfinished, type Situation, unmetOf } from '../../../core/session/stop.ts'
import { currentTask, openTasks } from '../../../core/session/tasks.ts'
import type { Workflow } from '../../../core/session/workflow.ts'
import { bounded } from './reinforcement.ts'

/** Empty if no loop is under way. */
export function resumeText(now: Situation): string {
  const { loop, workflow } = now
  const file = now.file === 'broken' ? null : now.file
  const own = file?.driven ? null : file
  if (!loop && !own && !isUnfinished(workflow)) return ''
  const status = loop?.status ?? own?.status ?? 'in_progress'
  if (status === 'paused') return bounded(paused(now))
  if (status !== 'in_progress') return ''
  const lines = workflow && isUnfinished(workflow) ? stages(workflow, now) : criteria(now)
  return bounded(['[LOOP RESUME] Active loop detected', ...lines, ...whose(now)].join('\n'))
}

/** A paused loop holds nobody: the session is told that it exists and how to continue it. */
function paused(now: Situation): string {
  const { loop } = now
  const way = loop
    ? 'To go on with it in this session, the user types: /loop:continue. To end it: /loop:cancel'
    : 'To go on with it, set "status" to "in_progress" in .loop/state.json.'
  const lines = [
    '[LOOP RESUME] A loop of this work tree is paused; it does not hold this session',
    ...criteria(now),
  ]
  return [...lines, `${way}${loop?.id ? ` (loop ${loop.id})` : ''}`].join('\n')
}

function stages(workflow: Workflow, now: Situation): string[] {
  const { tasks } = now
  const task = currentTask(tasks)
  return [
    `Stage: ${workflow.stage} | Spec: ${workflow.specScore}/10 | Fit: ${workflow.fitScore}`,
    `Progress: ${tasks.length - openTasks(tasks).length}/${tasks.length} tasks | Wave: ${task?.wave ?? '–'}`,
    `Reviews: ${workflow.reviews.join('; ') || 'none'}`,
    `Next: ${task ? `#${task.id} ${task.subject}` : `go on with stage ${workflow.stage}`}`,
  ]
}

function criteria(now: Situation): string[] {
  const { loop, tasks } = now
  const file = now.file === 'broken' ? null : now.file
  const unmet = unmetOf(loop, now.file)
  const steps = file?.steps ?? []
  const done = file?.completedSteps.length ?? 0
  const task = currentTask(tasks)
  const progress =
    steps.length > 0
      ? `${done}/${steps.length} steps`
      : `${tasks.length - openTasks(tasks).length}/${tasks.length} tasks`
  const next = task
    ? `#${task.id} ${task.subject}`
    : (file?.remainingSteps[0] ?? unmet[0] ?? 'make the task list')
  return [
    `Spec: ${(loop?.spec ?? file?.spec ?? '').slice(0, 300)}`,
    `Progress: ${progress} | Iteration: ${Math.max(file?.iteration ?? 0, now.counter.blocks)}`,
    `Unmet criteria: ${unmet.join(', ') || 'none'}`,
    `Next: ${next}`,
  ]
}

function whose({ loop, session }: Situation): string[] {
  if (!loop?.session || loop.session === session) return []
  return ['It belongs to another session. To take it over, the user types: /loop:continue']
}
