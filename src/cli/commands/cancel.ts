/**
 * `loop cancel`: asks the host of the loop, or cancels it itself if nobody hosts it. It says "cancelled" only once
 * the journal does, which is after all processes of the agent have ended. If the journal cannot be written or read,
 * it still stops the agent, and says that this could not be recorded.
 */

import { type JournalKind, type KindsOf, meantKind } from '../../core/folds.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import { fold } from '../../core/loop/evolve.ts'
import { isActive, isOpen } from '../../core/loop/summary.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { ask } from '../../engine/ask.ts'
import { changesSinceBegin } from '../../engine/changes.ts'
import { stopWithoutJournal } from '../../engine/emergency.ts'
import { savedTree } from '../../engine/garbage/discarded.ts'
import { shownWhole } from '../../engine/shown/detail.ts'
import type { World } from '../../engine/world.ts'
import type { Facts } from '../../failures/all.ts'
import { type Failure, fail, invalid, ok, type Reason, type Result } from '../../model/failure.ts'
import { platform } from '../../platform/platform.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import { isStoreError, unusable } from '../../store/failures.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStore, openStoreToRead } from '../../store/sqlite/open.ts'
import { actedFaces } from '../../views/faces/acted.ts'
import { groupReceipt } from '../../views/text/group-announce.ts'
import { receipt } from '../../views/text/receipt.ts'
import { reasonWords } from '../../views/words/message.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { loopToActOn } from '../find-loop.ts'
import { printState, stateDocument } from '../print-state.ts'
import { bySession } from '../run-here.ts'
import { forgetUnrecorded, ofSession } from '../session/here.ts'
import { outDocument, outLines } from '../terminal.ts'
import { rollbackTo } from './rollback.ts'

/** The store exists but cannot be used: an agent must be stopped all the same. */
const unrecordable: Reason[] = ['store-damaged', 'store-unavailable']

const cancel: CommandRun = async typed => {
  if (typed.given('session') && forgetUnrecorded(typed)) return ok(0)
  const meant = typed.given('session') ? ofSession(typed) : ok(typed)
  if (!meant.ok) return meant
  const input = meant.value
  if (input.given('rollback') && input.given('keep')) {
    return invalid({ kind: 'exclusive', one: 'rollback', other: 'keep' })
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

type Stop<N extends JournalKind> = {
  wish(env: NodeJS.ProcessEnv): KindsOf[N]['command']
  /** The kinds of events with which it has come to rest, cancelled or not. */
  ends: readonly string[]
  /** Longer than it takes to end everything: the grace period, KILL, and the wait for what does not die. */
  endMs: number
  refused(world: World, id: string, failure: Failure): Result<never>
  notCancelled(facts: { id: string; why: string }): Facts
  /** The last lines, and what the document says besides its state. */
  receipt(world: World, state: KindsOf[N]['state'], isRolledBack: boolean): Promise<Receipt>
}

type Receipt = { lines: string[]; more: object }

const stops: { [N in JournalKind]: Stop<N> } = {
  loop: {
    wish: env => ({ kind: 'cancel', ...bySession(env) }),
    ends: ['loop.cancelled', 'loop.held', 'rollback.failed', 'hook.ended'],
    endMs: 30_000,
    refused: withWayBack,
    notCancelled: facts => ({ kind: 'not-cancelled', ...facts }),
    async receipt(world, state, isRolledBack) {
      // A rollback reports its own changes.
      const changed = isRolledBack ? null : await changesSinceBegin(world, state)
      return { lines: receipt(state, world.now(), changed), more: { changes: changed?.changes ?? null } }
    },
  },
  group: {
    wish: () => ({ kind: 'cancel' }),
    ends: ['group.cancelled', 'group.completed', 'group.failed', 'group.held'],
    endMs: 60_000,
    refused: (_, __, { reason, facts }) => fail(reason, facts),
    notCancelled: facts => ({ kind: 'group-not-cancelled', ...facts }),
    async receipt({ store, now }, state, isRolledBack) {
      const shown = shownWhole(store, summarizeGroup(state))
      return { lines: isRolledBack ? [] : groupReceipt(state, shown, now()), more: {} }
    },
  },
}

async function cancelIn(world: World, input: Input): Promise<Result<number>> {
  const found = loopToActOn(world.store, input)
  return found.ok ? stopOne(world, { id: found.value.id, of: meantKind(found.value) }, input) : found
}

// The type parameter joins the row of a kind with its state.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
async function stopOne<N extends JournalKind>(
  world: World,
  { id, of }: { id: string; of: N },
  input: Input,
): Promise<Result<number>> {
  const stop = stops[of]
  const isRolledBack = input.given('rollback')
  const done = (events: { kind: string }[]) => events.some(({ kind }) => stop.ends.includes(kind))
  const asked = await ask<N>(world, id, stop.wish(input.env), { of, until: { done, ms: stop.endMs } })
  if (!asked.ok) return isRolledBack ? stop.refused(world, id, asked.failure) : asked
  const { machine, state } = asked.value
  const summary = machine.summarize(state)
  const secrets = secretsIn(input.env)
  // It had already ended; its hook was to be stopped.
  if (!isOpen(summary.status) && summary.status !== 'cancelled') {
    const words = redactAll(actedFaces[of].hookStopped(summary).map(safeLine), secrets).join('\n')
    printState(world, input, { summary, words })
    return ok(0)
  }
  const { lines, more } = await stop.receipt(world, state, isRolledBack)
  // With --rollback the one document is printed after the rollback.
  if (input.given('json') && !isRolledBack) outDocument<'loop'>(stateDocument(world, summary, more))
  else if (summary.status === 'cancelled' && !input.given('json') && lines.length > 0)
    outLines(redactAll(lines, secrets))
  if (summary.status !== 'cancelled') {
    const why = reasonWords(summary, world.now()) || 'it is still stopping'
    return fail('survivors', stop.notCancelled({ id, why }))
  }
  if (!isRolledBack) return ok(0)
  const only = { ...input, given: (name: string) => name === 'json' && input.given(name) }
  return rollbackTo(world, { id, of }, { target: 'initial', input: only, about: stateDocument })
}

/** An ended loop cannot be cancelled, but its files can still be restored. */
function withWayBack({ store }: World, id: string, { reason, facts: because }: Failure): Result<never> {
  const journal = store.journals.read(id)
  if (reason !== 'not-allowed' || !journal.ok) return fail(reason, because)
  const saved = savedTree(store.paths, fold(journal.value), { name: 'initial' })
  if (!saved.ok) return fail(reason, { kind: 'files-lost', because, why: saved.failure.facts })
  return fail(reason, { kind: 'way-back', because, id })
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
