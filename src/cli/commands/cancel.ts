/**
 * `loop cancel`: asks the host of the loop, or does it itself when nobody hosts it. Says "cancelled" only
 * once the journal does, and that is after nothing of the agent is alive. Where the journal cannot be written
 * or read it still stops the agent, and says that this could not be recorded.
 */
import { here } from '../../adapters/process/proc.ts'
import { fold } from '../../core/loop/evolve.ts'
import type { State } from '../../core/loop/state.ts'
import { isActive, summarize } from '../../core/loop/summary.ts'
import { ask } from '../../engine/ask.ts'
import { changesSinceBegin } from '../../engine/changes.ts'
import { stopWithoutJournal } from '../../engine/emergency.ts'
import { savedTree } from '../../engine/garbage/discarded.ts'
import type { World } from '../../engine/world.ts'
import { type Failure, fail, ok, type Reason, type Result } from '../../model/failure.ts'
import type { Event } from '../../model/loop/event.ts'
import { isStoreError, unusable } from '../../store/failures.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStore, openStoreToRead } from '../../store/sqlite/open.ts'
import { redactAll, secretsIn } from '../../views/secrets/redact.ts'
import { jsonText, safeLine } from '../../views/text/plain-text.ts'
import { receipt } from '../../views/text/receipt.ts'
import { hookLines } from '../../views/words/hook.ts'
import { reasonWords } from '../../views/words/message.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { loopJson } from '../print-state.ts'
import { forgetUnrecorded, ofSession } from '../session/here.ts'
import { out } from '../terminal.ts'
import { bySession } from '../who/asked-by.ts'
import { rollbackTo } from './rollback.ts'

/** Longer than grace, KILL and the wait for what refuses to die. */
const endMs = 30_000

/** The store is there and cannot be used: an agent must be stopped all the same. */
const unrecordable: Reason[] = ['store-damaged', 'store-unavailable']

const cancel: CommandRun = async typed => {
  if (typed.given('session') && forgetUnrecorded(typed)) return ok(0)
  const meant = typed.given('session') ? ofSession(typed) : ok(typed)
  if (!meant.ok) return meant
  const input = meant.value
  if (input.given('rollback') && input.given('keep')) {
    return fail('invalid-arguments', '--rollback and --keep exclude each other.')
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
  const asked = await ask(world, id, { kind: 'cancel', ...bySession(input.env) }, { until })
  if (!asked.ok) return input.given('rollback') ? withWayBack(world, id, asked.failure) : asked
  if (asked.value.events.some(({ kind }) => kind === 'hook.cancelled'))
    return hookStopped(asked.value.state, input, world)
  const reported = await report(asked.value.state, input, world)
  if (!reported.ok || !input.given('rollback')) return reported
  return rollbackTo(world, id, {
    target: 'initial',
    input: { ...input, given: name => name === 'json' && input.given(name) },
    about: after => loopJson(after, world),
  })
}

/** The loop had ended; what ran after its end was to stop. */
function hookStopped(state: State, input: Input, world: World): Result<number> {
  if (input.given('json')) out(jsonText(loopJson(state, world)))
  else {
    const words = [`The hook of loop ${state.id} is stopped; the loop stays ${summarize(state).status}.`]
    out(redactAll([...words, ...hookLines(summarize(state))].map(safeLine), secretsIn(input.env)).join('\n'))
  }
  return ok(0)
}

/** It has come to rest, whether it is cancelled or cannot be. */
function hasStopped({ kind }: Event): boolean {
  return ['loop.cancelled', 'loop.held', 'rollback.failed', 'hook.ended'].includes(kind)
}

/** A loop that has ended is not cancelled, but its files can still be brought back. */
function withWayBack({ store }: World, id: string, { reason, message }: Failure): Result<never> {
  const journal = store.journals.read(id)
  if (reason !== 'not-allowed' || !journal.ok) return fail(reason, message)
  const saved = savedTree(store.paths, fold(journal.value), { name: 'initial' })
  if (!saved.ok) return fail(reason, `${message} Its files cannot be brought back: ${saved.failure.message}`)
  return fail(reason, message.replace(/\.$/, `. To bring back the files: loop rollback ${id} initial.`))
}

async function report(state: State, input: Input, world: World): Promise<Result<number>> {
  const summary = summarize(state)
  const cancelled = state.turn.outcome?.kind === 'cancelled'
  const now = world.now()
  const secrets = secretsIn(input.env)
  // A rollback says itself what it brings back.
  const changed = input.given('rollback') ? null : await changesSinceBegin(world, state)
  // With --rollback the one document is printed when that is done.
  if (input.given('json') && !input.given('rollback'))
    out(jsonText({ ...loopJson(state, world), changes: changed?.changes ?? null }))
  else if (cancelled && !input.given('json')) out(redactAll(receipt(state, now, changed), secrets).join('\n'))
  if (cancelled) return ok(0)
  const why = reasonWords(summary, now) || 'it is still stopping'
  return fail('survivors', `Loop ${state.id} is not cancelled yet: ${why}.`)
}

/** The journal is out of reach: the agent is stopped all the same, and the tree is free where that can be said. */
async function stopUnrecorded(input: Input, { reason, message }: Failure): Promise<Result<number>> {
  const paths = pathsFrom(input.env)
  const reading = openStoreToRead(paths)
  if (!reading.ok || !reading.value) return fail(reason, message)
  const found = loopToActOn(reading.value, input)
  if (!found.ok) return found
  const host = reading.value.leases.hostOf(found.value.id)
  if (host && isActive(found.value.status)) {
    return fail(
      reason,
      `Loop ${found.value.id} is driven by process ${host.split('-')[0]}. End that first. ${message}`,
    )
  }
  const alive = await stopWithoutJournal(paths, found.value, here())
  if (alive.length > 0) {
    return fail(
      'survivors',
      `${message} Its agent cannot be killed: ${alive.map(({ pid }) => pid).join(', ')}.`,
    )
  }
  if (reason === 'store-damaged') {
    const writing = openStore(paths)
    if (writing.ok) writing.value.heads.markDamaged(found.value)
  }
  return fail(
    reason,
    `Nothing of the agent of loop ${found.value.id} is alive, but that cannot be recorded. ${message}`,
  )
}

export default cancel
