/**
 * Keeps the state files of the work tree up to date for a group. Members in copies have their own files there, and
 * members that work in the tree itself write none. It is only a mirror: nothing reads it back.
 */

import { join } from 'node:path'
import { lastTaskNumber, projectTaskFiles, readTaskFiles } from '../../adapters/task-files.ts'
import type { GroupState } from '../../core/group/state.ts'
import { outlineOf } from '../../core/plan/outline.ts'
import { taskDescription, taskNumber } from '../../core/plan/waves.ts'
import { groupStateJson } from '../../documents/state-files.ts'
import type { GroupEvent, GroupRecorded } from '../../model/group/event.ts'
import type { TaskFile } from '../../model/task-file.ts'
import { redactText } from '../../secrets/redact.ts'
import type { ContextIntervention } from '../../views/plan/context.ts'
import { groupProgressPage } from '../../views/text/progress.ts'
import { removeStateFiles, writeStateFiles, writing } from './files.ts'
import { planFiles, writePlanFiles } from './plan-files.ts'

const shownBy: ReadonlySet<GroupEvent['kind']> = new Set([
  'group.created',
  'nodes.planned',
  'node.started',
  'node.ended',
  'node.skipped',
  'node.rested',
  'node.continued',
  'finding.resolved',
  'tree.applied',
  'tree.unapplied',
  'tree.restored',
  'group.held',
  'group.resumed',
  'group.completed',
  'group.failed',
  'group.cancelled',
])

const rereadBy: ReadonlySet<GroupEvent['kind']> = new Set([
  'node.ended',
  'node.rested',
  'tree.restored',
  'group.held',
  'group.completed',
  'group.failed',
  'group.cancelled',
])

type Mirror = (event: GroupRecorded, state: GroupState, now: number) => void

type Around = {
  /** Called once, with the reason in words, if the files cannot be written. */
  complain(why: string): void
  /** Another journal holds the tree, so the files belong to it; the group can work beside it in copies. */
  isTakenFor(tree: string, group: string): boolean
  /** Actions of people on a plan, besides answers. */
  interventions(state: GroupState): ContextIntervention[]
  env: NodeJS.ProcessEnv
}

export function mirrorGroup({ complain, isTakenFor, interventions, env }: Around): Mirror {
  const written = new Map<string, string>()
  const known = new Map<string, ContextIntervention[]>()
  const tried = writing(complain)
  const mirrorPlan: Mirror = ({ kind }, state, now) => {
    // This reads the journals of all tasks, so it is repeated only after an event that can change the result.
    const done = (rereadBy.has(kind) ? undefined : known.get(state.id)) ?? interventions(state)
    known.set(state.id, done)
    writePlanFiles(state.spec.cwd, planFiles(state, { now, interventions: done }), written)
    writeTaskFiles(state, env)
  }
  return (event, state, now) => {
    if (!shownBy.has(event.kind)) return
    const { cwd, deleteState } = state.spec
    tried(() => {
      if (isTakenFor(cwd, state.id)) return
      if (state.outcome && deleteState) return removeStateFiles(cwd)
      if (state.spec.plan) return mirrorPlan(event, state, now)
      const files = {
        'state.json': redactText(groupStateJson(state), []),
        'PROGRESS.md': redactText(groupProgressPage(state, now), []),
      }
      writeStateFiles(cwd, files, written)
    })
  }
}

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

/** The tasks of a plan in the files of Claude Code's list, so that a session sees the same list: a projection. */
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
