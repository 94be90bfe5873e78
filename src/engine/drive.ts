/**
 * The queue of one journal. Inputs are: a step finished, a command from the inbox, a timer; for each: append, evolve,
 * decide. Because `decide` is asked again after every event, cancel works while an agent runs, and a restart is the
 * same as continuing. It knows no kind of journal, only its machine and the set of steps that the machine wants.
 *
 *   steps:  start what is missing, abort what is not wanted any more, commit each result as it lands
 *   record: commit it, and ask again        wait: until that time, or a command        rest: done
 */

import type { Head } from '../core/head.ts'
import type { LoopKinds } from '../core/loop/machine.ts'
import type { Kinds } from '../core/machine.ts'
import type { Facts } from '../failures/all.ts'
import { failureWords } from '../failures/words.ts'
import type { Envelope } from '../model/envelope.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { ForeignEvents } from '../store/contract.ts'
import { stopWithoutJournal } from './emergency.ts'
import type { Running } from './machine.ts'
import { inEnvelopes } from './recorded.ts'
import type { World } from './world.ts'

/** A journal whose lease this process holds. */
export type Driven<K extends Kinds = LoopKinds> = {
  machine: Running<K>
  world: World
  epoch: number
  state: K['state']
  /** Commands of the person at this process; commands of others come through the inbox. */
  asked: K['command'][]
  /** The journal is left as soon as its machine allows; no new step is started. */
  finishing?: boolean
  /** Whether it may begin work that needs a slot; absent: always. After `want` it is rung once it may. */
  turn?: { has(): boolean; want(): void }
}

type Flight<K extends Kinds> = { step: K['step']; abort: AbortController; done: Promise<K['event'][]> }

/** The steps under way, by key. */
type Air<K extends Kinds> = Map<string, Flight<K>>

const drivenHere = new Set<string>()

/**
 * Leases are per host, not per call: a journal that is driven in this process counts as hosted for every other
 * caller here.
 */
export function isDrivenHere({ host }: Pick<World, 'host'>, id: string): boolean {
  return drivenHere.has(`${host.id}/${id}`)
}

/** Drives a journal until it rests or `leave` is aborted; an agent run then continues by itself. */
export async function drive<K extends Kinds>(loop: Driven<K>, leave: AbortSignal): Promise<K['state']> {
  const air: Air<K> = new Map()
  const whose = `${loop.world.host.id}/${loop.state.id}`
  drivenHere.add(whose)
  try {
    return await turns(loop, leave, air)
  } catch (error) {
    // Neither its steps nor their ends can be recorded any more.
    if (error instanceof ForeignEvents) await endProcesses(loop)
    throw error
  } finally {
    // Reached only if the journal could not be written: its steps must not run on beside the next host.
    for (const { abort } of air.values()) abort.abort()
    for (const { done } of air.values()) await done.catch(() => [])
    drivenHere.delete(whose)
  }
}

async function endProcesses<K extends Kinds>({ world, machine, state }: Driven<K>): Promise<void> {
  await stopWithoutJournal(world.store.paths, machine.summarize(state), world.here)
}

async function turns<K extends Kinds>(loop: Driven<K>, leave: AbortSignal, air: Air<K>): Promise<K['state']> {
  const { machine, world } = loop
  for (;;) {
    admitPending(loop)
    const next = inTurn(loop, machine.decide(loop.state, world.now(), loop.epoch))
    const leaving = leave.aborted || mayLeave(loop, air)
    const wanted = new Map(stepsIn(next, leaving).map(step => [keyOf(step), step]))
    const unwanted = [...air.keys()].filter(key => !wanted.has(key))
    for (const key of unwanted) air.get(key)?.abort.abort()
    for (const key of unwanted) await land(loop, air, key)
    if (unwanted.length > 0) continue
    if (leaving || next.do === 'rest') return loop.state
    if (next.do === 'record') {
      settle(loop, [next.event])
      continue
    }
    for (const [key, step] of wanted) if (!air.has(key)) air.set(key, takeOff(loop, step))
    const until = next.do === 'wait' ? next.until : Number.POSITIVE_INFINITY
    const landed = await nextInput(loop, air, { until, leave })
    if (landed !== null) await land(loop, air, landed)
  }
}

/** Without its turn a journal begins nothing that needs a slot, and ends no wait: it keeps waiting. */
function inTurn<K extends Kinds>(loop: Driven<K>, next: Next<K>): Next<K> {
  const { machine, state, turn } = loop
  if (!turn || turn.has() || next.do === 'wait' || next.do === 'rest') return next
  const after = next.do === 'record' ? foldedWith(loop, [next.event], null).state : state
  if (!machine.summarize(after).needsSlot) return next
  turn.want()
  return { do: 'wait', until: Number.POSITIVE_INFINITY }
}

type Next<K extends Kinds> = ReturnType<Running<K>['decide']>

function mayLeave<K extends Kinds>({ finishing = false, machine, state }: Driven<K>, air: Air<K>): boolean {
  return (
    finishing &&
    machine.mayLeave(
      state,
      Array.from(air.values(), ({ step }) => step),
    )
  )
}

function stepsIn<K extends Kinds>(next: Next<K>, leaving: boolean): K['step'][] {
  if (leaving || next.do === 'wait' || next.do === 'rest') return []
  return next.steps ?? []
}

/** Steps are small plain data: equal data means the same step. */
function keyOf(step: Kinds['step']): string {
  return JSON.stringify(step)
}

