/**
 * The dependencies of the engine in one value: the store, the adapters, the clock, the data directory. wiring/world
 * makes the real one; tests use the same real parts.
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '../adapters/agents/agent.ts'
import type { WorkCopies } from '../adapters/workcopies/contract.ts'
import type { Checkpoints } from '../checkpoints/contract.ts'
import type { Spec } from '../model/loop/spec.ts'
import type { Here } from '../platform/contract.ts'
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
  /** The working copies of this tree. */
  copies(tree: string): WorkCopies
  /** The kinds of journals and what their steps do. Tests of the queue alone bring their own. */
  machines: Machines
  /** The feed over the connection of `store`. */
  feed: Feed
  /**
   * Called when this process has queued a journal: the background host otherwise hears only of writes by other
   * processes.
   */
  queued?(): void
  /** The polling interval for runs that cannot signal their end; a host of very many polls less often. */
  pollMs?(): number
  /** A point at which a test can end this process: see engine/fault. */
  fault(point: string): void
}

/** The name of a host: the pid is for people, the random part makes it unique. */
export function hostName(): string {
  return `${process.pid}-${randomUUID().slice(0, 8)}`
}
