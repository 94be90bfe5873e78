/**
 * The one way in: whatever is asked of a loop that exists, by a command, the API, MCP, a hook or loop itself, comes
 * through here. Whoever holds the lease records it; where nobody does, this process takes the lease for as long as
 * it needs, and does what was asked for where that is work (a cancel, a rollback, a checkpoint).
 *
 *   take the lease ─▶ admit ─▶ commit ─▶ (drive until it rests) ─▶ leave
 *   somebody has it ─▶ post to its inbox ─▶ its answer in the journal ─▶ (follow until it is done)
 */
import { type LoopKinds, loopMachine, type Wish } from '../core/loop/machine.ts'
import type { State } from '../core/loop/state.ts'
import { needsHost, summarize } from '../core/loop/summary.ts'
import type { Kinds } from '../core/machine.ts'
import type { Envelope } from '../model/envelope.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import { busy, commit, type Driven, drive } from './drive.ts'
import { answerLookMs } from './feed/lookout.ts'
import { hostJournal, leaveJournal, noLoop, readJournal } from './host.ts'
import type { Running } from './machine.ts'
import { post } from './post.ts'
import type { World } from './world.ts'

export type How = {
  /** What is done here is left unfinished when this is aborted; an agent run goes on by itself. */
  signal?: AbortSignal
  /** Where somebody else hosts the loop: waits until this is so of what was recorded since, or time is up. */
  until?: { done(events: Recorded[]): boolean; ms: number }
  /** Done once it is admitted and before it is recorded: what the next host must find. */
  prepare?(): void
}

/** The journal after it, and what was recorded since it was asked. */
type Answer<K extends Kinds> = {
  machine: Running<K>
  state: K['state']
  events: (K['event'] & Envelope)[]
}

/** For whoever means a loop; a journal of another kind is not asked. */
// The one way in is these four: where, which loop, what, and how.
// oxlint-disable-next-line max-params
export async function ask(
  world: World,
  id: string,
  wish: Wish,
  how: How = {},
): Promise<Result<Answer<LoopKinds>>> {
  // Where the row is damaged the journal may still be read, and else says so.
  const head = world.store.heads.get(id)
  if (head.ok && head.value.kind !== 'loop') return noLoop(id, head.value.kind)
  const answer = await askJournal(world, id, wish, how)
  if (!answer.ok) return answer
  return isOfLoop(answer.value) ? ok(answer.value) : noLoop(id, answer.value.machine.kind)
}

function isOfLoop(answer: Answer<Kinds>): answer is Answer<LoopKinds> {
  return answer.machine.kind === 'loop'
}

/** Whatever kind of journal it is. */
// oxlint-disable-next-line max-params
export function askJournal(
  world: World,
  id: string,
  wish: Kinds['command'],
  how: How = {},
): Promise<Result<Answer<Kinds>>> {
  return inTurn(world, id, async () => {
    for (;;) {
      const taken = hostJournal(world, id)
      if (!taken.ok) return taken
      if ('driven' in taken.value) return askHere(taken.value.driven, wish, how)
      const answer = await askThere(world, { id, wish, by: taken.value.hostedBy }, how)
      // Null: whoever had it has let go of it.
      if (answer) return answer
    }
  })
}

const turns = new Map<string, Promise<unknown>>()

/** Leases are per host, not per call: without this two calls at once would both believe that they hold the loop. */
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

/** Recorded alone they would be a promise that nobody keeps. */
const work: Kinds['command']['kind'][] = ['cancel', 'rollback', 'checkpoint', 'claim', 'pick']

async function askHere(
  loop: Driven<Kinds>,
  wish: Kinds['command'],
  { signal, prepare }: How,
): Promise<Result<Answer<Kinds>>> {
  const events: Answer<Kinds>['events'] = []
  const forget = loop.world.feed.subscribe(loop.state.id, ({ event }) => events.push(event))
  try {
    const recorded = record(loop, wish, prepare)
    if (!recorded.ok) return recorded
    // What else is left to do, such as a hook, is for whoever takes the journal up; and that hook may be asking.
    if (wish.kind === 'rollback' || wish.kind === 'checkpoint') loop.finishing = true
    if (work.includes(wish.kind)) await drive(loop, signal ?? new AbortController().signal)
    return ok({ machine: loop.machine, state: loop.state, events })
  } finally {
    forget()
    leaveJournal(loop)
  }
}

/** Records what is asked of a loop that this process hosts; or says why not. */
export function record<K extends Kinds>(
  loop: Driven<K>,
  wish: K['command'],
  prepare = () => {},
): Result<null> {
  const { id } = loop.state
  const orphaned = needsHost(loop.machine.summarize(loop.state)) ? orphanedWords(id, wish) : null
  if (orphaned) return refused(id, wish.kind, orphaned)
  const admission = loop.machine.admit(loop.state, wish)
  if (!admission.ok) return refused(id, wish.kind, admission.why)
  prepare()
  return commit(loop, admission.events, null)
}

/** Whether the command would be recorded as things are, for a look only. */
export function wouldAdmit(world: World, state: State, wish: Wish): Result<null> {
  const orphaned = needsHost(summarize(state)) && world.store.leases.hostOf(state.id) === null
  const why = orphaned ? orphanedWords(state.id, wish) : null
  if (why) return refused(state.id, wish.kind, why)
  const admission = loopMachine.admit(state, wish)
  if (!admission.ok) return refused(state.id, wish.kind, admission.why)
  const other = world.store.heads.holder(state.spec.cwd, summarize(state))
  return other ? busy(other) : ok(null)
}

