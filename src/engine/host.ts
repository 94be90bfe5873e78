/**
 * Hosting: creating a loop, taking over one that nobody hosts, and sending a command to one that somebody
 * does. Whoever holds the lease drives; everybody else writes to the inbox.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fold } from '../core/loop/evolve.ts'
import type { State } from '../core/loop/state.ts'
import { summarize } from '../core/loop/summary.ts'
import { ok, type Result } from '../model/failure.ts'
import type { Command } from '../model/loop/command.ts'
import type { Event, Recorded } from '../model/loop/event.ts'
import type { Priority, Spec } from '../model/loop/spec.ts'
import { loopId } from '../model/units.ts'
import { writeDurably } from '../store/files/artifact.ts'
import { envFile, loopDir, type Paths } from '../store/files/paths.ts'
import { busy, commit, type Driven, publish } from './drive.ts'
import { inEnvelopes } from './recorded.ts'
import type { World } from './world.ts'

/** What is to be done, and what the agent is told besides in its first iteration. */
type Wish = { spec: Spec; injected: string[] }

/** Creates a loop and hosts it; refused when another one is active in the same work tree. */
export function createLoop(world: World, wish: Wish, tell: Driven['tell']): Result<Driven> {
  const created = create(world, { events: first(wish), host: world.host.id })
  if (!created.ok) return created
  const loop: Driven = { world, epoch: 1, state: fold(created.value), asked: [], tell }
  for (const event of created.value) publish(loop, event)
  world.fault('append:1')
  return ok(loop)
}

type Place = Pick<World, 'store' | 'now'>

/** The events of a new journal; `id` where it had to be known before. */
function create(
  { store, now }: Place,
  { id = loopId(randomBytes(6)), events, host }: { id?: string; events: Event[]; host: string | null },
): Result<Recorded[]> {
  const recorded = inEnvelopes(events, { after: 0, at: now(), loop: id, epoch: 1, cause: null })
  const created = store.journals.create({ events: recorded, summary: summarize(fold(recorded)), host })
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

/** Its turn has come: hosted from here on, unless another loop has the work tree by now. */
export function dequeue(loop: Driven): Result<null> {
  return commit(loop, [{ kind: 'loop.dequeued', data: {} }], null)
}

type Hosted = { driven: Driven } | { hostedBy: string }

/** Takes the lease of a loop that exists and reads its journal; or says who has it. */
export function hostLoop(world: World, id: string, tell: Driven['tell']): Result<Hosted> {
  const lease = world.store.leases.take(id, world.host)
  if (!lease.held) return ok({ hostedBy: lease.by })
  const events = world.store.journals.read(id)
  if (!events.ok) {
    world.store.leases.release(id, lease.epoch)
    return events
  }
  return ok({ driven: { world, epoch: lease.epoch, state: fold(events.value), asked: [], tell } })
}

export function leaveLoop(loop: Driven): void {
  loop.world.store.leases.release(loop.state.id, loop.epoch)
}

/** Whether another loop is active in this work tree, for a look only: an append checks it itself. */
export function otherActiveIn(world: World, state: State): Result<null> {
  const other = world.store.heads.holder(state.spec.cwd, summarize(state))
  return other ? busy(other) : ok(null)
}

/** A command for a loop, and the process that hosts it. */
export type Question = { id: string; command: Command; by: string }

/** `gone`: it hosts the loop no more, and the command was taken back. */
type Answer = { answered: Recorded } | { silent: true } | { gone: true }

/** Puts a command into the inbox of a loop that another process hosts, and waits for what became of it. */
export async function sendCommand(world: World, { id, command, by }: Question): Promise<Result<Answer>> {
  // Not the journal itself: a host goes on, and must be reached, though an old row is damaged.
  const seen = world.store.journals.lastSeq(id)
  const cause = randomUUID()
  let version = world.store.changes.byOthers()
  world.store.inbox.send({ id: cause, loop: id, at: world.now(), command })
  const deadline = performance.now() + answerMs
  while (performance.now() < deadline) {
    await delay(pollMs)
    if (world.store.changes.byOthers() === version) continue
    version = world.store.changes.byOthers()
    const events = world.store.journals.readAfter(id, seen)
    if (!events.ok) return events
    const answered = events.value.find(event => event.cause === cause)
    if (answered) return ok({ answered })
    // Who only had something to ask hosts a loop for an instant, and reads no inbox.
    if (world.store.leases.hostOf(id) !== by && world.store.inbox.withdraw(cause)) return ok({ gone: true })
  }
  return ok({ silent: true })
}

const answerMs = 2_000
const pollMs = 20
