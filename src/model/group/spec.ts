/**
 * The fully resolved spec of a group: the data of `group.created`. A group runs several loops together; its
 * program says which loops, and what happens with their results.
 */
import * as z from 'zod'
import { spec as loopSpec } from '../loop/spec.ts'
import { nodeMeasure } from './node.ts'
import { planSpec } from './plan.ts'
import { workflowSpec } from './workflow.ts'

export const mostAttempts = 8

const bestOf = z
  .strictObject({
    loop: loopSpec.describe('what each attempt is to do'),
    attempts: z.int().min(1).max(mostAttempts),
    inTree: z
      .literal(true)
      .optional()
      .describe(
        'with one attempt: it works in the tree itself, and is a group only so that it can get counsel',
      ),
    waves: z.int().min(1).max(2).optional().describe('a second wave reads how the first one went'),
    metric: z.strictObject({ command: z.string().min(1), better: z.enum(['less', 'more']) }).optional(),
    measures: z
      .array(nodeMeasure.extend({ command: z.string().min(1), timeoutMs: z.int().positive() }))
      .optional()
      .describe('the measures of the project that compare two passing results'),
    injected: z
      .array(z.string())
      .optional()
      .describe('an additional text for each agent, in its first iteration'),
    copySetup: z
      .string()
      .min(1)
      .optional()
      .describe('the command that prepares a new copy, run by /bin/sh -c'),
    isManual: z.boolean().optional().describe('a person chooses'),
    judge: z.boolean().optional().describe('an agent compares results that are equal by all other measures'),
    firstWins: z.boolean().optional().describe('the others end when one has passed'),
  })
  .describe('several attempts at one thing, in copies; the best is brought into the tree')

export const groupSpec = z.strictObject({
  program: z.enum(['best-of', 'workflow', 'plan']),
  name: z.string().min(1).describe('what it is about, for people'),
  cwd: z.string().regex(/^\//).describe('the work tree, with symlinks resolved'),
  budgetUsd: z.number().positive().nullable().describe('of all its loops together'),
  parallel: z.int().positive().nullable().describe('how many loops run at once in the foreground'),
  bestOf: bestOf.optional(),
  workflow: workflowSpec.optional(),
  plan: planSpec.optional(),
  options: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('the options of a start that were given for all loops of a workflow, by their flags'),
  hooks: loopSpec.shape.hooks.describe('commands that loop runs for the user after the end of the group'),
  attended: z.boolean().optional(),
  notify: z.boolean().optional(),
  deleteState: z.boolean().optional().describe('the files in .loop are removed at the end'),
})

export type GroupSpec = z.infer<typeof groupSpec>
export type BestOf = z.infer<typeof bestOf>
