/**
 * A session wants to stop: looks, decides (core/session/stop) and does what was decided. Only the claim that all
 * is done needs the engine, and only letting go for good needs the journal; both are given, and loaded then.
 */
import { join } from 'node:path'
import { putInLoopDirectory } from '../adapters/tree-file.ts'
import { hasSame, stateFileText } from '../core/session/state-file.ts'
import {
  type Because,
  counted,
  decideStop,
  expectedOf,
  type SessionEnding,
  type SessionLoop,
  unboundIterations,
} from '../core/session/stop.ts'
import { removeMarker, writeCounter, writeMarker } from '../store/files/session-marker.ts'
import { bounded, reasonFor, releaseWords, selfImprove } from '../views/words/session/reinforcement.ts'
import { hasContext, lookAround, pipelineOf, type Seen, type SessionPlace } from './situation.ts'

type Answer =
  | { ok: true; systemMessage?: string }
  | { ok: false; decision: 'block'; reason: string; systemMessage?: string }

/** What came of a claim: `go`: it goes on, and `words` are for the model; else they are for the user. */
export type Outcome = { done: 'completed' | 'over' | 'go'; words: string }

export type Engine = {
  claim(wish: { id: string; session: string; release: SessionEnding | null; told: number }): Promise<Outcome>
  end(id: string, ending: SessionEnding): Promise<void>
}

export async function answerStop(place: SessionPlace, engine: Engine): Promise<Answer> {
  const seen = lookAround(place)
  const { situation } = seen
  const decision = decideStop(situation)
  if (decision.rule >= 3) bind(place, seen)
  switch (decision.do) {
    case 'allow':
      return allow(releaseWords(decision.because, situation))
    case 'block':
      return block(place, seen, decision.because)
    case 'end':
      return end(place, seen, { ...decision, engine })
    case 'verify':
      return verify(place, seen, { release: decision.release, engine })
    default:
      return decision satisfies never
  }
}

/** From here on it is this session's, and no other's. */
function bind({ paths, asked }: SessionPlace, { marker }: Seen): void {
  if (!marker || marker.loop.session !== null) return
  writeMarker(paths, { ...marker, loop: { ...marker.loop, session: asked.session } })
}

function block(place: SessionPlace, seen: Seen, because: Because): Answer {
  const { situation } = seen
  const loop = situation.loop ?? unbound(place, seen)
  if (!situation.loop) writeMarker(place.paths, { name: seen.name, program: '', loop })
  const file = situation.file === 'broken' ? null : situation.file
  writeCounter(place.paths, seen.name, counted(situation))
  if (loop.criteria.length > 0 && (!file || !hasSame(file, expectedOf(loop, null)))) restore(loop, seen)
  return {
    ok: false,
    decision: 'block',
    reason: reasonFor(because, { ...situation, loop }, pipelineOf(situation)),
  }
}

/** A state file that nobody has set up with loop: its criteria are those it has now, and no command decides them. */
function unbound({ asked }: SessionPlace, { situation, tree }: Seen): SessionLoop {
  const file = situation.file === 'broken' ? null : situation.file
  return {
    tree,
    session: asked.session,
    id: null,
    spec: file?.spec ?? situation.workflow?.task ?? '',
    criteria: expectedOf(null, file).map(criterion => ({ name: criterion, command: null })),
    status: 'in_progress',
    maxIterations: unboundIterations,
    budgetUsd: null,
    run: null,
    told: [],
  }
}

/** What was removed or spoilt is put back, with every claim that still stands. Where it cannot be, so be it. */
function restore(loop: SessionLoop, { situation }: Seen, status = 'in_progress'): void {
  const file = situation.file === 'broken' ? null : situation.file
  const criteria = loop.criteria.map(({ name }) => ({ name, met: file?.claims.get(name)?.met === true }))
  try {
    const iteration = situation.counter.blocks
    const text = stateFileText({ spec: loop.spec, loop: loop.id, status, criteria, iteration }, file)
    putInLoopDirectory(join(loop.tree, '.loop'), 'state.json', text)
  } catch {
    // A tree that is read-only, or something in its place: the marker is what counts.
  }
}

type End = { ending: SessionEnding; because: Because; engine: Engine }

async function end(place: SessionPlace, seen: Seen, { ending, because, engine }: End): Promise<Answer> {
  const { situation } = seen
  const { loop } = situation
  if (loop?.id) await engine.end(loop.id, ending)
  else forget(place, seen, ending)
  if (because === 'tasks-done') return ask(seen, 'All tasks of the list are completed.')
  // Marked in the file, so that the next stop is not asked the same again.
  if (!loop?.id && (situation.file || (situation.workflow && !loop?.run))) {
    restore(loop ?? unbound(place, seen), seen, 'paused')
  }
  return allow(releaseWords(because, situation))
}

/** A run that a limit has stopped can be gone on with; of what is over nothing is left. */
function forget(
  { paths, asked }: SessionPlace,
  { situation: { loop }, name, marker }: Seen,
  ending: SessionEnding,
): void {
  if (!marker || !loop?.run || ending === 'session-ended') return removeMarker(paths, name)
  const session = loop.session ?? asked.session
  writeMarker(paths, { ...marker, loop: { ...loop, session, status: 'paused' } })
}

async function verify(
  place: SessionPlace,
  seen: Seen,
  { release, engine }: { release: SessionEnding | null; engine: Engine },
): Promise<Answer> {
  const { situation } = seen
  const id = situation.loop?.id ?? ''
  const outcome = await engine.claim({
    id,
    session: place.asked.session,
    release,
    told: situation.counter.told,
  })
  if (outcome.done === 'completed') return release ? allow(outcome.words) : ask(seen, outcome.words, seenPass)
  if (outcome.done === 'over') return allow(outcome.words)
  // What was told before belongs to the claim.
  writeCounter(place.paths, seen.name, { ...counted(situation), told: 0 })
  return { ok: false, decision: 'block', reason: bounded(outcome.words) }
}

const seenPass = 'The loop is completed: loop has run its promise itself, and it holds.'

/** The one question at the end, where there is something to compare; its marker is gone, so it is asked once. */
function ask({ situation }: Seen, words: string, how = words): Answer {
  const { loop } = situation
  if (!loop?.run || !hasContext(situation)) return allow(words)
  const systemMessage = bounded(words)
  return { ok: false, decision: 'block', reason: selfImprove(loop.run, how), systemMessage }
}

function allow(words: string): Answer {
  return words === '' ? { ok: true } : { ok: true, systemMessage: bounded(words) }
}
