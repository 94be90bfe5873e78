/**
 * Drives a loop in the foreground: live view, keys and signals, receipt, exit code. A closed terminal
 * or TERM leaves the agents running and the journal resumable. What a group needs of it is here too.
 */

import type { Changed } from '../../core/loop/parts/tree.ts'
import { summarize } from '../../core/loop/summary.ts'
import type { Kinds } from '../../core/machine.ts'
import { takeUp } from '../../engine/ask.ts'
import { changesSinceBegin } from '../../engine/changes.ts'
import { type Driven, drive, submit } from '../../engine/drive.ts'
import { isCollectionDue } from '../../engine/garbage/due.ts'
import { leaveJournal } from '../../engine/host.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import { ForeignEvents, LeaseLost, StoreReplaced } from '../../store/contract.ts'
import { isStoreError, unusable } from '../../store/failures.ts'
import { loopDir } from '../../store/files/paths.ts'
import { backUpWhenDue } from '../../store/sqlite/backup.ts'
import { closingLines } from '../../views/screen/start/closing.ts'
import { receipt } from '../../views/text/receipt.ts'
import { exitCodeFor } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import { stateDocument } from '../print-state.ts'
import { out, outDocument, outLines } from '../terminal.ts'
import { type Face, faceView, hasFace, viewOf } from './face.ts'
import { isInForeground, type Keys, listenToKeys, noKeys } from './keys.ts'
import { type Live, liveTerminal, liveView } from './live.ts'
import { isAttended, whoAnswers } from './question.ts'
import { answering, offerMore, tell } from './questions.ts'

const secondInterruptMs = 10_000

/**
 * The first Ctrl-C lets it rest after the iterations under way, a second one within ten seconds ends it. `isHook`: only a hook is left, which has no
 * iteration to wait for.
 */
export function listenToSignals<K extends Kinds>(
  journal: Driven<K>,
  leave: AbortController,
  isHook: () => boolean,
): { interrupt(): void; forget(): void } {
  let interruptedAt = Number.NEGATIVE_INFINITY
  const interrupt = () => {
    const again = performance.now() - interruptedAt < secondInterruptMs
    interruptedAt = performance.now()
    submit(journal, { kind: again || isHook() ? 'cancel' : 'pause' })
  }
  const onLeave = () => leave.abort()
  process.on('SIGINT', interrupt)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, onLeave)
  const forget = () => {
    process.off('SIGINT', interrupt)
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, onLeave)
  }
  return { interrupt, forget }
}

type Heard = { keys: Keys; forget(): void }

/** `withKeys`: a person is at the terminal, and the loop may use it exclusively. */
type Listening = { view: Shown; withKeys: boolean }

function listen(loop: Driven, leave: AbortController, { view, withKeys }: Listening): Heard {
  const signals = listenToSignals(loop, leave, () => loop.state.hook.open !== null)
  const isHeld = () => loop.state.turn.hold !== null
  const actions = {
    p: () => isHeld() || submit(loop, { kind: 'pause' }),
    r: () => isHeld() && submit(loop, { kind: 'resume', stays: true }),
    x: () => submit(loop, { kind: 'cancel' }),
    ...(view.help && { '?': view.help, i: () => tell(loop, typing) }),
  }
  const typing = (isTyping: boolean) => {
    if (isTyping) keys.rest()
    else keys.again()
    view.typing?.(isTyping)
  }
  const keys: Keys = withKeys ? listenToKeys(actions, signals.interrupt) : noKeys
  return {
    keys,
    forget() {
      keys.forget()
      signals.forget()
    },
  }
}

type Shown = Pick<Live, 'join' | 'stop'> & Partial<Pick<Face, 'help' | 'typing'>>

/** Shows what this process records, until it is stopped. */
export function foregroundView(input: Input, { store, feed, now }: World): Shown {
  if (input.given('json')) return { join() {}, stop() {} }
  const keys = isAttended(input) && isInForeground()
  const rootOf = (id: string) => loopDir(store.paths, id)
  const secrets = secretsIn(input.env)
  const view: Live & Partial<Face> = hasFace(input)
    ? faceView({ input, rootOf, secrets, keys, now })
    : liveView({ ...liveTerminal(input), keys }, rootOf, secrets)
  const forget = feed.subscribe({ of: 'loop' }, view.tell)
  const stop = () => {
    forget()
    view.stop()
  }
  return { ...view, stop }
}

