/**
 * The only way in: every command to an existing loop goes through here, from the command line, the API, MCP, a hook or
 * loop itself. The holder of the lease records it. If nobody holds the lease, this process takes it for as long as
 * needed, and also does the work of a cancel, a rollback or a checkpoint.
 *
 *   take the lease ─▶ admit ─▶ commit ─▶ (drive until it rests) ─▶ leave
 *   somebody has it ─▶ post to its inbox ─▶ its answer in the journal ─▶ (follow until it is done)
 */
import { randomUUID } from 'node:crypto'
import type { JournalKind, KindsOf } from '../core/folds.ts'
import { needsHost } from '../core/loop/summary.ts'
import type { Kinds, Machine } from '../core/machine.ts'
import type { Facts } from '../failures/all.ts'
import type { RefusalFacts } from '../failures/refusal.ts'
import { knownFacts } from '../failures/words.ts'
import type { Envelope } from '../model/envelope.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import { busy, commit, type Driven, drive } from './drive.ts'
import { answerLookMs } from './feed/lookout.ts'
import { hostJournal, leaveJournal, readJournal } from './host.ts'
import { otherKind, type Running } from './machine.ts'
import type { World } from './world.ts'

/** `silent`: no answer in time; the command still waits for its host. `gone`: that process no longer hosts the loop. */
type Posted = { answer: Recorded } | { silent: true } | { gone: true }

const answerMs = 2_000

/**
 * Posts a command to the inbox of a loop that another process hosts, and waits for the event that has the command as
 * its cause. If the host disappears, the command is withdrawn, so that no later host finds it.
 */
async function post(
  { store, feed, now }: World,
  { id, command, by }: { id: string; command: Kinds['command']; by: string },
): Promise<Result<Posted>> {
  // Only the number is read: a host must be reachable even if an old row of its journal is damaged.
  const seen = store.journals.lastSeq(id)
  const cause = randomUUID()
  let version = feed.version()
  store.inbox.send({ id: cause, loop: id, at: now(), command })
  const deadline = performance.now() + answerMs
  while (performance.now() < deadline) {
    const before = version
    version = await feed.changed(before, { everyMs: answerLookMs, withinMs: deadline - performance.now() })
    if (version === before) continue
    const events = store.journals.readAfter(id, seen)
    if (!events.ok) return events
    const answer = events.value.find(event => event.cause === cause)
    if (answer) return ok({ answer })
    // A process that only gives a command hosts a loop for an instant and reads no inbox.
    if (store.leases.hostOf(id) !== by && store.inbox.withdraw(cause)) return ok({ gone: true })
  }
  return ok({ silent: true })
}

type How = {
  /** An abort leaves the work here unfinished; an agent run continues by itself. */
  signal?: AbortSignal
  /** If another process hosts the loop: wait until `done` holds for the newly recorded events, or `ms` have passed. */
  until?: { done(events: Recorded[]): boolean; ms: number }
  /** Called after the command is admitted and before it is recorded: prepares what the next host must find. */
  prepare?(): void
}

/** The journal after the command, and the events recorded since it was given. */
type Answer<K extends Kinds> = {
  machine: Running<K>
  state: K['state']
  events: (K['event'] & Envelope)[]
}

/** `of`: refused if the journal is of another kind. */
// Four parameters: where, which loop, what, and how.
// oxlint-disable-next-line max-params
export async function ask<N extends JournalKind = JournalKind>(
  world: World,
  id: string,
  wish: KindsOf[N]['command'],
  how: How & { of?: N } = {},
): Promise<Result<Answer<KindsOf[N]>>> {
  const { of } = how
  // With a damaged row the journal can still be readable; if it is not, its own failure is reported.
  const head = of ? world.store.heads.get(id) : null
  if (of && head?.ok && head.value.kind !== of) return otherKind(id, of, head.value.kind)
  const answer: Result<Answer<Kinds>> = await inTurn(world, id, async () => {
    for (;;) {
      const taken = hostJournal(world, id, of)
      if (!taken.ok) return taken
      if ('driven' in taken.value) return askHere(taken.value.driven, wish, how)
      const there = await askThere(world, { id, wish: wish as Asked, by: taken.value.hostedBy }, how)
      // Null: the other host has released the lease.
      if (there) return there
    }
  })
  return answer as unknown as Result<Answer<KindsOf[N]>>
}

const turns = new Map<string, Promise<unknown>>()

/**
 * Leases are per host, not per call: without this queue two concurrent calls in one process would both believe that
 * they hold the loop.
 */
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

/** Commands that are work: if they were only recorded, nobody would carry them out. */
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
    // Remaining work, such as a hook, is left to the next host; that hook can be the caller.
    if (wish.kind === 'rollback' || wish.kind === 'checkpoint') loop.finishing = true
    if (work.includes(wish.kind)) await drive(loop, signal ?? new AbortController().signal)
    return ok({ machine: loop.machine, state: loop.state, events })
  } finally {
    forget()
    leaveJournal(loop)
  }
}

/** Records a command for a loop that this process hosts, or refuses it with a reason. */
export function record<K extends Kinds>(
  loop: Driven<K>,
  wish: K['command'],
  prepare = () => {},
): Result<null> {
  const { id } = loop.state
  const orphaned = needsHost(loop.machine.summarize(loop.state)) ? orphanedBy(id, wish) : null
  if (orphaned) return refused(id, wish.kind, orphaned)
  const admission = loop.machine.admit(loop.state, wish)
  if (!admission.ok) return refused(id, wish.kind, admission.because)
  prepare()
  return commit(loop, admission.events, null)
}

