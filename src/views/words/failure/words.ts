/** The sentence of a failure: the only place where facts become words for people. */
import type { AllFailures, Facts } from '../../../model/facts/all.ts'
import type { RecordedFacts } from '../../../model/facts/recorded/schema.ts'
import type { Failure } from '../../../model/failure.ts'
import { nodeClauses } from '../recorded/node.ts'
import { readingClauses } from '../recorded/reading.ts'
import { refusalClauses } from '../recorded/refusal.ts'
import { troubleClauses } from '../recorded/trouble.ts'
import { agentSentences } from './agent.ts'
import { configSentences } from './config.ts'
import { daemonSentences } from './daemon.ts'
import { groupSentences } from './group.ts'
import { loopSentences } from './loop.ts'
import { machineSentences } from './machine.ts'
import { optionSentences } from './options.ts'
import { planSentences } from './plan.ts'
import { sessionSentences } from './session.ts'
import { storeSentences } from './store.ts'
import { treeSentences } from './tree.ts'
import { usageSentences } from './usage.ts'
import { workflowSentences } from './workflow.ts'

/** A sentence for each kind of facts; `say` words a failure inside another. */
export type Sentences<F> = { [K in keyof F]: (facts: F[K], say: (inner: Facts) => string) => string }

const sentences: Sentences<AllFailures> = {
  ...agentSentences,
  ...treeSentences,
  ...configSentences,
  ...daemonSentences,
  ...groupSentences,
  ...loopSentences,
  ...machineSentences,
  ...optionSentences,
  ...planSentences,
  ...refusalClauses,
  ...nodeClauses,
  ...troubleClauses,
  ...readingClauses,
  ...sessionSentences,
  ...storeSentences,
  ...usageSentences,
  ...workflowSentences,
  said: ({ message }) => message,
}

export function failureWords({ facts }: Failure): string {
  return factWords(facts)
}

/** A failure as a document: its reason, its sentence and its facts. */
export function failureJson(failure: Failure) {
  const { reason, facts } = failure
  const known = facts.kind === 'said' ? facts.facts : facts
  return { reason, message: failureWords(failure), ...(known !== undefined && { facts: known }) }
}

/** Facts that a journal has; a kind that this version does not know is passed on with its recorded sentence. */
export function knownFacts({ facts, why = '' }: RecordedFacts): Facts {
  const isKnown = facts !== undefined && Object.hasOwn(sentences, facts.kind)
  return isKnown ? (facts as Facts) : { kind: 'said', message: why, ...(facts && { facts }) }
}

/** The sentence of facts alone, for instance of recorded ones. */
export function factWords(facts: Facts): string {
  // The table pairs each kind with its own facts; a lookup by name loses that pairing.
  const sentence = sentences[facts.kind] as (known: Facts, also: typeof factWords) => string
  return sentence(facts, factWords)
}
