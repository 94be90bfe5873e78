/**
 * `loop checkpoint`: saves the work tree as it is now under a name of the person's own, also while the agent
 * is at work. Says "saved" only once it is.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { admit } from '../../core/loop/admit.ts'
import { isActive, summarize } from '../../core/loop/summary.ts'
import { refused, tellHost } from '../../engine/ask.ts'
import { commit, type Driven, drive } from '../../engine/drive.ts'
import { hostLoop, leaveLoop, type Question } from '../../engine/host.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Command } from '../../model/loop/command.ts'
import type { Event } from '../../model/loop/event.ts'
import { formatDuration } from '../../model/units.ts'
import { jsonText, safeLine, spelledOut } from '../../views/text/plain-text.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { findLoop } from '../find-loop.ts'
import { out } from '../terminal.ts'

/** While the promise runs a checkpoint waits its turn. */
const takenMs = 60_000

const checkpoint: CommandRun = input => withWorld(input.env, world => checkpointIn(world, input))

async function checkpointIn(world: World, input: Input): Promise<Result<number>> {
  const [loop = '', name = null, ...more] = input.positionals
  if (more.length > 0) return fail('invalid-arguments', 'Give one name: loop checkpoint <id> <name>')
  const found = findLoop(world.store, { ...input, positionals: [loop] })
  if (!found.ok) return found
  const { id } = found.value
  const told: Event[] = []
  const hosted = hostLoop(world, id, event => told.push(event))
  if (!hosted.ok) return hosted
  const command: Command = { kind: 'checkpoint', name }
  const events =
    'driven' in hosted.value
      ? await takeHere(hosted.value.driven, command, told)
      : await takeThere(world, { id, command, by: hosted.value.hostedBy })
  if (!events.ok) return events
  return events.value ? report(id, events.value, input) : checkpointIn(world, input)
}

async function takeHere(loop: Driven, command: Command, told: Event[]): Promise<Result<Event[]>> {
  const { id } = loop.state
  try {
    if (isActive(summarize(loop.state).status) && !loop.state.spec.session) {
      return refused(
        id,
        command.kind,
        `no process hosts it any more, and it is not at rest; take it up first: loop resume ${id}`,
      )
    }
    const admission = admit(loop.state, command)
    if (!admission.ok) return refused(id, command.kind, admission.why)
    commit(loop, admission.events, null)
    await drive(loop, new AbortController().signal)
    return ok(told)
  } finally {
    leaveLoop(loop)
  }
}

/** Null when it is hosted there no more. */
async function takeThere(world: World, question: Question): Promise<Result<Event[] | null>> {
  const asked = await tellHost(world, question)
  if (!asked.ok || !asked.value) return asked as Result<null>
  const { seq } = asked.value
  const deadline = performance.now() + takenMs
  while (performance.now() < deadline) {
    const events = world.store.journals.readAfter(question.id, seq - 1)
    if (!events.ok) return events
    if (saved(events.value)) return ok(events.value)
    await delay(50)
  }
  return fail(
    'host-silent',
    `Loop ${question.id} will take the checkpoint when the promise has run. See it with: loop history ${question.id}`,
  )
}

/** The event that says what became of it. */
function saved(events: Event[]) {
  const name = events.find(event => event.kind === 'checkpoint.requested')?.data.name
  return events.find(
    event =>
      (event.kind === 'checkpoint.taken' || event.kind === 'checkpoint.failed') && event.data.name === name,
  )
}

function report(id: string, events: Event[], input: Input): Result<number> {
  const end = saved(events)
  if (end?.kind === 'checkpoint.failed') {
    return fail('step-failed', `Loop ${id} has no checkpoint ${end.data.name}: ${safeLine(end.data.why)}`)
  }
  if (end?.kind !== 'checkpoint.taken')
    throw new Error('Internal error: a checkpoint ended with nothing to say')
  const { name, durationMs, skipped } = end.data
  const missing = skipped.length > 0 ? ` Not saved: ${spelledOut(skipped.join(', '))}.` : ''
  if (input.given('json')) out(jsonText({ id, name, skipped }))
  else {
    out(
      `Loop ${id}: checkpoint ${name} saved (${formatDuration(durationMs)}).${missing} Bring it back with: loop rollback ${id} ${name}`,
    )
  }
  return ok(0)
}

export default checkpoint
