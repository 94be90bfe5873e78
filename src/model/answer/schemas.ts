/**
 * The schema of each answer, by name. The same schema judges an answer whatever its source, and is given to
 * agents as JSON Schema.
 */
import * as z from 'zod'
import { planShape } from '../plan/shape.ts'
import { taskDraft } from '../plan/task.ts'
import { counselAnswer, precheckAnswer } from './advice.ts'
import type { AnswerName } from './name.ts'
import { deviationsAnswer, judgeAnswer } from './outcome.ts'
import { checklistAnswer, reviewAnswer, verificationAnswer } from './review.ts'

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
