/**
 * `loop cancel`: asks the host of the loop, or cancels it itself if nobody hosts it. It says "cancelled" only once
 * the journal does, which is after all processes of the agent have ended. If the journal cannot be written or read,
 * it still stops the agent, and says that this could not be recorded.
 */

import { fold } from '../../core/loop/evolve.ts'
import type { State } from '../../core/loop/state.ts'
import { isActive, summarize } from '../../core/loop/summary.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { ask } from '../../engine/ask.ts'
import { changesSinceBegin } from '../../engine/changes.ts'
import { stopWithoutJournal } from '../../engine/emergency.ts'
import { savedTree } from '../../engine/garbage/discarded.ts'
import type { World } from '../../engine/world.ts'
import { type Failure, fail, ok, type Reason, type Result } from '../../model/failure.ts'
import type { Event } from '../../model/loop/event.ts'
import { platform } from '../../platform/platform.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import { isStoreError, unusable } from '../../store/failures.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStore, openStoreToRead } from '../../store/sqlite/open.ts'
import { receipt } from '../../views/text/receipt.ts'
import { hookLines } from '../../views/words/hook.ts'
import { reasonWords } from '../../views/words/message.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { stateDocument } from '../print-state.ts'
import { forgetUnrecorded, ofSession } from '../session/here.ts'
import { out, outDocument, outLines } from '../terminal.ts'
import { bySession } from '../who/asked-by.ts'
import { rollbackTo } from './rollback.ts'

/** Longer than the grace period, KILL, and the wait for processes that do not die. */
const endMs = 30_000

/** The store exists but cannot be used: an agent must be stopped all the same. */
const unrecordable: Reason[] = ['store-damaged', 'store-unavailable']

const cancel: CommandRun = async typed => {
  if (typed.given('session') && forgetUnrecorded(typed)) return ok(0)
  const meant = typed.given('session') ? ofSession(typed) : ok(typed)
  if (!meant.ok) return meant
  const input = meant.value
  if (input.given('rollback') && input.given('keep')) {
    return fail('invalid-arguments', { kind: 'exclusive', one: 'rollback', other: 'keep' })
  }
  try {
    const cancelled = await withWorld(input.env, world => cancelIn(world, input))
    if (cancelled.ok || !unrecordable.includes(cancelled.failure.reason)) return cancelled
    return await stopUnrecorded(input, cancelled.failure)
  } catch (error) {
    if (!isStoreError(error) && !(error as NodeJS.ErrnoException).syscall) throw error
    return stopUnrecorded(input, unusable(pathsFrom(input.env), error).failure)
  }
}

async function cancelIn(world: World, input: Input): Promise<Result<number>> {
  const found = loopToActOn(world.store, input)
  if (!found.ok) return found
  if (found.value.kind === 'group') {
    const { cancelGroup } = await import('../group/act.ts')
    return cancelGroup(world, found.value, input)
  }
  const { id } = found.value
  const until = { done: (events: Event[]) => events.some(hasStopped), ms: endMs }
  const asked = await ask(world, id, { kind: 'cancel', ...bySession(input.env) }, { of: 'loop', until })
  if (!asked.ok) return input.given('rollback') ? withWayBack(world, id, asked.failure) : asked
  if (asked.value.events.some(({ kind }) => kind === 'hook.cancelled'))
    return hookStopped(asked.value.state, input, world)
  const reported = await report(asked.value.state, input, world)
  if (!reported.ok || !input.given('rollback')) return reported
  return rollbackTo(world, id, {
    target: 'initial',
    input: { ...input, given: name => name === 'json' && input.given(name) },
    about: after => stateDocument(after, world),
  })
}

/** The loop had already ended; its hook was to be stopped. */
function hookStopped(state: State, input: Input, world: World): Result<number> {
  if (input.given('json')) outDocument<'loop'>(stateDocument(state, world))
  else {
    const words = [`The hook of loop ${state.id} is stopped; the loop stays ${summarize(state).status}.`]
    out(redactAll([...words, ...hookLines(summarize(state))].map(safeLine), secretsIn(input.env)).join('\n'))
  }
  return ok(0)
}

/** The loop has come to rest, cancelled or not. */
function hasStopped({ kind }: Event): boolean {
  return ['loop.cancelled', 'loop.held', 'rollback.failed', 'hook.ended'].includes(kind)
}

/** An ended loop cannot be cancelled, but its files can still be restored. */
function withWayBack({ store }: World, id: string, { reason, facts: because }: Failure): Result<never> {
  const journal = store.journals.read(id)
  if (reason !== 'not-allowed' || !journal.ok) return fail(reason, because)
  const saved = savedTree(store.paths, fold(journal.value), { name: 'initial' })
  if (!saved.ok) return fail(reason, { kind: 'files-lost', because, why: saved.failure.facts })
  return fail(reason, { kind: 'way-back', because, id })
}

async function report(state: State, input: Input, world: World): Promise<Result<number>> {
  const summary = summarize(state)
  const cancelled = state.turn.outcome?.kind === 'cancelled'
  const now = world.now()
  const secrets = secretsIn(input.env)
  // A rollback reports its own changes.
  const changed = input.given('rollback') ? null : await changesSinceBegin(world, state)
  // With --rollback the one document is printed after the rollback.
  if (input.given('json') && !input.given('rollback'))
    outDocument<'loop'>({ ...stateDocument(state, world), changes: changed?.changes ?? null })
  else if (cancelled && !input.given('json')) outLines(redactAll(receipt(state, now, changed), secrets))
  if (cancelled) return ok(0)
  const why = reasonWords(summary, now) || 'it is still stopping'
  return fail('survivors', { kind: 'not-cancelled', id: state.id, why })
}

/** The journal is out of reach: the agent is stopped anyway, and the message says whether the tree is free. */
async function stopUnrecorded(input: Input, { reason, facts: because }: Failure): Promise<Result<number>> {
  const paths = pathsFrom(input.env)
  const reading = openStoreToRead(paths)
  if (!reading.ok || !reading.value) return fail(reason, because)
  const found = loopToActOn(reading.value, input)
  if (!found.ok) return found
  const host = reading.value.leases.hostOf(found.value.id)
  if (host && isActive(found.value.status)) {
    const pid = host.split('-')[0] ?? host
    return fail(reason, { kind: 'driven-elsewhere', id: found.value.id, pid, because })
  }
  const alive = await stopWithoutJournal(paths, found.value, platform.processes.here())
  if (alive.length > 0) {
    return fail('survivors', { kind: 'agent-unkillable', because, pids: alive.map(({ pid }) => pid) })
  }
  if (reason === 'store-damaged') {
    const writing = openStore(paths)
    if (writing.ok) writing.value.heads.markDamaged(found.value)
  }
  return fail(reason, { kind: 'stopped-unrecorded', id: found.value.id, because })
}

export default cancel
