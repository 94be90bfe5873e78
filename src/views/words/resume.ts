/** `[LOOP RESUME]`: the message to a session at its start, and again after its memory was compacted. */
import { isOver, isUnfinished, type Situation, unmetOf } from '../../core/session/stop.ts'
import type { Workflow } from '../../core/session/tasks.ts'
import { currentTask, openTasks } from '../../core/session/tasks.ts'
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
  if (isSaidDone(now)) return bounded(saidDone(now))
  const lines = workflow && isUnfinished(workflow) ? stages(workflow, now) : criteria(now)
  return bounded(['[LOOP RESUME] Active loop detected', ...lines, ...whose(now)].join('\n'))
}

/** The agent wrote that it is done, and its session has not stopped since: there is nothing to begin or to go on with. */
function isSaidDone({ loop, file, workflow, tasks }: Situation): boolean {
  if (file !== null && file !== 'broken' && !file.driven && isOver(file.status)) return true
  const isLeft = openTasks(tasks).length > 0 || unmetOf(loop, file).length > 0
  return workflow?.stage === 'complete' && !workflow.driven && !isLeft
}

function saidDone(now: Situation): string {
  const { loop } = now
  const unmet = unmetOf(loop, now.file)
  return [
    '[LOOP RESUME] The loop of this work tree says that it is done; its next stop decides',
    ...(loop ? [`Spec: ${loop.spec.slice(0, 300)}`] : []),
    `Unmet criteria: ${unmet.join(', ') || 'none'}`,
    ...whose(now),
  ].join('\n')
}

/** A loop that loop drives itself has lost its process; nothing continues it by itself. */
export function orphanedText({ id, prompt }: { id: string; prompt: string }): string {
  return bounded(
    [
      `[LOOP RESUME] The process that drove ${id} in this work tree is gone; it does not hold this session`,
      `Spec: ${prompt.slice(0, 300)}`,
      `To continue it, the user types: loop resume ${id}. To end it: loop cancel ${id}`,
    ].join('\n'),
  )
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
