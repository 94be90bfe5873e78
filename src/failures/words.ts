/** The sentence of a failure: the only place where facts become words for people. */
import type { Failure } from '../model/failure.ts'
import type { RecordedFacts } from '../model/recorded-facts.ts'
import { agentFailures } from './agent.ts'
import type { AllFailures, Facts, Say } from './all.ts'
import { configFailures } from './config.ts'
import { daemonFailures } from './daemon.ts'
import { groupFailures } from './group.ts'
import { loopFailures } from './loop.ts'
import { machineFailures } from './machine.ts'
import { nodeClauses } from './node.ts'
import { optionFailures } from './options.ts'
import { planFailures } from './plan.ts'
import { readingClauses } from './reading.ts'
import { refusalClauses } from './refusal.ts'
import { sessionFailures } from './session.ts'
import { storeFailures } from './store.ts'
import { treeFailures } from './tree.ts'
import { troubleClauses } from './trouble.ts'
import { usageFailures } from './usage.ts'
import { workflowFailures } from './workflow.ts'

const sentences: { [K in keyof AllFailures]: (facts: AllFailures[K], say: Say) => string } = {
  ...agentFailures,
  ...treeFailures,
  ...configFailures,
  ...daemonFailures,
  ...groupFailures,
  ...loopFailures,
  ...machineFailures,
  ...optionFailures,
  ...planFailures,
  ...refusalClauses,
  ...nodeClauses,
  ...troubleClauses,
  ...readingClauses,
  ...sessionFailures,
  ...storeFailures,
  ...usageFailures,
  ...workflowFailures,
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
