/**
 * The queue of one loop. Inputs are: a step finished, a command from the inbox, a timer; for each: append,
 * evolve, decide. Only this file appends to the journal of a loop that exists. Asking `decide` again after
 * anything has happened is what makes cancel work while an agent runs, and restart the same as going on.
 */
import { admit } from '../core/admit.ts'
import { decide, type Step } from '../core/decide.ts'
import { evolve } from '../core/evolve.ts'
import type { State } from '../core/state.ts'
import { summarize } from '../core/summary.ts'
import type { Command } from '../model/command.ts'
import type { Event, Recorded } from '../model/event.ts'
import { append } from '../store/append.ts'
import { dataVersion } from '../store/database.ts'
import { pending } from '../store/inbox.ts'
import type { World } from './world.ts'

/** A loop whose lease this process holds. */
export type Driven = {
  world: World
  epoch: number
  state: State
  /** Commands of the person at this very process; those of others come through the inbox. */
  asked: Command[]
  /** Told of every event once it is durable. Must not throw. */
  tell(event: Recorded, state: State): void
}

type Flight = { step: Step; abort: AbortController; done: Promise<Event[]> }

const inboxMs = 100

/** Drives the loop until it rests, or until `leave` is aborted: then an agent run goes on by itself. */
export async function drive(loop: Driven, leave: AbortSignal): Promise<State> {
  let flight: Flight | null = null
  for (;;) {
    // Taken before the inbox is read: what is sent after that changes it.
    const version = dataVersion(loop.world.store)
    admitPending(loop)
    const decision = decide(loop.state, loop.world.now())
    if (flight && (leave.aborted || decision.do !== 'step' || !same(decision.step, flight.step))) {
      flight.abort.abort()
      commit(loop, await flight.done, null)
      flight = null
      continue
    }
    if (leave.aborted || decision.do === 'rest') return loop.state
    if (decision.do === 'record') {
      commit(loop, [decision.event], null)
      continue
    }
    if (decision.do === 'step') flight ??= takeOff(loop, decision.step)
    const until = decision.do === 'wait' ? decision.until : Number.POSITIVE_INFINITY
    const events: Event[] | null = await nextInput(loop, { flight, until, leave, version })
    if (events) {
      commit(loop, events, null)
      flight = null
    }
  }
}

/** Appends what happened and folds it in; the one place where a loop's state changes. */
export function commit(loop: Driven, events: Event[], cause: string | null): void {
  const { world } = loop
  if (events.length === 0 && cause === null) return
  world.fault(`append:${loop.state.seq + 1}:before`)
  const recorded = append(world.store, {
    loop: loop.state.id,
    epoch: loop.epoch,
    after: loop.state.seq,
    at: world.now(),
    events,
    cause,
    summarize: written => summarize(written.reduce(evolve, loop.state)),
  })
  for (const event of recorded) {
    world.fault(`append:${event.seq}`)
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
  for (const command of loop.asked.splice(0)) commit(loop, answer(loop.state, command), null)
  for (const { id, command } of pending(loop.world.store, loop.state.id)) {
    commit(loop, answer(loop.state, command), id)
  }
}

function answer(state: State, command: Command | null): Event[] {
  if (!command) return [{ kind: 'command.refused', data: { command: 'unknown', why: 'it can not be read' } }]
  const admission = admit(state, command)
  if (admission.ok) return admission.events
  return [{ kind: 'command.refused', data: { command: command.kind, why: admission.why } }]
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
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const tick = new Promise<null>(resolve => {
      timer = setTimeout(resolve, Math.min(inboxMs, Math.max(0, until - world.now())), null)
    })
    const events = await Promise.race(flight ? [flight.done, tick] : [tick])
    clearTimeout(timer)
    if (events) return events
    if (leave.aborted || loop.asked.length > 0 || world.now() >= until) return null
    if (dataVersion(world.store) !== version) return null
  }
}

function same(a: Step, b: Step): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
