/**
 * The shape of planned work: what must hold at the end, what must never hold, and how much is written down
 * first. A model answers it in the stage `shape`, SHAPE.md contains it, and the gate before the work judges it.
 */
import * as z from 'zod'
import { verifications } from '../loop/words.ts'
import { lineOf, sentence, shellLine } from './line.ts'
import { estimate } from './task.ts'

/** The four combinations of phases, from the smallest work to the least understood. */
export const phaseCombinations = [
  'tasks',
  'plan → tasks',
  'plan → design → tasks',
  'plan → requirements → design → tasks',
] as const

const workloads = ['a few lines', 'one module', 'multiple modules'] as const

const name = lineOf(2, 120)

const shapeCriterion = z.strictObject({
  name,
  command: shellLine.nullable().describe('exits 0 once it is met; null: a human or a review says so'),
  verification: z.enum(verifications),
})

export const shapeMustNot = z.strictObject({
  name,
  command: shellLine.describe('exits 0 if the forbidden thing holds'),
})

const document = z.string().trim().min(20).max(20_000).nullable()

export const planShape = z.strictObject({
  goal: sentence,
  scope: sentence,
  constraints: z.array(sentence).max(20),
  assumptions: z
    .array(sentence)
    .max(20)
    .describe('what is expected: modules involved, the way it is done, what will be hard'),
  criteria: z.array(shapeCriterion).min(1).max(20),
  mustNot: z.array(shapeMustNot).max(20),
  phases: z.enum(phaseCombinations),
  documents: z.strictObject({ requirements: document, design: document, plan: document }),
  points: estimate,
  alt: sentence.nullable().describe('the way that was not taken'),
  risk: sentence.nullable().describe('what may still go wrong'),
})

export type PhaseCombination = (typeof phaseCombinations)[number]
export type Workload = (typeof workloads)[number]
export type PlanShape = z.infer<typeof planShape>
