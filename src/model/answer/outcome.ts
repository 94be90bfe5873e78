/** The answers `deviations` (what was expected, and what was found) and `judge` (which of two results is better). */
import * as z from 'zod'
import { percent, words } from './words.ts'

/** The kinds of deviation worth remembering; typos and one-off mistakes are not among them. */
const deviationKinds = ['architecture', 'edge case', 'tool limit'] as const

const deviation = z.strictObject({
  kind: z.enum(deviationKinds),
  before: words(5, 400).describe('what was assumed'),
  found: words(5, 400).describe('what was found'),
  adjustment: words(5, 400).describe('what was done about it'),
  lesson: words(10, 400).describe('what to know next time, in one sentence'),
})

export const deviationsAnswer = z.strictObject({
  noDeviation: z.boolean().describe('true exactly if there is none'),
  deviations: z.array(deviation).max(8),
})

export const judgeAnswer = z.strictObject({
  better: z.enum(['A', 'B', 'tie']),
  why: words(10, 1_000),
  confidence: percent,
})
