/**
 * Hosting: creating a loop, and taking the lease of one that nobody hosts. Whoever holds the lease drives; everybody
 * else writes to the inbox (engine/ask).
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type LoopKinds, loopMachine } from '../core/loop/machine.ts'
import { replay } from '../core/machine.ts'
import { ok, type Result } from '../model/failure.ts'
import type { Event, Recorded } from '../model/loop/event.ts'
import type { Priority, Spec } from '../model/loop/spec.ts'
import { loopId } from '../model/units.ts'
import { writeDurably } from '../store/files/artifact.ts'
import { envFile, loopDir, type Paths } from '../store/files/paths.ts'
import { busy, type Driven, publish } from './drive.ts'
import { machineFor, type Running } from './machine.ts'
import { inEnvelopes } from './recorded.ts'
import type { World } from './world.ts'

/** What is to be done, and what the agent is told besides in its first iteration. */
type Wish = { spec: Spec; injected: string[] }

/** Creates a loop and hosts it; refused when another one is active in the same work tree. */
export function createLoop(world: World, wish: Wish): Result<Driven> {
  const created = create(world, { events: first(wish), host: world.host.id })
  if (!created.ok) return created
  const machine = machineFor(world, created.value[0]) as Running<LoopKinds>
  const state = replay<LoopKinds>(machine, created.value)
  const loop: Driven = { machine, world, epoch: 1, state, asked: [] }
  for (const event of created.value) publish(loop, event, null)
  world.fault('append:1')
  return ok(loop)
}

type Place = Pick<World, 'store' | 'now'>

/** The events of a new journal; `id` where it had to be known before. */
function create(
  { store, now }: Place,
  { id = loopId(randomBytes(6)), events, host }: { id?: string; events: Event[]; host: string | null },
): Result<Recorded[]> {
  const recorded = inEnvelopes<LoopKinds>(loopMachine, events, {
    after: 0,
    at: now(),
    loop: id,
    epoch: 1,
    cause: null,
  })
  const created = store.journals.create({
    events: recorded,
    summary: loopMachine.summarize(replay<LoopKinds>(loopMachine, recorded)),
    host,
  })
  if (created.ok) return ok(recorded)
  if (created.reason === 'tree-busy') return busy(created.holder)
  throw new Error(`Internal error: there is a loop ${id} already`)
}

/** The first events of a journal. */
function first({ spec, injected }: Wish): Event[] {
  const told = injected.map((text): Event => ({ kind: 'context.injected', data: { text } }))
  return [{ kind: 'loop.created', data: { spec } }, ...told]
}

/** Creates a loop of the background: nobody hosts it yet, and it may wait behind another in its work tree. */
export function queueLoop(
  world: Place,
  wish: Wish & { env?: NodeJS.ProcessEnv },
  priority: Priority,
): string {
  const id = loopId(randomBytes(6))
  if (wish.env) keepEnvironment(world.store.paths, id, wish.env)
  const events: Event[] = [...first(wish), { kind: 'loop.queued', data: { priority } }]
  const created = create(world, { id, events, host: null })
  if (!created.ok) throw new Error(`Internal error: ${created.failure.message}`)
  return id
}

/** Whoever hosts it later runs its agent in the environment it was asked for in. Only its user can read it. */
export function keepEnvironment(paths: Paths, id: string, env: NodeJS.ProcessEnv): void {
  mkdirSync(loopDir(paths, id), { recursive: true, mode: 0o700 })
  // It is no part of the run it may have been asked for in.
  const { LOOP_RUN: _, ...own } = env
  writeDurably(envFile(paths, id), JSON.stringify(own))
}

type Hosted = { driven: Driven } | { hostedBy: string }

/** Takes the lease of a loop that exists and reads its journal; or says who has it. */
export function hostLoop(world: World, id: string): Result<Hosted> {
  const lease = world.store.leases.take(id, world.host)
  if (!lease.held) return ok({ hostedBy: lease.by })
  const events = world.store.journals.read(id)
  if (!events.ok) {
    world.store.leases.release(id, lease.epoch)
    return events
  }
  const machine = machineFor(world, events.value[0]) as Running<LoopKinds>
  const state = replay<LoopKinds>(machine, events.value)
  return ok({ driven: { machine, world, epoch: lease.epoch, state, asked: [] } })
}

export function leaveLoop(loop: Driven): void {
  loop.world.store.leases.release(loop.state.id, loop.epoch)
}
