/** The commands to an existing group: those of a person, and those that loop gives itself. */
import * as z from 'zod'
import { resume } from '../loop/command.ts'
import { conflictWays, resolutions } from './words.ts'
import { workflowSpec } from './workflow.ts'

/** The limits that a resume changes in a member loop rather than in the group. */
export const memberLimits = resume.omit({ kind: true, budgetUsd: true, attended: true, stays: true })

export const pick = z
  .strictObject({
    kind: z.literal('pick'),
    node: z.string().min(1),
    files: z.array(z.string().min(1)).min(1).max(1_000).optional(),
    resolve: z.enum(conflictWays).optional(),
  })
  .describe('of a group: bring the result of this node into the tree, or only these files of it')

export const reviewFinding = z
  .strictObject({
    kind: z.literal('review'),
    finding: z.string().min(1),
    how: z.enum(resolutions),
    by: z.string().min(1),
    text: z.string().max(10_000),
  })
  .describe('of a plan: the decision about a finding of its reviews')

export const groupCommand = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('pause') }).describe('let all its loops rest after their iterations'),
  z
    .strictObject({
      kind: z.literal('resume'),
      budgetUsd: z.number().positive().nullable().optional(),
      attended: z.boolean().optional(),
      limits: memberLimits.optional(),
      workflow: workflowSpec.optional(),
    })
    .describe('go on, perhaps with another budget'),
  z.strictObject({ kind: z.literal('cancel') }).describe('end all its loops now; the tree stays as it is'),
  z
    .strictObject({ kind: z.literal('answer'), by: z.string().min(1), text: z.string().max(100_000) })
    .describe('the answer to what it asks'),
  reviewFinding,
  pick,
  z
    .strictObject({ kind: z.literal('rollback'), to: z.string().min(1) })
    .describe('make the work tree what it was at this checkpoint'),
])

export type GroupCommand = z.infer<typeof groupCommand>

/** Commands that loop gives itself; they never pass through the inbox. */
export type GroupInternal =
  | { kind: 'dequeue' }
  | { kind: 'enqueue'; resume: Extract<GroupCommand, { kind: 'resume' }> }
