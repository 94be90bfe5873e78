/** A result as a person sees it: for a failure its reason and sentence, in place of its facts. */
import assert from 'node:assert/strict'
import { failureWords } from '../../src/failures/words.ts'
import type { Result } from '../../src/model/failure.ts'

export function asSaid<T>(result: Result<T>) {
  if (result.ok) return result
  const { reason } = result.failure
  return { ok: false, failure: { reason, message: failureWords(result.failure) } }
}

/** The sentence of a result that must be a failure. */
export function wordsOf(result: Result<unknown>): string {
  assert.ok(!result.ok)
  return failureWords(result.failure)
}
