/**
 * A task of a plan: one piece of work for one member loop, judged by one command. `taskDraft` is the part that
 * a model writes; core/plan/waves computes its wave from all drafts.
 */
import * as z from 'zod'
import { lineOf, shellLine } from './line.ts'

/** The allowed estimates of a task or plan. */
const storyPoints = [1, 2, 3, 5, 8, 13] as const

export const estimate = z.union(storyPoints.map(points => z.literal(points)))

/** A task id; T-001 is file 1.json of the list. */
const taskId = z.string().regex(/^T-\d{3,6}$/, 'an id is T-001, T-002 …')

const line = lineOf(3, 120)
const text = z.string().trim().min(3).max(2_000)

/** A path below the work tree. Tasks that name the same path are never in the same wave. */
const treePath = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^(?![/~])(?!(?:.*\/)?\.\.(?:\/|$))[^\r\n\0]+$/, 'a path below the work tree, without ..')

export const taskDraft = z.strictObject({
  id: taskId,
  subject: line.describe('imperative: "Implement user login"'),
  activeForm: line.describe('the same, progressive: "Implementing user login"'),
  source: text.describe('where it comes from: a line of the spec, a criterion, a finding'),
  action: text.describe('what is to be done, and where'),
  criteria: text.describe('when it is complete, in words'),
  verify: shellLine.describe('a shell command that exits 0 once the task is done, and fails before'),
  files: z
    .array(treePath)
    .min(1)
    .max(50)
    .describe('files it will touch, as paths or globs below the work tree'),
  blockedBy: z.array(taskId).max(20).describe('tasks that have to be complete before it'),
  points: estimate,
})

export const planTask = z.strictObject({
  ...taskDraft.shape,
  wave: z.int().positive().describe('1 is the first; tasks of one wave run beside each other'),
})

export type TaskDraft = z.infer<typeof taskDraft>
export type PlanTask = z.infer<typeof planTask>
