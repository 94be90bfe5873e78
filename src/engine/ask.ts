/**
 * Asking something of a loop that exists, whoever hosts it: its host through the inbox, or, where nobody does,
 * this process for the moment it takes to record it.
 */
import { admit } from '../core/loop/admit.ts'
import { fold } from '../core/loop/evolve.ts'
import type { State } from '../core/loop/state.ts'
import { needsHost, summarize } from '../core/loop/summary.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Command } from '../model/loop/command.ts'
import type { Event, Recorded } from '../model/loop/event.ts'
import { read } from '../store/sqlite/journal.ts'
import { hostFinder } from '../store/sqlite/lease.ts'
import { summaryOf } from '../store/sqlite/summary.ts'
import { commit, commitAlone, type Driven, drive, takesTree } from './drive.ts'
import { hostLoop, keepEnvironment, leaveLoop, type Question, sendCommand } from './host.ts'
import type { World } from './world.ts'

/** The state after the command was admitted; nothing is driven. */
export function ask(world: World, id: string, command: Command): Promise<Result<State>> {
  return inTurn(world, id, () => asked(world, id, command))
}

const turns = new Map<string, Promise<unknown>>()

/** A lease is that of a host, so of two commands at once each would take itself for who drives the loop. */
async function inTurn<T>({ host }: World, id: string, work: () => Promise<T>): Promise<T> {
  const whose = `${host.id}/${id}`
  const before = turns.get(whose)
  const own = (before?.catch(() => null) ?? Promise.resolve()).then(work)
  turns.set(whose, own)
  try {
    return await own
  } finally {
    if (turns.get(whose) === own) turns.delete(whose)
  }
}

async function asked(world: World, id: string, command: Command): Promise<Result<State>> {
  const hosted = hostLoop(world, id, () => {})
  if (!hosted.ok) return hosted
  if ('hostedBy' in hosted.value) return askHost(world, { id, command, by: hosted.value.hostedBy }, asked)
  const loop = hosted.value.driven
  try {
    if (command.kind === 'pause' && isDriven(loop.state)) return unhosted(id)
    const admission = admit(loop.state, command)
    if (!admission.ok) return refused(id, command.kind, admission.why)
    commit(loop, admission.events, null)
    return ok(loop.state)
  } finally {
    leaveLoop(loop)
  }
}

/** One that is queued is nobody's yet, and can be paused all the same. */
function isDriven(state: State): boolean {
  return needsHost(summarize(state))
}

/**
 * Asks, and where nobody hosts the loop does what was asked for: a cancel, a rollback, a checkpoint of a loop at
 * rest. A loop that is resumed goes back into the queue of the background.
 */
export function askAndDo(world: World, id: string, command: Command): Promise<Result<State>> {
  return inTurn(world, id, async () => {
    if (command.kind === 'resume')
      return (await withdrawPause(world, id, command)) ?? queuedAgain(world, id, { command, env: null })
    const isStep = ['cancel', 'rollback', 'checkpoint'].includes(command.kind)
    return isStep ? askedAndDone(world, id, command) : asked(world, id, command)
  })
}

async function askedAndDone(world: World, id: string, command: Command): Promise<Result<State>> {
  const hosted = hostLoop(world, id, () => {})
  if (!hosted.ok) return hosted
  if ('hostedBy' in hosted.value)
    return askHost(world, { id, command, by: hosted.value.hostedBy }, askedAndDone)
  const loop = hosted.value.driven
  try {
    return await doHere(loop, command)
  } finally {
    leaveLoop(loop)
  }
}

/** Records what is asked of a loop that this process hosts, and does it. Whoever asks comes through here. */
export async function doHere(loop: Driven, command: Command): Promise<Result<State>> {
  const events = admitted(loop.state, command)
  if (!events.ok) return events
  if (takesTree(command)) {
    const taken = commitAlone(loop, events.value, null)
    if (!taken.ok) return taken
  } else commit(loop, events.value, null)
  return ok(await drive(loop, new AbortController().signal))
}

