/**
 * The judgements about a loop and its result: how much autonomy it gets, the kind of work, how hard the change
 * is to undo, and whether the result may be shipped. core/loop/assess decides them, the journal records them,
 * views only show them.
 */
import * as z from 'zod'
import { reversibilities } from './words.ts'

/** How much autonomy a loop gets. */
const shapes = ['tool', 'tool-review', 'colleague', 'blocked'] as const

/** A build, B debug, C refactor. */
const workflowTypes = ['A', 'B', 'C'] as const

export const assessment = z.strictObject({
  shape: z.enum(shapes),
  score: z.int().min(0).max(10).optional().describe('of the spec, where the shape comes from a score'),
  workflow: z.enum(workflowTypes),
  reversibility: z.enum(reversibilities),
})

/** A file that makes the change harder to undo than was known before. */
export const raise = z.strictObject({ reversibility: z.enum(reversibilities), path: z.string() })

/** The possible objections to shipping a result. */
const objections = [
  'unmet',
  'assumption',
  'must-not',
  'holdout',
  'hard-to-take-back',
  'only-reviewed',
  'in-doubt',
] as const

export const ship = z.strictObject({
  verdict: z.enum(['SHIP', 'MONITOR', 'RESEARCH']),
  against: z.array(z.enum(objections)).describe('what speaks against shipping it; empty for SHIP'),
})

export type Shape = (typeof shapes)[number]
export type WorkflowType = (typeof workflowTypes)[number]
export type Reversibility = (typeof reversibilities)[number]
export type Assessment = z.infer<typeof assessment>
export type Raised = z.infer<typeof raise>
export type Ship = z.infer<typeof ship>
export type Objection = (typeof objections)[number]
