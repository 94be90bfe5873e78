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
export function answerJsonSchema(name: AnswerName): object {
  const { $schema: _, ...schema } = z.toJSONSchema(answerSchemas[name], { target: 'draft-7' })
  return schema
}