/** The events a command comes to in a loop that nobody else hosts; or why it is refused. */
export function admitted(state: State, command: Command): Result<Event[]> {
  const { id } = state
  if (command.kind !== 'cancel' && isDriven(state)) {
    const way =
      command.kind === 'rollback' ? `end it first: loop cancel ${id}` : `take it up first: loop resume ${id}`
    return refused(id, command.kind, `no process hosts it any more, and it is not at rest; ${way}`)
  }
  const admission = admit(state, command)
  return admission.ok ? ok(admission.events) : refused(id, command.kind, admission.why)
}

type Resume = Extract<Command, { kind: 'resume' }>
type Again = { command: Resume; env: NodeJS.ProcessEnv | null }

/** Takes back a pause that waits for the end of the iteration, of whoever hosts the loop; null where there is none. */
export async function withdrawPause(
  world: World,
  id: string,
  command: Resume,
): Promise<Result<State> | null> {
  const summary = summaryOf(world.store, id)
  const by = hostFinder(world.store)(id)
  if (!summary.ok || summary.value.pending !== 'pause' || by === null) return null
  const { attended: _, ...limits } = command
  return askHost(world, { id, command: { ...limits, stays: true }, by }, async () => null)
}

/** Resumes a loop that nobody hosts, as one of the background; with `env` in that environment from now on. */
export function queueAgain(world: World, id: string, again: Again): Promise<Result<State>> {
  return inTurn(world, id, () => queuedAgain(world, id, again))
}

async function queuedAgain(world: World, id: string, { command, env }: Again): Promise<Result<State>> {
  const hosted = hostLoop(world, id, () => {})
  if (!hosted.ok) return hosted
  if ('hostedBy' in hosted.value) return refused(id, 'resume', 'it is running already')
  const loop = hosted.value.driven
  try {
    const { outcome, hold, queuedAt, background } = loop.state.turn
    if (queuedAt !== null && !outcome && !hold) return refused(id, 'resume', 'it is queued already')
    const admission = admit(loop.state, { ...command, attended: false })
    if (!admission.ok) return refused(id, 'resume', admission.why)
    const queued: Event = { kind: 'loop.queued', data: { priority: background ?? 'normal' } }
    if (env) keepEnvironment(world.store.paths, id, env)
    commit(loop, [...admission.events, queued], null)
    return ok(loop.state)
  } finally {
    leaveLoop(loop)
  }
}

/** Nobody drives it, so nobody would come to the end of the iteration. */
function unhosted(id: string): Result<never> {
  return refused(
    id,
    'pause',
    `no process hosts it any more. Go on with: loop resume ${id}; end it with: loop cancel ${id}`,
  )
}

/** The state after it; `again` where the host hosts the loop no more. */
async function askHost<T extends Result<State> | null>(
  world: World,
  question: Question,
  again: (world: World, id: string, command: Command) => Promise<T>,
): Promise<T | Result<State>> {
  const told = await tellHost(world, question)
  if (!told.ok) return told
  if (!told.value) return again(world, question.id, question.command)
  const journal = read(world.store, question.id)
  return journal.ok ? ok(fold(journal.value)) : journal
}

/** The command is recorded by the host, or refused by it, or it does not answer; null when it hosts no more. */
export async function tellHost(world: World, question: Question): Promise<Result<Recorded | null>> {
  const { id, command, by } = question
  const answer = await sendCommand(world, question)
  if (!answer.ok) return answer
  if ('silent' in answer.value) {
    const pid = by.split('-')[0]
    return fail(
      'host-silent',
      `Loop ${id} was asked to ${command.kind}, but process ${pid}, which hosts it, does not answer; the request waits for it. If it hangs: kill -9 ${pid}, then: loop cancel ${id}`,
    )
  }
  if ('gone' in answer.value) return ok(null)
  const event = answer.value.answered
  return event.kind === 'command.refused' ? refused(id, command.kind, event.data.why) : ok(event)
}

export function refused(id: string, kind: Command['kind'], why: string): Result<never> {
  const done = {
    pause: 'paused',
    resume: 'resumed',
    cancel: 'cancelled',
    inject: 'told anything',
    report: 'reported on',
    answer: 'answered',
    checkpoint: 'checkpointed',
    rollback: 'rolled back',
  }[kind]
  return fail('not-allowed', `Loop ${id} can not be ${done}: ${why}.`)
}
