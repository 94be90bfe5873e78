/**
 * The queue of one loop. Inputs are: a step finished, a command from the inbox, a timer; for each: append,
 * evolve, decide. Only this file appends to the journal of a loop that exists. Asking `decide` again after
 * anything has happened is what makes cancel work while an agent runs, and restart the same as going on.
 */
import { admit } from '../core/loop/admit.ts'
import { decide, type Step } from '../core/loop/decide.ts'
import { evolve } from '../core/loop/evolve.ts'
import type { State } from '../core/loop/state.ts'
import { type Summary, summarize } from '../core/loop/summary.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Command } from '../model/loop/command.ts'
import type { Event, Recorded } from '../model/loop/event.ts'
import { append, appendAlone, type Entry } from '../store/sqlite/append.ts'
import { dataVersion } from '../store/sqlite/database.ts'
import { pending } from '../store/sqlite/inbox.ts'
import type { World } from './world.ts'

/** A loop whose lease this process holds. */
export type Driven = {
  world: World
  epoch: number
  state: State
  /** Commands of the person at this very process; those of others come through the inbox. */
  asked: Command[]
  /** To be left at the end of this iteration: nothing new is begun. */
  finishing?: boolean
  /** Told of every event once it is durable. Must not throw. */
  tell(event: Recorded, state: State): void
}

type Flight = { step: Step; abort: AbortController; done: Promise<Event[]> }

const inboxMs = 100

/** Drives the loop until it rests, or until `leave` is aborted: then an agent run goes on by itself. */
export async function drive(loop: Driven, leave: AbortSignal): Promise<State> {
  const air: Air = { flight: null }
  try {
    return await turns(loop, leave, air)
  } finally {
    // Only where the journal could not be written: what was under way must not go on beside a next host.
    air.flight?.abort.abort()
    await air.flight?.done.catch(() => [])
  }
}

/** The step that is under way, if one is. */
type Air = { flight: Flight | null }

async function turns(loop: Driven, leave: AbortSignal, air: Air): Promise<State> {
  for (;;) {
    const { flight } = air
    // Taken before the inbox is read: what is sent after that changes it.
    const version = dataVersion(loop.world.store)
    admitPending(loop)
    const decision = decide(loop.state, loop.world.now())
    if (flight && (leave.aborted || decision.do !== 'step' || !same(decision.step, flight.step))) {
      flight.abort.abort()
      const events = await flight.done
      air.flight = null
      commit(loop, events, null)
      continue
    }
    if (leave.aborted || decision.do === 'rest') return loop.state
    if (loop.finishing && !flight && isBetween(loop.state)) return loop.state
    if (decision.do === 'record') {
      commit(loop, [decision.event], null)
      continue
    }
    if (decision.do === 'step') air.flight ??= takeOff(loop, decision.step)
    const until = decision.do === 'wait' ? decision.until : Number.POSITIVE_INFINITY
    const events: Event[] | null = await nextInput(loop, { flight: air.flight, until, leave, version })
    if (events) {
      air.flight = null
      commit(loop, events, null)
    }
  }
}

/** Appends what happened and folds it in; the one place where a loop's state changes. */
export function commit(loop: Driven, events: Event[], cause: string | null): void {
  if (events.length === 0 && cause === null) return
  loop.world.fault(`append:${loop.state.seq + 1}:before`)
  foldIn(loop, append(loop.world.store, entryOf(loop, events, cause)))
}

/**
 * Like `commit`, but refused while another loop holds the work tree: for every event after which this loop may
 * write into the tree, or have an agent write into it.
 */
export function commitAlone(loop: Driven, events: Event[], cause: string | null): Result<null> {
  loop.world.fault(`append:${loop.state.seq + 1}:before`)
  const done = appendAlone(loop.world.store, entryOf(loop, events, cause), loop.state.spec.cwd)
  if ('heldBy' in done) return busy(done.heldBy)
  foldIn(loop, done.recorded)
  return ok(null)
}

