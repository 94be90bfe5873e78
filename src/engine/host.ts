/**
 * Hosting: creating a loop, taking over one that nobody hosts, and sending a command to one that somebody
 * does. Whoever holds the lease drives; everybody else writes to the inbox.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fold } from '../core/loop/evolve.ts'
import { summarize } from '../core/loop/summary.ts'
import { ok, type Result } from '../model/failure.ts'
import type { Command } from '../model/loop/command.ts'
import type { Event, Recorded } from '../model/loop/event.ts'
import type { Priority, Spec } from '../model/loop/spec.ts'
import { loopId } from '../model/units.ts'
import { writeDurably } from '../store/files/artifact.ts'
import { envFile, loopDir, type Paths } from '../store/files/paths.ts'
import { type Entry, writeEntry } from '../store/sqlite/append.ts'
import { dataVersion, transaction } from '../store/sqlite/database.ts'
import { send, withdraw } from '../store/sqlite/inbox.ts'
import { lastSeq, read, readAfter } from '../store/sqlite/journal.ts'
import { grantLease, hostOf, releaseLease, takeLease } from '../store/sqlite/lease.ts'
import { holderOf } from '../store/sqlite/summary.ts'
import { busy, commitAlone, type Driven, publish } from './drive.ts'
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
  const loop: Driven = { world, epoch: 1, state: fold(created.value), asked: [], tell }
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

/** Its turn has come: hosted from here on, unless another loop has the work tree by now. */
export function dequeue(loop: Driven): Result<null> {
  return commitAlone(loop, [{ kind: 'loop.dequeued', data: {} }], null)
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
  return ok({ driven: { world, epoch: lease.epoch, state: fold(events.value), asked: [], tell } })
}

export function leaveLoop(loop: Driven): void {
  releaseLease(loop.world.store, loop.state.id, loop.epoch)
}

/** Whether another loop is active in this work tree, for a look only: what is recorded goes by `commitAlone`. */
export function otherActiveIn(world: World, cwd: string, id: string): Result<null> {
  const other = holderOf(world.store, cwd, id)
  return other ? busy(other) : ok(null)
}

/** A command for a loop, and the process that hosts it. */
export type Question = { id: string; command: Command; by: string }

/** `gone`: it hosts the loop no more, and the command was taken back. */
type Answer = { answered: Recorded } | { silent: true } | { gone: true }

/** Puts a command into the inbox of a loop that another process hosts, and waits for what became of it. */
export async function sendCommand(world: World, { id, command, by }: Question): Promise<Result<Answer>> {
  // Not the journal itself: a host goes on, and must be reached, though an old row is damaged.
  const seen = lastSeq(world.store, id)
  const cause = randomUUID()
  let version = dataVersion(world.store)
  send(world.store, { id: cause, loop: id, at: world.now(), command })
  const deadline = performance.now() + answerMs
  while (performance.now() < deadline) {
    await delay(pollMs)
    if (dataVersion(world.store) === version) continue
    version = dataVersion(world.store)
    const events = readAfter(world.store, id, seen)
    if (!events.ok) return events
    const answered = events.value.find(event => event.cause === cause)
    if (answered) return ok({ answered })
    // Who only had something to ask hosts a loop for an instant, and reads no inbox.
    if (hostOf(world.store, id) !== by && withdraw(world.store, cause)) return ok({ gone: true })
  }
  return ok({ silent: true })
}

const answerMs = 2_000
const pollMs = 20
