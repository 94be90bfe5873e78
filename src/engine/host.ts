/**
 * Hosting: creates a journal, or takes the lease of one that nobody hosts. The holder of the lease drives the
 * journal; everybody else writes to its inbox (engine/ask). `of` is for callers that mean one kind of journal and no other.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { JournalKind, KindsOf } from '../core/folds.ts'
import { type GroupKinds, groupMachine } from '../core/group/machine.ts'
import { creation } from '../core/loop/assess/assess.ts'
import { type LoopKinds, loopMachine } from '../core/loop/machine.ts'
import { type Kinds, type Machine, replay } from '../core/machine.ts'
import { failureWords } from '../failures/words.ts'
import type { Envelope } from '../model/envelope.ts'
import { ok, type Result } from '../model/failure.ts'
import type { GroupEvent } from '../model/group/event.ts'
import type { GroupSpec } from '../model/group/spec.ts'
import type { Event } from '../model/loop/event.ts'
import type { Priority, Spec } from '../model/loop/spec.ts'
import { loopId } from '../model/units.ts'
import { unknownLoop } from '../store/failures.ts'
import { writeDurably } from '../store/files/artifact.ts'
import { envFile, loopDir, type Paths } from '../store/files/paths.ts'
import { busy, type Driven, isDrivenHere, publish } from './drive.ts'
import { machineFor, otherKind, type Running } from './machine.ts'
import { inEnvelopes } from './recorded.ts'
import type { World } from './world.ts'

/** The spec, and extra texts for the agent's first iteration. */
type Wish = { spec: Spec; injected: string[] }

/** Creates a loop and hosts it; refused if another one is active in the same work tree. */
export function createLoop(world: World, wish: Wish): Result<Driven> {
  return createHosted(world.machines.loop, world, first(wish))
}

/** The same for a group. */
export function createGroup(world: World, spec: GroupSpec): Result<Driven<GroupKinds>> {
  return createHosted(world.machines.group, world, [{ kind: 'group.created', data: { spec } }])
}

function createHosted<K extends Kinds>(
  machine: Running<K>,
  world: World,
  begun: K['event'][],
): Result<Driven<K>> {
  const created = createJournal(machine, world, { id: newId(), events: begun, host: world.host.id })
  if (!created.ok) return created
  const events = created.value ?? taken()
  const journal: Driven<K> = { machine, world, epoch: 1, state: replay<K>(machine, events), asked: [] }
  for (const event of events) publish(journal, event, null)
  world.fault('append:1')
  return ok(journal)
}

type Place = Pick<World, 'store' | 'now'>

/** `host`: the first host; null for a journal that is taken up later. */
type Beginning<K extends Kinds> = { id: string; events: K['event'][]; host: string | null }

/**
 * Creates a journal under a reserved id; null if it already exists, so that a caller that does not know whether it
 * was created can repeat the call. Refused if it would take a work tree that another journal holds.
 */
export function createJournal<K extends Kinds>(
  machine: Machine<K>,
  { store, now }: Place,
  { id, events, host }: Beginning<K>,
): Result<(K['event'] & Envelope)[] | null> {
  const recorded = inEnvelopes(machine, events, { after: 0, at: now(), loop: id, epoch: 1, cause: null })
  const summary = machine.summarize(replay(machine, recorded))
  const created = store.journals.create({ events: recorded, summary, host })
  if (created.ok) return ok(recorded)
  return created.reason === 'tree-busy' ? busy(created.holder) : ok(null)
}

function newId(): string {
  return loopId(randomBytes(6))
}

function taken(): never {
  throw new Error('Internal error: a random id is taken')
}

/** The first events of a journal. */
function first({ spec, injected }: Wish): Event[] {
  const told = injected.map((text): Event => ({ kind: 'context.injected', data: { text } }))
  return [creation(spec), ...told]
}

/** Creates a background loop: it has no host yet, and can wait behind another one in its work tree. */
export function queueLoop(
  world: Place,
  wish: Wish & { env?: NodeJS.ProcessEnv },
  priority: Priority,
): string {
  const events: Event[] = [...first(wish), { kind: 'loop.queued', data: { priority } }]
  return queueJournal<LoopKinds>(loopMachine, world, { events, env: wish.env })
}

/** The same for a group; its members wait for their own turns. */
export function queueGroup(
  world: Place,
  { spec, env }: { spec: GroupSpec; env?: NodeJS.ProcessEnv },
  priority: Priority,
): string {
  const events: GroupEvent[] = [
    { kind: 'group.created', data: { spec } },
    { kind: 'group.queued', data: { priority } },
  ]
  return queueJournal<GroupKinds>(groupMachine, world, { events, env })
}

type Queued<K extends Kinds> = { events: K['event'][]; env: NodeJS.ProcessEnv | undefined }

/** Creates a journal without a host and returns its id. */
function queueJournal<K extends Kinds>(
  machine: Machine<K>,
  world: Place,
  { events, env }: Queued<K>,
): string {
  const id = newId()
  if (env) keepEnvironment(world.store.paths, id, env)
  const created = createJournal<K>(machine, world, { id, events, host: null })
  if (!created.ok) throw new Error(`Internal error: ${failureWords(created.failure)}`)
  return created.value ? id : taken()
}

/** Saves the environment of the request: the later host runs the agent in it. Only its user can read the file. */
export function keepEnvironment(paths: Paths, id: string, env: NodeJS.ProcessEnv): void {
  mkdirSync(loopDir(paths, id), { recursive: true, mode: 0o700 })
  // If the request came from inside a run, the new loop is not part of that run.
  const { LOOP_RUN: _, ...own } = env
  writeDurably(envFile(paths, id), JSON.stringify(own))
}

type Hosted<K extends Kinds> = { driven: Driven<K> } | { hostedBy: string }

/** Takes the lease of an existing journal and reads it, or says who hosts it. */
export function hostJournal<N extends JournalKind = JournalKind>(
  world: World,
  id: string,
  of?: N,
): Result<Hosted<KindsOf[N]>> {
  if (isDrivenHere(world, id)) return ok({ hostedBy: world.host.id })
  const lease = world.store.leases.take(id, world.host)
  if (!lease.held) return ok({ hostedBy: lease.by })
  const read = readJournal(world, id, of)
  if (read.ok) return ok({ driven: { ...read.value, world, epoch: lease.epoch, asked: [] } })
  world.store.leases.release(id, lease.epoch)
  return read
}

/** The machine and the state of a journal. */
export function readJournal<N extends JournalKind = JournalKind>(
  world: World,
  id: string,
  of?: N,
): Result<Pick<Driven<KindsOf[N]>, 'machine' | 'state'>> {
  const events = world.store.journals.read(id)
  if (!events.ok) return events
  const [begin] = events.value
  if (!begin) return unknownLoop(id)
  const machine = machineFor(world, id, begin)
  if (!machine.ok) return machine
  if (of && machine.value.kind !== of) return otherKind(id, of, machine.value.kind)
  const running = machine.value as unknown as Running<KindsOf[N]>
  return ok({ machine: running, state: replay(running, events.value) })
}

export function leaveJournal<K extends Kinds>({ world, state, epoch }: Driven<K>): void {
  world.store.leases.release(state.id, epoch)
}
