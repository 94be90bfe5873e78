/**
 * A session wants to stop: gathers the situation, decides (core/session/stop) and carries out the decision. Only a
 * claim needs the engine, and only a final release needs the journal; both are passed in and loaded on demand.
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
import type { SessionTask } from '../core/session/tasks.ts'
import { removeMarker, writeCounter, writeMarker } from '../store/files/session-marker.ts'
import { bounded, reasonFor, releaseWords, selfImprove, tasksDone } from '../views/words/reinforcement.ts'
import { hasContext, hostHere, lookAround, pipelineOf, type Seen, type SessionPlace } from './situation.ts'

type Answer =
  | { ok: true; systemMessage?: string }
  | { ok: false; decision: 'block'; reason: string; systemMessage?: string }

/**
 * The result of a claim. With `go` the session continues and `words` are for the model; otherwise they are for the
 * user.
 */
export type Outcome = { done: 'completed' | 'over' | 'go'; words: string }

export type Engine = {
  claim(wish: { id: string; session: string; release: SessionEnding | null; told: number }): Promise<Outcome>
  end(id: string, ending: SessionEnding): Promise<void>
  /** Runs the command of each completed task; returns the messages about those that did not pass. */
  checkTasks(list: string, tasks: readonly SessionTask[]): Promise<string[]>
  /** The newest loop or group of this tree that needs a host and has none. */
  orphanIn(tree: string): Promise<{ id: string; prompt: string } | null>
}

export async function answerStop(place: SessionPlace, engine: Engine): Promise<Answer> {
  const first = lookAround(place)
  const failed = await checked(first, engine)
  const seen = failed === null ? first : lookAround(place)
  const { situation } = seen
  const decision = decideStop(situation)
  if (decision.rule >= 3) bind(place, seen)
  switch (decision.do) {
    case 'allow':
      return allow(releaseWords(decision.because, situation))
    case 'block':
      return block(place, seen, { because: decision.because, failed: failed ?? [] })
    case 'end':
      return end(place, seen, { ...decision, engine })
    case 'verify':
      return verify(place, seen, { release: decision.release, engine })
    default:
      return decision satisfies never
  }
}

/** Null if every task marked completed has passed its command. */
async function checked({ situation, list }: Seen, engine: Engine): Promise<string[] | null> {
  const decision = decideStop(situation)
  if (list === null || decision.do !== 'block' || decision.because !== 'tasks') return null
  const claimed = situation.tasks.filter(({ isUnverified }) => isUnverified === true)
  return claimed.length > 0 ? engine.checkTasks(list, claimed) : null
}

/** Binds the loop and its task list to this session. */
function bind({ paths, asked, env }: SessionPlace, { marker, situation, list }: Seen): void {
  if (!marker) return
  const { session, taskList, host } = marker.loop
  const isMine = session === null || session === asked.session || situation.loop?.session === asked.session
  if (!isMine) return
  const bound = list !== null && situation.tasks.length > 0 ? list : taskList
  const now = hostHere(env) ?? host
  if (session === asked.session && bound === taskList && now === host) return
  const loop = { ...marker.loop, session: asked.session, ...optional({ taskList: bound, host: now }) }
  writeMarker(paths, { ...marker, loop })
}

function optional(fields: { taskList: string | undefined; host: string | undefined }) {
  return {
    ...(fields.taskList !== undefined && { taskList: fields.taskList }),
    ...(fields.host !== undefined && { host: fields.host }),
  }
}

type Blocked = { because: Because; failed: readonly string[] }

function block(place: SessionPlace, seen: Seen, { because, failed }: Blocked): Answer {
  const { situation } = seen
  const loop = situation.loop ?? unbound(place, seen)
  if (!situation.loop) writeMarker(place.paths, { name: seen.name, program: '', loop })
  const file = situation.file === 'broken' ? null : situation.file
  writeCounter(place.paths, seen.name, counted(situation))
  if (loop.criteria.length > 0 && (!file || !hasSame(file, expectedOf(loop, null)))) restore(loop, seen)
  return {
    ok: false,
    decision: 'block',
    reason: reasonFor(because, { ...situation, loop }, { pipeline: pipelineOf(situation), failed }),
  }
}

/** A state file that was not set up with loop: its criteria are those it has now, and no command decides them. */
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

/** Restores a removed or damaged state file with all claims that still stand. If that fails, nothing else is done. */
function restore(loop: SessionLoop, { situation }: Seen, status = 'in_progress'): void {
  const file = situation.file === 'broken' ? null : situation.file
  const criteria = loop.criteria.map(({ name }) => {
    const { met = false, verification } = file?.claims.get(name) ?? {}
    return { name, met, ...(verification && { verification }) }
  })
  try {
    const iteration = situation.counter.blocks
    const text = stateFileText({ spec: loop.spec, loop: loop.id, status, criteria, iteration }, file)
    putInLoopDirectory(join(loop.tree, '.loop'), 'state.json', text)
  } catch {
    // A read-only tree, or another file in its place: the marker is authoritative.
  }
}

type End = { ending: SessionEnding; because: Because; engine: Engine }

async function end(place: SessionPlace, seen: Seen, { ending, because, engine }: End): Promise<Answer> {
  const { situation } = seen
  const { loop } = situation
  if (loop?.id) await engine.end(loop.id, ending)
  else forget(place, seen, ending)
  if (because === 'tasks-done') return ask(seen, tasksDone)
  // Marked in the file, so that the next stop does not ask again.
  if (!loop?.id && (situation.file || (situation.workflow && !loop?.run))) {
    restore(loop ?? unbound(place, seen), seen, 'paused')
  }
  return allow(releaseWords(because, situation))
}

/** A run that a limit stopped can be continued; the files of a finished one are removed. */
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
  // Earlier messages belong to the claim.
  writeCounter(place.paths, seen.name, { ...counted(situation), told: 0 })
  return { ok: false, decision: 'block', reason: bounded(outcome.words) }
}

const seenPass = 'The loop is completed: loop has run its promise itself, and it holds.'

/** The question at the end, if there is something to compare; the marker is gone, so it is asked once. */
function ask({ situation }: Seen, words: string, how = words): Answer {
  const { loop } = situation
  if (!loop?.run || !hasContext(situation)) return allow(words)
  const systemMessage = bounded(words)
  return { ok: false, decision: 'block', reason: selfImprove(loop.run, how), systemMessage }
}

function allow(words: string): Answer {
  return words === '' ? { ok: true } : { ok: true, systemMessage: bounded(words) }
}