export function busy({ id, cwd }: Summary): Result<never> {
  return fail(
    'tree-busy',
    `Loop ${id} is active in ${cwd}. See it with: loop status ${id}. Take it up or end it with: loop resume ${id}, loop cancel ${id}`,
  )
}

function entryOf({ world, state, epoch }: Driven, events: Event[], cause: string | null): Entry {
  return {
    loop: state.id,
    epoch,
    after: state.seq,
    at: world.now(),
    events,
    cause,
    summarize: written => summarize(written.reduce(evolve, state)),
  }
}

function foldIn(loop: Driven, recorded: Recorded[]): void {
  for (const event of recorded) {
    loop.world.fault(`append:${event.seq}`)
    loop.state = evolve(loop.state, event)
    publish(loop, event)
  }
}

/** To whoever watches, once it is durable. */
export function publish(loop: Driven, event: Recorded): void {
  loop.tell(event, loop.state)
  loop.world.mirror(event, loop.state, event.at)
}

function admitPending(loop: Driven): void {
  for (const command of loop.asked.splice(0)) answer(loop, command, null)
  for (const { id, command } of pending(loop.world.store, loop.state.id)) answer(loop, command, id)
}

function answer(loop: Driven, command: Command | null, cause: string | null): void {
  const refuse = (why: string) =>
    commit(loop, [{ kind: 'command.refused', data: { command: command?.kind ?? 'unknown', why } }], cause)
  if (!command) return refuse('it can not be read')
  const admission = admit(loop.state, command)
  if (!admission.ok) return refuse(admission.why)
  if (!takesTree(command)) return commit(loop, admission.events, cause)
  // The loop may have come to rest since the command was sent, and its tree may be another loop's by now.
  const taken = commitAlone(loop, admission.events, cause)
  if (!taken.ok) refuse(taken.failure.message)
}

/** Commands after which a loop at rest has its work tree again. */
export function takesTree({ kind }: Command): boolean {
  return kind === 'rollback' || kind === 'resume'
}

function takeOff(loop: Driven, step: Step): Flight {
  const abort = new AbortController()
  const done = loop.world
    .perform(step, { world: loop.world, state: loop.state, signal: abort.signal })
    .then(events => {
      if (events.length > 0 || abort.signal.aborted) return events
      throw new Error(`Internal error: the step ${step.kind} ended with nothing to say`)
    })
  // A rejection while we wait for something else is taken up when `done` is awaited.
  done.catch(() => {})
  return { step, abort, done }
}

type Waiting = { flight: Flight | null; until: number; leave: AbortSignal; version: number }

/** The events of the step in flight, or null when there may be something else to decide on. */
async function nextInput(loop: Driven, waiting: Waiting): Promise<Event[] | null> {
  const { world } = loop
  const { flight, until, leave, version } = waiting
  const began = world.now()
  for (;;) {
    const bell = bellOf(loop, until)
    const events = await Promise.race(flight ? [flight.done, bell.rung] : [bell.rung])
    bell.stop()
    if (events || world.inputs) return events
    const now = world.now()
    // A clock that was set back: whether there is still something to wait for is for `decide` to say.
    if (leave.aborted || loop.asked.length > 0 || now >= until || now < began) return null
    if (dataVersion(world.store) !== version) return null
  }
}

/** Rings when it is time to look again: told by the host of many loops, or else by a clock. */
function bellOf({ world, state }: Driven, until: number): { rung: Promise<null>; stop(): void } {
  let stop = () => {}
  const rung = new Promise<null>(resolve => {
    if (world.inputs) {
      stop = world.inputs.watch(state.id, until, () => resolve(null))
      return
    }
    const timer = setTimeout(resolve, Math.min(inboxMs, Math.max(0, until - world.now())), null)
    stop = () => clearTimeout(timer)
  })
  return { rung, stop: () => stop() }
}

/** Between two iterations, where nothing of the agent runs and nothing was asked for. */
function isBetween({ work, tree, turn }: State): boolean {
  if (tree.rollback || tree.wanted !== null || turn.cancelRequested) return false
  return ['baseline', 'initial', 'boundary', 'saved'].includes(work.stage)
}

function same(a: Step, b: Step): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
