/**
 * What the engine needs from outside, gathered in one value: the store, the adapters, the clock, the place.
 * Wired in cli; tests wire the same real parts.
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../adapters/agent.ts'
import type { Checkpoints } from '../adapters/checkpoint.ts'
import type { Here } from '../adapters/process/proc.ts'
import type { Step } from '../core/decide.ts'
import type { Event } from '../model/event.ts'
import type { Spec } from '../model/spec.ts'
import type { Store } from '../store/database.ts'
import type { Host } from '../store/lease.ts'
import type { Inputs } from './input.ts'
import type { Mirror } from './mirror.ts'
import type { Task } from './perform.ts'

export type World = {
  store: Store
  host: Host
  here: Here
  env: NodeJS.ProcessEnv
  now(): number
  agents: Record<Spec['agent'], Agent>
  checkpoints(spec: Spec): Checkpoints
  /** Does a step; the queue appends the events it returns. Tests of the queue alone bring their own world. */
  perform(step: Step, task: Task): Promise<Event[]>
  /** Shows in the work tree where the loop stands: see engine/mirror. Must not throw. */
  mirror: Mirror
  /** A host of many loops looks for all of them at once; without it each loop looks for itself. */
  inputs?: Inputs
  /** How often a run is looked at that does not ring by itself; a host of very many looks less often. */
  pollMs?(): number
  /** Where a test may end this process: see engine/fault. */
  fault(point: string): void
}

/** The pid is for people to read; what makes the name unique is the random part. */
export function hostName(): string {
  return `${process.pid}-${randomUUID().slice(0, 8)}`
}
