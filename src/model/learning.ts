/**
 * A learning: one short lesson of finished work for the work after it. It is written only with the consent of a
 * person, shown where its context fits, and dropped when it does not help.
 */
import * as z from 'zod'
import { sentence } from './plan.ts'

export const learningKinds = ['failure', 'discovery'] as const

/** One line of `.loop/learnings/*.jsonl`; unknown fields are kept. */
export const learning = z.object({
  id: z.string().regex(/^l-[a-z0-9]{6}$/),
  at: z.string().min(10).max(40),
  kind: z.enum(learningKinds),
  text: sentence.describe('what to know next time'),
  before: sentence.optional().describe('what was assumed'),
  found: sentence.optional().describe('what was so'),
  adjustment: sentence.optional().describe('what was done instead'),
  loop: z.string().max(40).nullable().describe('the loop or group that taught it'),
})

export type Learning = z.infer<typeof learning>
