/**
 * What the engine needs from outside, gathered in one value: the store, the adapters, the clock, the place.
 * Wired in cli; tests wire the same real parts.
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../adapters/agents/agent.ts'
import type { Here } from '../adapters/process/proc.ts'
import type { WorkCopies } from '../adapters/workcopies/contract.ts'
import type { Checkpoints } from '../checkpoints/contract.ts'
import type { Spec } from '../model/loop/spec.ts'
import type { Host, Store } from '../store/contract.ts'
import type { Feed } from './feed.ts'
import type { Machines } from './machine.ts'

export type World = {
  store: Store
  host: Host
  here: Here
  env: NodeJS.ProcessEnv
  now(): number
  agents: Record<Spec['agent'], Agent>
  checkpoints(spec: Pick<Spec, 'cwd' | 'checkpoint' | 'checkpointIgnored' | 'copy'>): Checkpoints
  /** Working copies of this tree. */
  copies(tree: string): WorkCopies
  /** What a journal can be, and what its steps do. Tests of the queue alone bring their own. */
  machines: Machines
  /** Over the connection of `store`. */
  feed: Feed
  /** Told when this very process has queued a journal: whoever hosts the background hears only of what others write. */
  queued?(): void
  /** How often a run is looked at that does not ring by itself; a host of very many looks less often. */
  pollMs?(): number
  /** Where a test may end this process: see engine/fault. */
  fault(point: string): void
}

/** The pid is for people to read; what makes the name unique is the random part. */
export function hostName(): string {
  return `${process.pid}-${randomUUID().slice(0, 8)}`
}
