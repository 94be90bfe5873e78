/** The answers `counsel` (a panel looks at a failure) and `precheck` (how the spec could be misread). */
import * as z from 'zod'
import { shapeMustNot } from '../plan/shape.ts'
import { percent, words } from './words.ts'

export const counselAnswer = z.strictObject({
  viewpoints: z
    .array(z.strictObject({ name: words(3, 60), diagnosis: words(10, 1_000), confidence: percent }))
    .min(2)
    .max(4),
  recommendation: words(10, 2_000).describe('what all of them would do next'),
  ifStillStuck: words(5, 1_000),
})

export const precheckAnswer = z.strictObject({
  misreadings: z
    .array(z.strictObject({ reading: words(10, 400), consequence: words(5, 400) }))
    .min(3)
    .max(5),
  mustNot: z.array(shapeMustNot).min(2).max(6),
  question: words(10, 400).describe('what a person should say before anything is changed'),
})
