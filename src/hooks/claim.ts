/**
 * A session claims that everything is done: loop hosts the loop for a moment and drives it, with the same saving,
 * verifying and deciding as after an agent run. Nothing else completes a loop.
 */
import type { Suspicion } from '../core/loop/parts/trust.ts'
import type { State } from '../core/loop/state.ts'
import { summarize } from '../core/loop/summary.ts'
import type { SessionEnding } from '../core/session/stop.ts'
import { record, takeUp } from '../engine/ask.ts'
import { type Driven, drive } from '../engine/drive.ts'
import { leaveJournal } from '../engine/host.ts'
import { projectMarker } from '../engine/project/session-marker.ts'
import { failureWords } from '../failures/words.ts'
import { ok, type Result } from '../model/failure.ts'
import { receipt } from '../views/text/receipt.ts'
import { nextSteps, reasonWords, verdictLine } from '../views/words/message.ts'
import { tellings, toldWords } from '../views/words/reinforcement.ts'
import { withWorld } from '../wiring/world.ts'
import type { Outcome } from './stop.ts'

type ClaimRequest = {
  id: string
  session: string
  release: SessionEnding | null
  told: number
  deadlineMs: number
}

export async function claim(env: NodeJS.ProcessEnv, wish: ClaimRequest): Promise<Outcome> {
  const outcome = await asHost(env, wish.id, loop => judged(loop, wish))
  if (outcome.ok) return outcome.value
  if (outcome.failure.reason === 'already-driven')
    return { done: 'go', words: unfinished(`another process is at loop ${wish.id} just now`) }
  throw new Error(failureWords(outcome.failure))
}

/** Releases the session: the loop rests, for this reason. */
export async function endSession(env: NodeJS.ProcessEnv, id: string, ending: SessionEnding): Promise<void> {
  const ended = await asHost(env, id, async loop => record(loop, { kind: 'release', reason: ending }))
  if (!ended.ok) throw new Error(failureWords(ended.failure))
}

function asHost<T>(
  env: NodeJS.ProcessEnv,
  id: string,
  work: (loop: Driven) => Promise<Result<T>>,
): Promise<Result<T>> {
  return withWorld(env, async world => {
    const taken = takeUp(world, { id, of: 'loop' }, null)
    if (!taken.ok) return taken
    try {
      return await work(taken.value)
    } finally {
      // Also if nothing had to be recorded: a killed process can have left the marker behind.
      projectMarker(world.store.paths, taken.value.state)
      leaveJournal(taken.value)
    }
  })
}

async function judged(
  loop: Driven,
  { session, release, told, deadlineMs }: ClaimRequest,
): Promise<Result<Outcome>> {
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

/** Passed, and sent back all the same: see core/loop/assess/second-look. */
function suspected({ why, files }: Suspicion): string {
  const how =
    why === 'fewer-tests'
      ? 'fewer tests are run than before, or more of them are left out'
      : 'the promise passes by changes to what judges the work, not by the work'
  return [
    `suspect: ${how}: ${files.join(', ')}`,
    '',
    'Bring these files back as they were and make the promise pass without them. If they have to change, say why: the next time a person is asked.',
  ].join('\n')
}

/** The criteria that did not pass, with the end of their output. */
function failing(state: State): string {
  const open = state.judged.results.filter(({ verdict }) => verdict !== 'PASS')
  const suspicion = state.trust.suspicions.at(-1)
  if (open.length === 0 && suspicion) return suspected(suspicion)
  return [
    `unmet criteria: ${open.map(({ name }) => name).join(', ')}`,
    '',
    'loop has run the commands itself, and set what did not pass to false in .loop/state.json:',
    ...open.flatMap(result => [verdictLine(result), result.output.tail.slice(-mostTail)]),
  ].join('\n')
}