/** Drives to rest and reports; after a limit, continues if the person wants to. */
export async function runForeground(loop: Driven, view: Shown, input: Input): Promise<Result<number>> {
  // Loaded only here: it reads the user's configuration, and with it YAML.
  const told = loop.state.spec.notify ? (await import('./notify.ts')).telling(loop) : null
  const code = await driveToRest(loop, view, input)
  told?.stop()
  const command = code.ok && isAttended(input) ? await offered(loop, input) : null
  if (!command) {
    await told?.end()
    await upkeep(loop.world)
    return code
  }
  const next = foregroundView(input, loop.world)
  const again = takeUp(loop.world, { id: loop.state.id, of: 'loop' }, command)
  if (again.ok) return runForeground(again.value, next, input)
  next.stop()
  return again
}

async function offered(loop: Driven, input: Input) {
  const interrupt = new AbortController()
  const stop = () => interrupt.abort()
  process.once('SIGINT', stop)
  const command = await offerMore(summarize(loop.state), input.given('yes'), interrupt.signal)
  process.off('SIGINT', stop)
  return command
}

async function driveToRest(loop: Driven, view: Shown, input: Input): Promise<Result<number>> {
  const leave = new AbortController()
  const signals = listen(loop, leave, { view, withKeys: isAttended(input) })
  const answers = answering(loop, whoAnswers(input), signals.keys)
  let changed: Changed | null = null
  try {
    await drive(loop, leave.signal)
    leaveJournal(loop)
    // While the agent still runs, its changes are not final.
    if (summarize(loop.state).reason !== null) changed = await changesSinceBegin(loop.world, loop.state)
  } catch (error) {
    return interrupted(loop, error)
  } finally {
    answers.stop()
    signals.forget()
    view.stop()
  }
  return report(loop, changed, input)
}

function report(loop: Driven, changed: Changed | null, input: Input): Result<number> {
  const now = loop.world.now()
  const summary = summarize(loop.state)
  const secrets = secretsIn(input.env)
  if (input.given('json')) {
    const more = { changes: changed?.changes ?? null, exitCode: exitCodeFor(summary) }
    outDocument<'loop'>(stateDocument(loop.world, summary, more))
  } else if (hasFace(input)) {
    out(redactAll(closingLines(loop.state, changed, viewOf(input)), secrets).join('\n'))
  } else {
    const lines = receipt(loop.state, now, changed)
    if (summary.reason === null) lines.push(`  next        loop resume ${loop.state.id}`)
    outLines(['', ...redactAll(lines, secrets)])
  }
  return ok(exitCodeFor(summary))
}

/** The journal could not be written, or another process took over: everything recorded so far stands. */
function interrupted(loop: Driven, error: unknown): Result<never> {
  const { id } = loop.state
  if (error instanceof LeaseLost) {
    return fail('already-driven', { kind: 'lease-lost', why: error.message, id })
  }
  if (error instanceof ForeignEvents)
    return fail('store-damaged', { kind: 'foreign-events', why: error.message })
  if (error instanceof StoreReplaced) {
    return fail('store-unavailable', { kind: 'store-replaced', database: error.message, id })
  }
  if (isStoreError(error)) {
    const { message } = error as Error
    const unusableStore = unusable(loop.world.store.paths, error)
    if (unusableStore.failure.reason === 'store-damaged') return unusableStore
    return fail('store-unavailable', { kind: 'journal-unwritable', id, why: message })
  }
  throw error
}

/**
 * The last work, when nobody waits any more: a backup and garbage collection, each if due. `loop doctor` reports their
 * problems.
 */
export async function upkeep({ store, now }: Pick<World, 'store' | 'now'>): Promise<void> {
  await backUpWhenDue(store.paths, now())
  if (!isCollectionDue(store.paths, now())) return
  const { collectByItself } = await import('../../engine/garbage/collect.ts')
  await collectByItself(store, now())
}
