/**
 * The schema of each answer, by name. The same schema judges an answer whatever its source, and is given to
 * agents as JSON Schema.
 */
import * as z from 'zod'
import type { AnswerName } from './answer.ts'
import { finding, planShape, shapeMustNot, shellLine, taskDraft } from './plan.ts'

/**
 * The text fields of answers. The minimum length excludes empty phrases, the maximum is what fits into a
 * prompt.
 */
function words(least: number, most: number) {
  return z.string().trim().min(least).max(most)
}

const percent = z.int().min(0).max(100)

const tenth = z.number().min(0).max(10)

const note = words(3, 400).nullable()

/**
 * The answers of reviews: `review` lists findings, `verification` checks each finding again and quotes its
 * line, `checklist` answers the questions for the type of work.
 */
const reviewAnswer = z.strictObject({
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

const verificationAnswer = z.strictObject({ verdicts: z.array(findingVerdict).min(1).max(30) })

const checklistAnswer = z.strictObject({
  rows: z
    .array(z.strictObject({ item: words(3, 200), answer: words(5, 1_000), evidence: words(3, 600) }))
    .min(1)
    .max(6),
})

/** The kinds of deviation worth remembering; typos and one-off mistakes are not among them. */
const deviationKinds = ['architecture', 'edge case', 'tool limit'] as const

const deviation = z.strictObject({
  kind: z.enum(deviationKinds),
  before: words(5, 400).describe('what was assumed'),
  found: words(5, 400).describe('what was found'),
  adjustment: words(5, 400).describe('what was done about it'),
  lesson: words(10, 400).describe('what to know next time, in one sentence'),
})

/** The answers `deviations` (what was expected, and what was found) and `judge` (which of two results is better). */
const deviationsAnswer = z.strictObject({
  noDeviation: z.boolean().describe('true exactly if there is none'),
  deviations: z.array(deviation).max(8),
})

const judgeAnswer = z.strictObject({
  better: z.enum(['A', 'B', 'tie']),
  why: words(10, 1_000),
  confidence: percent,
})

/** The answers `counsel` (a panel looks at a failure) and `precheck` (how the spec could be misread). */
const counselAnswer = z.strictObject({
  viewpoints: z
    .array(z.strictObject({ name: words(3, 60), diagnosis: words(10, 1_000), confidence: percent }))
    .min(2)
    .max(4),
  recommendation: words(10, 2_000).describe('what all of them would do next'),
  ifStillStuck: words(5, 1_000),
})

const precheckAnswer = z.strictObject({
  misreadings: z
    .array(z.strictObject({ reading: words(10, 400), consequence: words(5, 400) }))
    .min(3)
    .max(5),
  mustNot: z.array(shapeMustNot).min(2).max(6),
  question: words(10, 400).describe('what a person should say before anything is changed'),
})

const tasksAnswer = z.strictObject({ tasks: z.array(taskDraft).min(1).max(40) })

export const answerSchemas = {
  shape: planShape,
  tasks: tasksAnswer,
  precheck: precheckAnswer,
  counsel: counselAnswer,
  review: reviewAnswer,
  verification: verificationAnswer,
  checklist: checklistAnswer,
  deviations: deviationsAnswer,
  judge: judgeAnswer,
} satisfies Record<AnswerName, z.ZodType>

export type AnswerOf<N extends AnswerName> = z.infer<(typeof answerSchemas)[N]>

/**
 * The schema as JSON Schema, for prompts and for the flags of agents. Every field is required and no other
 * field is allowed.
 */
export function answerJsonSchema({ schema: name, about = [] }: AskedAnswer): object {
  const { $schema: _, ...schema } = z.toJSONSchema(answerSchemas[name], { target: 'draft-7' })
  const subject = subjects[name]
  const fields = subject && (schema as ListSchema).properties[subject.list]?.items.properties
  if (fields && subject && about.length > 0) fields[subject.field] = { type: 'string', enum: [...about] }
  return schema
}

type AskedAnswer = { schema: AnswerName; about?: readonly string[] | undefined }
type ListSchema = { properties: Record<string, { items: { properties: Record<string, object> } }> }

/** Where an answer names what it was asked about: the list, and the field of each row. */
export const subjects: Partial<Record<AnswerName, { list: string; field: string }>> = {
  verification: { list: 'verdicts', field: 'id' },
  checklist: { list: 'rows', field: 'item' },
}
