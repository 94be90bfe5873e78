/**
 * A session claims that all is done: loop hosts the loop for a moment and drives it as far as it goes, which is
 * the same saving, verifying and deciding as after a run of an agent. Nothing else completes a loop.
 */

import type { State } from '../core/loop/state.ts'
import { summarize } from '../core/loop/summary.ts'
import type { SessionEnding } from '../core/session/stop.ts'
import { record } from '../engine/ask.ts'
import { type Driven, drive } from '../engine/drive.ts'
import { leaveJournal } from '../engine/host.ts'
import { projectMarker } from '../engine/project/loop/session-marker.ts'
import { takeUp } from '../engine/take-up.ts'
import { ok, type Result } from '../model/failure.ts'
import { receipt } from '../views/text/receipt.ts'
import { reasonWords, verdictLine } from '../views/words/message.ts'
import { nextSteps } from '../views/words/next-steps.ts'
import { tellings, toldWords } from '../views/words/session/reinforcement.ts'
import { withWorld } from '../wiring/world.ts'
import type { Outcome } from './stop.ts'

type Wish = { id: string; session: string; release: SessionEnding | null; told: number; deadlineMs: number }

export async function claim(env: NodeJS.ProcessEnv, wish: Wish): Promise<Outcome> {
  const outcome = await asHost(env, wish.id, loop => judged(loop, wish))
  if (outcome.ok) return outcome.value
  if (outcome.failure.reason === 'already-driven')
    return { done: 'go', words: unfinished(`another process is at loop ${wish.id} just now`) }
  throw new Error(outcome.failure.message)
}

/** The session is let go: the loop rests, for this reason. */
export async function endSession(env: NodeJS.ProcessEnv, id: string, ending: SessionEnding): Promise<void> {
  const ended = await asHost(env, id, async loop => record(loop, { kind: 'release', reason: ending }))
  if (!ended.ok) throw new Error(ended.failure.message)
}

function asHost<T>(
  env: NodeJS.ProcessEnv,
  id: string,
  work: (loop: Driven) => Promise<Result<T>>,
): Promise<Result<T>> {
  return withWorld(env, async world => {
    const taken = takeUp(world, id, null)
    if (!taken.ok) return taken
    try {
      return await work(taken.value)
    } finally {
      // Also where nothing was to be recorded: a process that was killed may have left the marker behind.
      projectMarker(world.store.paths, taken.value.state)
      leaveJournal(taken.value)
    }
  })
}

async function judged(loop: Driven, { session, release, told, deadlineMs }: Wish): Promise<Result<Outcome>> {
  const more = loop.state.human.injected.slice(told)
  const claimed = record(loop, { kind: 'claim', session })
  if (!claimed.ok) return claimed
  await drive(loop, AbortSignal.timeout(deadlineMs))
  const released = release ? record(loop, { kind: 'release', reason: release }) : ok(null)
  if (!released.ok) return released
  const outcome = outcomeOf(loop.state, loop.world.now())
  return ok(
    outcome.done === 'go'
      ? { ...outcome, words: `${tellings(more.map(toldWords))}${outcome.words}` }
      : outcome,
  )
}

function outcomeOf(state: State, now: number): Outcome {
  const summary = summarize(state)
  const what = `Loop ${state.id} ${summary.status}: ${reasonWords(summary, now)}`
  if (summary.status === 'completed') return { done: 'completed', words: receipt(state, now).join('\n') }
  if (state.turn.outcome || state.turn.hold) {
    return { done: 'over', words: [`${what}.`, ...nextSteps(summary)].join('\n') }
  }
  if (state.work.stage === 'cleared' || state.work.stage === 'settled')
    return { done: 'go', words: unfinished('it takes too long') }
  return { done: 'go', words: failing(state) }
}

function unfinished(why: string): string {
  return `verification unfinished: ${why}. Wait a moment, then stop again with exit_signal true.`
}

const mostTail = 2_000

/** What did not pass, with the end of what it printed. */
function failing(state: State): string {
  const open = state.judged.results.filter(({ verdict }) => verdict !== 'PASS')
  return [
    `unmet criteria: ${open.map(({ name }) => name).join(', ')}`,
    '',
    'loop has run the commands itself, and set what did not pass to false in .loop/state.json:',
    ...open.flatMap(result => [verdictLine(result), result.output.tail.slice(-mostTail)]),
  ].join('\n')
}