/** Commits the result of a step that has ended, or is about to end because it was aborted. */
async function land<K extends Kinds>(loop: Driven<K>, air: Air<K>, key: string): Promise<void> {
  const events = await air.get(key)?.done
  air.delete(key)
  // The commit is refused if it would take a tree that another journal has taken meanwhile; then the step counts as
  // not done.
  commit(loop, events ?? [], null)
}

/** Events of a decision never take a tree: only commands, which can be refused, and steps, which are repeated, do. */
function settle<K extends Kinds>(loop: Driven<K>, events: K['event'][]): void {
  const done = commit(loop, events, null)
  if (!done.ok) throw new Error(`Internal error: ${failureWords(done.failure)}`)
}

/**
 * Appends events and folds them into the state: the only place where the state of a journal changes. It is refused,
 * and nothing is recorded, if it would take a work tree that another journal holds.
 */
export function commit<K extends Kinds>(
  loop: Driven<K>,
  events: K['event'][],
  cause: string | null,
): Result<null> {
  const { world, machine, state } = loop
  if (events.length === 0 && cause === null) return ok(null)
  const { recorded, state: after } = foldedWith(loop, events, cause)
  const summary = machine.summarize(after)
  // A cancel only ends what is there, so it is recorded whoever holds the tree.
  const evenIfTreeBusy = events.some(({ kind }) => kind === 'cancel.requested')
  const entry = { epoch: loop.epoch, after: state.seq, events: recorded, cause, summary, evenIfTreeBusy }
  for (const { seq } of recorded) world.fault(`append:${seq}:before`)
  const done = world.store.journals.append(entry)
  if (!done.ok) return busy(done.holder)
  for (const event of recorded) {
    world.fault(`append:${event.seq}`)
    const before = loop.state
    loop.state = machine.evolve(before, event)
    publish(loop, event, before)
  }
  return ok(null)
}

/** The events as they would be recorded now, and the state after them. */
function foldedWith<K extends Kinds>(
  { world, machine, state, epoch }: Driven<K>,
  events: K['event'][],
  cause: string | null,
): { recorded: (K['event'] & Envelope)[]; state: K['state'] } {
  const of = { after: state.seq, at: world.now(), loop: state.id, epoch, cause }
  const recorded = inEnvelopes(machine, events, of)
  return { recorded, state: recorded.reduce((before, event) => machine.evolve(before, event), state) }
}

export function busy({ id, cwd }: Pick<Head, 'id' | 'cwd'>): Result<never> {
  return fail('tree-busy', { kind: 'tree-busy', id, cwd })
}

/** Tells listeners of an event, once it is durable. */
export function publish<K extends Kinds>(
  { world, machine, state }: Driven<K>,
  event: K['event'] & Envelope,
  before: K['state'] | null,
): void {
  world.feed.publish<K>({ kind: machine.kind, event, state, before })
  machine.project(event, state, event.at)
}

/** Gives a command of the person at this process. */
export function submit<K extends Kinds>(loop: Driven<K>, command: K['command']): void {
  loop.asked.push(command)
  loop.world.feed.ring(loop.state.id)
}

function admitPending<K extends Kinds>(loop: Driven<K>): void {
  for (const command of loop.asked.splice(0)) answer(loop, command, null)
  for (const { id, command } of loop.world.store.inbox.pending(loop.state.id)) {
    answer(loop, loop.machine.parseCommand(command), id)
  }
}

function answer<K extends Kinds>(loop: Driven<K>, command: K['command'] | null, cause: string | null): void {
  const refuse = (facts: Facts) => {
    const data = { command: command?.kind ?? 'unknown', facts }
    commit(loop, [{ kind: 'command.refused', data } as K['event']], cause)
  }
  if (!command) return refuse({ kind: 'command-unreadable' })
  const admission = loop.machine.admit(loop.state, command)
  if (!admission.ok) return refuse(admission.because)
  // Since the command was sent, the journal can have come to rest, and another journal can hold its tree.
  const done = commit(loop, admission.events, cause)
  if (!done.ok) refuse(done.failure.facts)
}

function takeOff<K extends Kinds>(loop: Driven<K>, step: K['step']): Flight<K> {
  const abort = new AbortController()
  const task = { world: loop.world, state: loop.state, signal: abort.signal }
  const done = loop.machine.perform(step, task).then(events => {
    if (events.length > 0 || abort.signal.aborted) return events
    throw new Error(`Internal error: the step ${step.kind} ended with nothing to say`)
  })
  // Prevents an unhandled rejection: the error is handled when `done` is awaited.
  done.catch(() => {})
  return { step, abort, done }
}

type Waiting = { until: number; leave: AbortSignal }

/** The key of the step that has ended, or null if there may be something else to decide on. */
async function nextInput<K extends Kinds>(
  { world: { feed }, state: { id }, asked }: Driven<K>,
  air: Air<K>,
  { until, leave }: Waiting,
): Promise<string | null> {
  // A listener of the last command's result has given another command.
  if (asked.length > 0) return null
  const landings = [...air].map(([key, { done }]) => done.then(() => key))
  const bell = feed.bell(id, until)
  const ring = () => feed.ring(id)
  leave.addEventListener('abort', ring, { once: true })
  try {
    return await Promise.race([...landings, bell.rung])
  } finally {
    leave.removeEventListener('abort', ring)
    bell.stop()
  }
}
