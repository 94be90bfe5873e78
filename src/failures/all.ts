/**
 * Every failure that loop can report, and every reason that it records, by kind: a closed set. A row is the kind, its
 * data and its sentence; the types here are inferred from the rows. Facts name their kind and carry its data. Whoever
 * does not print imports only types from this room, so that no sentence is loaded before it is needed.
 */

import type { RecordedFacts } from '../model/recorded-facts.ts'
import type { agentFailures } from './agent.ts'
import type { configFailures } from './config.ts'
import type { daemonFailures } from './daemon.ts'
import type { groupFailures } from './group.ts'
import type { loopFailures } from './loop.ts'
import type { machineFailures } from './machine.ts'
import type { NodeReasons } from './node.ts'
import type { optionFailures } from './options.ts'
import type { planFailures } from './plan.ts'
import type { Readings } from './reading.ts'
import type { Refusals } from './refusal.ts'
import type { sessionFailures } from './session.ts'
import type { storeFailures } from './store.ts'
import type { treeFailures } from './tree.ts'
import type { Troubles } from './trouble.ts'
import type { usageFailures } from './usage.ts'
import type { workflowFailures } from './workflow.ts'

/** A kind that needs no data. */
export type Nothing = unknown

/** Data with a failure inside. It has a name, because rows that named `Facts` in place would be a circle of types. */
export type Caused = { because: Facts }

/** Words a failure inside another one. */
export type Say = (inner: Facts) => string

type Rows = typeof agentFailures &
  typeof configFailures &
  typeof daemonFailures &
  typeof groupFailures &
  typeof loopFailures &
  typeof machineFailures &
  typeof optionFailures &
  typeof planFailures &
  typeof sessionFailures &
  typeof storeFailures &
  typeof treeFailures &
  typeof usageFailures &
  typeof workflowFailures

/** The data of a row. The result is void here, so that no sentence has to be looked at for its type. */
type Data<Row> = Row extends (data: infer D, ...rest: never[]) => void ? D : never

/** A failure reported by another program, for instance another loopd: its sentence and its facts, unchanged. */
type SaidFailures = { said: { message: string; facts?: unknown } }

export type AllFailures = { [K in keyof Rows]: Data<Rows[K]> } & Refusals &
  NodeReasons &
  Troubles &
  Readings &
  SaidFailures

/** The facts of one failure, tagged with its kind. */
export type Facts = { [K in keyof AllFailures]: { kind: K } & AllFailures[K] }[keyof AllFailures]

/**
 * The words of recorded facts. A journal can be of a newer version: facts of a kind that is not in the table are shown
 * by the text that was recorded beside them.
 */

/** A clause for each kind of facts. */
export type Clauses<F> = { [K in keyof F]: (facts: F[K]) => string }

export function recordedWords<F>(clauses: Clauses<F>, { facts, why = '' }: RecordedFacts): string {
  if (!facts || !Object.hasOwn(clauses, facts.kind)) return why
  // The table pairs each kind with its own facts; a lookup by name loses that pairing.
  const clause = clauses[facts.kind as keyof F] as (known: object) => string
  return clause(facts)
}
