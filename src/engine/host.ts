/**
 * Hosting: creating a loop, and taking the lease of one that nobody hosts. Whoever holds the lease drives; everybody
 * else writes to the inbox (engine/ask).
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { fold } from '../core/loop/evolve.ts'
import type { LoopKinds } from '../core/loop/machine.ts'
import { summarize } from '../core/loop/summary.ts'
import { replay } from '../core/machine.ts'
import { ok, type Result } from '../model/failure.ts'
import type { Event } from '../model/loop/event.ts'
import type { Priority, Spec } from '../model/loop/spec.ts'
import { loopId } from '../model/units.ts'
import { writeDurably } from '../store/files/artifact.ts'
import { envFile, loopDir, type Paths } from '../store/files/paths.ts'
import { type Entry, writeEntry } from '../store/sqlite/append.ts'
import { transaction } from '../store/sqlite/database.ts'
import { read } from '../store/sqlite/journal.ts'
import { grantLease, releaseLease, takeLease } from '../store/sqlite/lease.ts'
import { holderOf } from '../store/sqlite/summary.ts'
import { busy, type Driven, publish } from './drive.ts'
import { machineFor, type Running } from './machine.ts'
import type { World } from './world.ts'

/** What is to be done, and what the agent is told besides in its first iteration. */
type Wish = { spec: Spec; injected: string[] }

/** Creates a loop and hosts it; refused when another one is active in the same work tree. */
export function createLoop(world: World, wish: Wish, tell: Driven['tell']): Result<Driven> {
  const { spec } = wish
  const id = loopId(randomBytes(6))
  const created = transaction(world.store, () => {
    const other = holderOf(world.store, spec.cwd, null)
    if (other) return busy(other)
    grantLease(world.store, { loop: id, epoch: 1, host: world.host.id })
    return ok(
      writeEntry(world.store, {
        ...first(wish, []),
        loop: id,
        at: world.now(),
      }),
    )
  })
  if (!created.ok) return created
  const machine = machineFor(world, created.value[0]) as Running<LoopKinds>
  const loop: Driven = {
    machine,
    world,
    epoch: 1,
    state: replay<LoopKinds>(machine, created.value),
    asked: [],
    tell,
  }
  for (const event of created.value) publish(loop, event)
  world.fault('append:1')
  return ok(loop)
}

/** The first entry of a journal. */
function first({ spec, injected }: Wish, more: Event[]): Omit<Entry, 'loop' | 'at'> {
  const told = injected.map((text): Event => ({ kind: 'context.injected', data: { text } }))
  return {
    epoch: 1,
    after: 0,
    events: [{ kind: 'loop.created', data: { spec } }, ...told, ...more],
    cause: null,
    summarize: events => summarize(fold(events)),
  }
}

/** Creates a loop of the background: nobody hosts it yet, and it may wait behind another in its work tree. */
export function queueLoop(
  world: Pick<World, 'store' | 'now'>,
  wish: Wish & { env?: NodeJS.ProcessEnv },
  priority: Priority,
): string {
  const id = loopId(randomBytes(6))
  const { store } = world
  if (wish.env) keepEnvironment(store.paths, id, wish.env)
  transaction(store, () => {
    grantLease(store, { loop: id, epoch: 1, host: null })
    writeEntry(store, {
      ...first(wish, [{ kind: 'loop.queued', data: { priority } }]),
      loop: id,
      at: world.now(),
    })
  })
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
export function hostLoop(world: World, id: string, tell: Driven['tell']): Result<Hosted> {
  const lease = takeLease(world.store, id, world.host)
  if (!lease.held) return ok({ hostedBy: lease.by })
  const events = read(world.store, id)
  if (!events.ok) {
    releaseLease(world.store, id, lease.epoch)
    return events
  }
  const machine = machineFor(world, events.value[0]) as Running<LoopKinds>
  const state = replay<LoopKinds>(machine, events.value)
  return ok({ driven: { machine, world, epoch: lease.epoch, state, asked: [], tell } })
}

export function leaveLoop(loop: Driven): void {
  releaseLease(loop.world.store, loop.state.id, loop.epoch)
}
