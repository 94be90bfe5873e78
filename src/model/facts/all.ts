/**
 * Every failure that loop can report, and every reason that it records, as facts: a closed set, by subject. Facts
 * name their kind and carry the data of that kind. Only views/words/failure turns it into a sentence, and the compiler reports a kind
 * without one.
 */
import type { AgentFailures } from './agent.ts'
import type { ConfigFailures } from './config.ts'
import type { DaemonFailures } from './daemon.ts'
import type { GroupFailures } from './group.ts'
import type { LoopFailures } from './loop.ts'
import type { MachineFailures } from './machine.ts'
import type { OptionFailures } from './options.ts'
import type { PlanFailures } from './plan.ts'
import type { NodeReasons } from './recorded/node.ts'
import type { Readings } from './recorded/reading.ts'
import type { Refusals } from './recorded/refusal.ts'
import type { Troubles } from './recorded/trouble.ts'
import type { SessionFailures } from './session.ts'
import type { StoreFailures } from './store.ts'
import type { TreeFailures } from './tree.ts'
import type { UsageFailures } from './usage.ts'
import type { WorkflowFailures } from './workflow.ts'

/** A kind that needs no data. */
export type Nothing = unknown

/**
 * A failure reported by another program, for instance a loopd of another version: its sentence and its facts,
 * unchanged.
 */
type SaidFailures = { said: { message: string; facts?: unknown } }

export type AllFailures = AgentFailures &
  TreeFailures &
  ConfigFailures &
  DaemonFailures &
  GroupFailures &
  LoopFailures &
  MachineFailures &
  OptionFailures &
  PlanFailures &
  Refusals &
  NodeReasons &
  Troubles &
  Readings &
  SessionFailures &
  StoreFailures &
  UsageFailures &
  WorkflowFailures &
  SaidFailures

/** The facts of one failure, tagged with its kind. */
export type Facts = { [K in keyof AllFailures]: { kind: K } & AllFailures[K] }[keyof AllFailures]
