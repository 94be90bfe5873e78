/**
 * The answers of reviews: `review` lists findings, `verification` checks each finding again and quotes its
 * line, `checklist` answers the questions for the type of work.
 */
import * as z from 'zod'
import { finding } from '../plan/finding.ts'
import { shellLine } from '../plan/line.ts'
import { percent, words } from './words.ts'

const tenth = z.number().min(0).max(10)
const note = words(3, 400).nullable()

export const reviewAnswer = z.strictObject({
  viewpoints: z.array(words(3, 60)).min(1).max(4),
  score: tenth,
  idiomaticity: tenth,
  cleanliness: tenth,
  delivery: tenth.describe('how well the change does what was asked for'),
  confidence: percent.describe('that the work is right'),
  alt: note.describe('another way that could have been taken'),
  risk: note.describe('what may still go wrong'),
  findings: z.array(finding).max(30),
})

const findingVerdict = z.strictObject({
  id: words(4, 64),
  stands: z.boolean(),
  quote: z.string().min(1).max(400).describe('the line that proves it, or that disproves it'),
  how: words(10, 1_000).describe('how to see it fail; or why it does not'),
  command: shellLine.nullable().describe('fails while the problem exists, and exits 0 once it is fixed'),
})

export const verificationAnswer = z.strictObject({ verdicts: z.array(findingVerdict).min(1).max(30) })

export const checklistAnswer = z.strictObject({
  rows: z
    .array(z.strictObject({ item: words(3, 200), answer: words(5, 1_000), evidence: words(3, 600) }))
    .min(1)
    .max(6),
})
