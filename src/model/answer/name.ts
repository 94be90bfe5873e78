/**
 * The questions that loop puts to a model, by name. Each name has one schema (model/answer/schemas), which
 * judges the answer whatever its source. This file has only names, so that reading a journal loads no schema:
 * the spec of a loop holds such a name.
 */
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
