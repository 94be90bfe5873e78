/** Reads a recorded answer as data. Its schema judged it before it was recorded, so it is not checked again. */
import type { AnswerName } from '../../model/answer/name.ts'
import type { AnswerOf } from '../../model/answer/schemas.ts'

/** `name` is the question that it answers. */
export function readAnswer<N extends AnswerName>(_name: N, json: string): AnswerOf<N> {
  return JSON.parse(json) as AnswerOf<N>
}