/** Tells whether the command would be admitted in the current state, without recording it. */
export function wouldAdmit<K extends Kinds>(
  { store }: World,
  { machine, state }: { machine: Pick<Machine<K>, 'admit' | 'summarize'>; state: K['state'] },
  wish: K['command'],
): Result<null> {
  const head = machine.summarize(state)
  const orphaned = needsHost(head) && store.leases.hostOf(state.id) === null
  const because = orphaned ? orphanedBy(state.id, wish) : null
  if (because) return refused(state.id, wish.kind, because)
  const admission = machine.admit(state, wish)
  if (!admission.ok) return refused(state.id, wish.kind, admission.because)
  const other = store.heads.holder(head.cwd, head)
  return other ? busy(other) : ok(null)
}

/** Why the command has no effect on an active loop without a host; null if it does. */
function orphanedBy(id: string, { kind: asked }: Kinds['command']): RefusalFacts | null {
  if (asked !== 'pause' && asked !== 'rollback' && asked !== 'checkpoint') return null
  return { kind: 'no-host', id, asked }
}

type Question = { id: string; wish: Asked; by: string }

/** A resume, also inside an `enqueue`, reaches another host without the fields that describe its sender. */
type Asked = Kinds['command'] & { resume?: Asked; attended?: boolean; stays?: true }

/** Asks the host of the loop; null if it no longer hosts it. */
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
  if (answer.kind === 'command.refused') return refused(id, command.value.kind, knownFacts(answer.data))
  const events = await eventsFrom(world, { id, after: answer.seq - 1 }, until)
  // The host died before it stopped the agent, so the caller stops it now.
  if (events === null && command.value.kind === 'cancel') return null
  if (events === null) return refused(id, command.value.kind, { kind: 'host-gone' })
  if (!events.ok) return events
  const journal = readJournal(world, id)
  return journal.ok ? ok({ ...journal.value, events: events.value }) : journal
}

/** The command to send to the host, for a wish that is meant for whoever takes the loop up. */
function commandFor(world: World, { id, wish, by }: Question): Result<Asked> {
  switch (wish.kind) {
    case 'claim':
    case 'release':
    case 'restart':
    case 'dequeue':
      return fail('already-driven', { kind: 'busy-just-now', id })
    case 'resume':
      return withdrawal(world, id, wish) ?? alreadyDriven(id, by)
    case 'enqueue':
      return (
        withdrawal(world, id, wish.resume ?? wish) ?? refused(id, 'resume', { kind: 'goes-on-already', id })
      )
    default:
      return ok(wish)
  }
}

/** A resume withdraws a pause that waits for the end of the iteration; null if there is none. */
function withdrawal(world: World, id: string, resume: Asked): Result<Asked> | null {
  const { attended: _, ...limits } = resume
  const summary = world.store.heads.get(id)
  return summary.ok && summary.value.pending === 'pause' ? ok({ ...limits, stays: true }) : null
}

type Since = { id: string; after: number }

const hostLookMs = 200

/** The events since the command; null if the loop lost its host before `done` held. */
async function eventsFrom(
  world: World,
  { id, after }: Since,
  until: How['until'],
): Promise<Result<Recorded[]> | null> {
  const deadline = performance.now() + (until?.ms ?? 0)
  for (;;) {
    const version = world.feed.version()
    // Read before the events: the host can finish and leave in between.
    const host = world.store.leases.hostOf(id)
    const events = world.store.journals.readAfter(id, after)
    const withinMs = deadline - performance.now()
    if (!events.ok || !until || until.done(events.value) || withinMs <= 0) return events
    if (host === null) return null
    // A host that dies writes nothing, so its lease is looked at again and again.
    await world.feed.changed(version, { everyMs: answerLookMs, withinMs: Math.min(withinMs, hostLookMs) })
  }
}

function silent(id: string, { kind }: Asked, by: string): Result<never> {
  const pid = by.split('-')[0] ?? by
  return fail('host-silent', { kind: 'host-silent', id, asked: kind, pid })
}

function alreadyDriven(id: string, by: string): Result<never> {
  return fail('already-driven', { kind: 'already-driven', id, pid: by.split('-')[0] ?? by })
}

function refused(id: string, asked: string, because: Facts): Result<never> {
  return fail('not-allowed', { kind: 'refused', id, asked, because })
}

/** Takes up a journal; without a wish, as it is. If the wish is refused, the journal is left again. */
export function takeUp<N extends JournalKind = JournalKind>(
  world: World,
  { id, of }: { id: string; of?: N },
  wish: KindsOf[N]['command'] | null,
): Result<Driven<KindsOf[N]>> {
  const hosted = hostJournal(world, id, of)
  if (!hosted.ok) return hosted
  if ('hostedBy' in hosted.value) return alreadyDriven(id, hosted.value.hostedBy)
  const { driven } = hosted.value
  const recorded = wish ? record(driven, wish) : ok(null)
  if (recorded.ok) return ok(driven)
  leaveJournal(driven)
  return recorded
}
