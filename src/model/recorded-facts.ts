/**
 * Facts in an event, and the same in words. Any kind is accepted: the journal can be of another version. The engine
 * adds the words when it records the facts (engine/recorded), for summary rows and for a loop that does not know the
 * kind.
 */
import * as z from 'zod'

const facts = z.looseObject({ kind: z.string() })

export const recordedFacts = {
  facts: facts
    .optional()
    .describe('why: a kind of failures with its data; absent where there are only words'),
  why: z.string().optional().describe('the same in words, for a loop that does not know these facts'),
}

export type RecordedFacts = { facts?: { kind: string } | undefined; why?: string | undefined }
