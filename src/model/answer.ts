/**
 * The questions that loop puts to a model, by name, and whether a loop is one. Each name has one schema
 * (model/answer-schemas), which judges the answer whatever its source. This file has no schemas, so that reading a
 * journal loads none: the spec of a loop holds such a name.
 */

import type { AnswerOf } from './answer-schemas.ts'
import type { Criterion, Spec } from './loop/spec.ts'

export const answerNames = [
  'shape',
  'tasks',
  'precheck',
  'counsel',
  'review',
  'verification',
  'checklist',
  'deviations',
  'judge',
] as const

export type AnswerName = (typeof answerNames)[number]

/** The sources of an answer, in order: the first one that exists is judged. */
export const answerSources = ['file', 'native', 'message'] as const

export type AnswerSource = (typeof answerSources)[number]

/** Upper limit on the size of an answer; a larger one is refused without reading it. */
export const mostAnswerBytes = 256_000

/** The tries for one answer: the first, a second in the same session, a third in a fresh session. */
export const mostAnswerTries = 3

/** Tells whether a loop is a question: its only criterion is an answer that fits a schema. */

export type WantedAnswer = NonNullable<Criterion['answer']>

export function wantedAnswer({ criteria }: Pick<Spec, 'criteria'>): WantedAnswer | null {
  return criteria.find(({ answer }) => answer !== undefined)?.answer ?? null
}

/** Reads a recorded answer as data. Its schema judged it before it was recorded, so it is not checked again. */

/** `name` is the question that it answers. */
export function readAnswer<N extends AnswerName>(_name: N, json: string): AnswerOf<N> {
  return JSON.parse(json) as AnswerOf<N>
}
