/**
 * The nouns of a plan as schemas: its shape (what must hold at the end, what must never hold, and how much is written
 * down first), its tasks, and the findings of its reviews. A model answers each of them, and core/plan judges them.
 */
import * as z from 'zod'
import { severities } from './group/words.ts'
import { verifications } from './loop/words.ts'

/**
 * Text of one line, as schemas: learnings, shapes, tasks and the answers of models share them, so that a line means the
 * same in all of them.
 */
function lineOf(least: number, most: number) {
  return z
    .string()
    .trim()
    .min(least)
    .max(most)
    .regex(/^[^\r\n]*$/, 'one line')
}

export const sentence = lineOf(3, 500)

/** A command for /bin/sh -c. */
export const shellLine = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(/^[^\r\n\0]*$/, 'one line')

/**
 * A task of a plan: one piece of work for one member loop, judged by one command. `taskDraft` is the part that
 * a model writes; core/plan/waves computes its wave from all drafts.
 */

/** The allowed estimates of a task or plan. */
const storyPoints = [1, 2, 3, 5, 8, 13] as const

export const estimate = z.union(storyPoints.map(points => z.literal(points)))

/** A task id; T-001 is file 1.json of the list. */
const taskId = z.string().regex(/^T-\d{3,6}$/, 'an id is T-001, T-002 …')

const taskLine = lineOf(3, 120)
const taskText = z.string().trim().min(3).max(2_000)

/** A path below the work tree. Tasks that name the same path are never in the same wave. */
const treePath = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^(?![/~])(?!(?:.*\/)?\.\.(?:\/|$))[^\r\n\0]+$/, 'a path below the work tree, without ..')

export const taskDraft = z.strictObject({
  id: taskId,
  subject: taskLine.describe('imperative: "Implement user login"'),
  activeForm: taskLine.describe('the same, progressive: "Implementing user login"'),
  source: taskText.describe('where it comes from: a taskLine of the spec, a criterion, a finding'),
  action: taskText.describe('what is to be done, and where'),
  criteria: taskText.describe('when it is complete, in words'),
  verify: shellLine.describe('a shell command that exits 0 once the task is done, and fails before'),
  files: z
    .array(treePath)
    .min(1)
    .max(50)
    .describe('files it will touch, as paths or globs below the work tree'),
  blockedBy: z.array(taskId).max(20).describe('tasks that have to be complete before it'),
  points: estimate,
})

export const planTask = z.strictObject({
  ...taskDraft.shape,
  wave: z.int().positive().describe('1 is the first; tasks of one wave run beside each other'),
})

export type TaskDraft = z.infer<typeof taskDraft>
export type PlanTask = z.infer<typeof planTask>

/** The four combinations of phases, from the smallest work to the least understood. */
export const phaseCombinations = [
  'tasks',
  'plan → tasks',
  'plan → design → tasks',
  'plan → requirements → design → tasks',
] as const

const workloads = ['a few lines', 'one module', 'multiple modules'] as const

const shapeName = lineOf(2, 120)

const shapeCriterion = z.strictObject({
  name: shapeName,
  command: shellLine.nullable().describe('exits 0 once it is met; null: a human or a review says so'),
  verification: z.enum(verifications),
})

export const shapeMustNot = z.strictObject({
  name: shapeName,
  command: shellLine.describe('exits 0 if the forbidden thing holds'),
})

const shapeDocument = z.string().trim().min(20).max(20_000).nullable()

/** A model answers it in the stage `shape`, SHAPE.md contains it, and the gate before the work judges it. */
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
  documents: z.strictObject({ requirements: shapeDocument, design: shapeDocument, plan: shapeDocument }),
  points: estimate,
  alt: sentence.nullable().describe('the way that was not taken'),
  risk: sentence.nullable().describe('what may still go wrong'),
})

export type PhaseCombination = (typeof phaseCombinations)[number]
export type Workload = (typeof workloads)[number]
export type PlanShape = z.infer<typeof planShape>

/**
 * A finding of a review, in the form that a reviewer reports it. Its evidence decides whether it stands; its rule,
 * file and quoted line identify it across rounds (core/plan/findings).
 */
const findingText = z.string().trim().min(3).max(1_000)

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
  problem: findingText.describe('what goes wrong because of it'),
  fix: findingText.describe('what to do instead'),
})

export type Finding = z.infer<typeof finding>