/** Why nothing can come of it in a loop that is not at rest and that nobody drives; null where something can. */
function orphanedWords(id: string, { kind }: Kinds['command']): string | null {
  if (kind === 'pause')
    return `no process hosts it any more. Go on with: loop resume ${id}; end it with: loop cancel ${id}`
  if (kind !== 'rollback' && kind !== 'checkpoint') return null
  const way = kind === 'rollback' ? `end it first: loop cancel ${id}` : `take it up first: loop resume ${id}`
  return `no process hosts it any more, and it is not at rest; ${way}`
}

type Question = { id: string; wish: Asked; by: string }

/** A resume, or the one inside an `enqueue`, goes to a host without who asks for it. */
type Asked = Kinds['command'] & { resume?: Asked; attended?: boolean; stays?: true }

/** Null when it is hosted there no more. */
async function askThere(
  world: World,
  question: Question,
  { until }: How,
): Promise<Result<Answer<Kinds>> | null> {
  const { id, by } = question
  const command = commandFor(world, question)
  if (!command.ok) return command
  const posted = await post(world, { id, command: command.value, by })
  if (!posted.ok) return posted
  if ('gone' in posted.value) return null
  if ('silent' in posted.value) return silent(id, command.value, by)
  const { answer } = posted.value
  if (answer.kind === 'command.refused') return refused(id, command.value.kind, answer.data.why)
  const events = await eventsFrom(world, { id, after: answer.seq - 1 }, until)
  // It died before it had done it: whoever asked to have the agent stopped does that now.
  if (events === null && command.value.kind === 'cancel') return null
  if (events === null) return refused(id, command.value.kind, 'the process that hosted it is gone')
  if (!events.ok) return events
  const journal = readJournal(world, id)
  return journal.ok ? ok({ ...journal.value, events: events.value }) : journal
}

/** What its host can be asked, for a wish that is for whoever takes the loop up. */
function commandFor(world: World, { id, wish, by }: Question): Result<Asked> {
  switch (wish.kind) {
    case 'claim':
    case 'release':
    case 'restart':
    case 'dequeue':
      return fail('already-driven', `another process is at loop ${id} just now`)
    case 'resume':
      return withdrawal(world, id, wish) ?? alreadyDriven(id, by)
    case 'enqueue':
      return withdrawal(world, id, wish.resume ?? wish) ?? refused(id, 'resume', runsAlready(id))
    default:
      return ok(wish)
  }
}

/** A resume takes back a pause that waits for the end of the iteration; null where there is none. */
function withdrawal(world: World, id: string, resume: Asked): Result<Asked> | null {
  const { attended: _, ...limits } = resume
  const summary = world.store.heads.get(id)
  return summary.ok && summary.value.pending === 'pause' ? ok({ ...limits, stays: true }) : null
}

type Since = { id: string; after: number }

const hostLookMs = 200

/** Null when nobody hosts it any more and it is not done. */
async function eventsFrom(
  world: World,
  { id, after }: Since,
  until: How['until'],
): Promise<Result<Recorded[]> | null> {
  const deadline = performance.now() + (until?.ms ?? 0)
  for (;;) {
    const version = world.feed.version()
    // Before the events: its host may come to the end of it, and leave.
    const host = world.store.leases.hostOf(id)
    const events = world.store.journals.readAfter(id, after)
    const withinMs = deadline - performance.now()
    if (!events.ok || !until || until.done(events.value) || withinMs <= 0) return events
    if (host === null) return null
    // A host that dies writes nothing.
    await world.feed.changed(version, { everyMs: answerLookMs, withinMs: Math.min(withinMs, hostLookMs) })
  }
}

function silent(id: string, { kind }: Asked, by: string): Result<never> {
  const pid = by.split('-')[0]
  return fail(
    'host-silent',
    `Loop ${id} was asked to ${kind}, but process ${pid}, which hosts it, does not answer; the request waits for it. If it hangs: kill -9 ${pid}, then: loop cancel ${id}`,
  )
}

function runsAlready(id: string): string {
  return `it goes on already; to change how, let it rest first: loop pause ${id}`
}

export function alreadyDriven(id: string, by: string): Result<never> {
  return fail(
    'already-driven',
    `Loop ${id} is already driven by process ${by.split('-')[0]}. Watch it with: loop logs ${id} -f. Let it rest with: loop pause ${id}. Stop it with: loop cancel ${id}`,
  )
}

const done: Record<Wish['kind'], string> & Record<string, string> = {
  pause: 'paused',
  resume: 'resumed',
  enqueue: 'resumed',
  restart: 'started again',
  dequeue: 'begun',
  claim: 'judged',
  release: 'let go of',
  cancel: 'cancelled',
  inject: 'told anything',
  report: 'reported on',
  answer: 'answered',
  checkpoint: 'checkpointed',
  rollback: 'rolled back',
}

function refused(id: string, kind: string, why: string): Result<never> {
  return fail('not-allowed', `Loop ${id} cannot be ${done[kind] ?? `asked to ${kind}`}: ${why}.`)
}
