/**
 * `loop cancel`: asks the host of the loop, or does it itself when nobody hosts it. Says "cancelled" only
 * once the journal does, and that is after nothing of the agent is alive.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { admit } from '../../core/admit.ts'
import { fold } from '../../core/evolve.ts'
import type { State } from '../../core/state.ts'
import { summarize } from '../../core/summary.ts'
import { commit, type Driven, drive } from '../../engine/drive.ts'
import { hostLoop, leaveLoop, sendCommand } from '../../engine/host.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { read } from '../../store/journal.ts'
import { reasonWords } from '../../views/message.ts'
import { receipt } from '../../views/receipt.ts'
import { detailJson } from '../../views/status.ts'
import type { Input, Run } from '../command.ts'
import { findLoop } from '../loops.ts'
import { out } from '../terminal.ts'
import { withWorld } from '../world.ts'

/** Longer than grace, KILL and the wait for what refuses to die. */
const endMs = 30_000

const cancel: Run = input =>
  withWorld(input.env, async world => {
    const found = findLoop(world.store, input)
    if (!found.ok) return found
    const { id } = found.value
    const hosted = hostLoop(world, id, () => {})
    if (!hosted.ok) return hosted
    const state =
      'driven' in hosted.value ? await cancelHere(hosted.value.driven) : await cancelThere(world, id)
    return state.ok ? report(state.value, input, world) : state
  })

async function cancelHere(loop: Driven): Promise<Result<State>> {
  const admission = admit(loop.state, { kind: 'cancel' })
  if (!admission.ok) {
    leaveLoop(loop)
    return refused(loop.state.id, admission.why)
  }
  commit(loop, admission.events, null)
  const state = await drive(loop, new AbortController().signal)
  leaveLoop(loop)
  return ok(state)
}

async function cancelThere(world: World, id: string): Promise<Result<State>> {
  const answer = await sendCommand(world, id, { kind: 'cancel' })
  if (!answer.ok) return answer
  if ('silent' in answer.value) {
    return fail(
      'not-allowed',
      `Loop ${id} was asked to cancel, but its host does not answer; it will when it does.`,
    )
  }
  const event = answer.value.answered
  if (event.kind === 'command.refused') return refused(id, event.data.why)
  const deadline = performance.now() + endMs
  for (;;) {
    const journal = read(world.store, id)
    if (!journal.ok) return journal
    const state = fold(journal.value)
    if (state.outcome || state.hold || performance.now() > deadline) return ok(state)
    await delay(50)
  }
}

function report(state: State, input: Input, world: World): Result<number> {
  const summary = summarize(state)
  const cancelled = state.outcome?.kind === 'cancelled'
  const now = world.now()
  if (input.given('json')) out(JSON.stringify(detailJson({ summary, orphaned: false }, now)))
  else if (cancelled) out(receipt(state, now).join('\n'))
  if (cancelled) return ok(0)
  const why = reasonWords(summary, now) || 'it is still stopping'
  return {
    ok: false,
    failure: { reason: 'survivors', message: `Loop ${state.id} is not cancelled yet: ${why}.` },
  }
}

function refused(id: string, why: string): Result<never> {
  return fail('not-allowed', `Loop ${id} can not be cancelled: ${why}.`)
}

export default cancel
