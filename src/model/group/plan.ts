/**
 * A plan: the request in the user's own words, and everything that was found out before the start. It is plain
 * data of `group.created`, so that a resume uses the recorded scores, maxims and learnings instead of judging a
 * changed world again.
 */
import * as z from 'zod'
import { agentChoice, spec as loopSpec } from '../loop/spec.ts'
import { planShape } from '../plan.ts'

const autonomy = z.enum(['tool', 'tool-review', 'colleague', 'blocked'])

const known = z.strictObject({ name: z.string().min(1), text: z.string() })

export const planSpec = z.strictObject({
  text: z.string().min(1).describe('what is to be done, verbatim'),
  slug: z.string().min(1),
  run: z.string().min(1).describe('its directory below .loop/runs'),
  loop: loopSpec.describe('the spec of its loops: agent, limits, environment'),
  score: z.int().min(0).max(10),
  fit: z.int().min(0),
  completed: z.int().min(0).describe('how many loops have completed in this work tree before'),
  rule: z.enum(['fit', 'score']),
  shape: autonomy,
  workflow: z.enum(['A', 'B', 'C']),
  reversibility: z.enum(['2A', '2B', '1']),
  given: planShape.optional().describe('the SHAPE.md that was there, and is trusted'),
  maxims: z.array(known).describe('loaded before any task is made'),
  recalled: z.array(known).describe('learnings that fit, the best first'),
  answers: z.record(z.string(), z.string()).describe('given beforehand, by the id of the question'),
  yes: z.boolean().optional().describe('every gate that --yes may answer is answered with yes'),
  force: z.boolean().optional().describe('nothing is asked about a spec that says too little'),
  reviewers: z.array(agentChoice).max(4).describe('who reviews; none: the agent of its loops'),
  reviewLight: z.boolean(),
  counsel: z.boolean(),
  taskList: z
    .string()
    .nullable()
    .describe('the list its tasks are written to; null: nowhere outside of loop'),
})

export type PlanSpec = z.infer<typeof planSpec>
