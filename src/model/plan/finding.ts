/**
 * A finding of a review, in the form that a reviewer reports it. Its evidence decides whether it stands
 * (core/plan/findings). Its rule, file and quoted line identify it across rounds
 * (core/plan/findings).
 */
import * as z from 'zod'
import { severities } from './severity.ts'

const text = z.string().trim().min(3).max(1_000)

export const finding = z.strictObject({
  severity: z.enum(severities),
  rule: z
    .string()
    .trim()
    .min(2)
    .max(80)
    .regex(/^[^\r\n]*$/, 'one line')
    .describe('which rule is broken, in a few words that another reviewer would use too'),
  file: z.string().trim().min(1).max(300).describe('path below the work tree'),
  line: z.int().positive().describe('where the quoted line is'),
  quote: z.string().min(1).max(400).describe('that line, exactly as it stands in the file'),
  problem: text.describe('what goes wrong because of it'),
  fix: text.describe('what to do instead'),
})

export type Finding = z.infer<typeof finding>
