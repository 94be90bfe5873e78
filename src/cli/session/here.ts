/** The loop of the session, or of the work tree, in which a command was typed: to continue or to end it. */
import { realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readPlain, replaceFile } from '../../adapters/tree-file.ts'
import { summarize } from '../../core/loop/summary.ts'
import { parseStateFile, stateFileText } from '../../core/session/state-file.ts'
import { takeUp } from '../../engine/ask.ts'
import { drive } from '../../engine/drive.ts'
import { leaveJournal } from '../../engine/host.ts'
import type { World } from '../../engine/world.ts'
import { markerFor } from '../../hooks/situation.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Resume } from '../../model/loop/command.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import {
  type Marker,
  readMarker,
  readMarkers,
  removeMarker,
  resetCounter,
  writeMarker,
} from '../../store/files/session-marker.ts'
import { sessionWords } from '../../views/words/begun.ts'
import { exitCodeFor, reasonWords } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import { printState } from '../print-state.ts'
import { outFor } from '../terminal.ts'
import { markerOf, sessionHere } from './begin.ts'

/** The same command line with the id of that loop; an id that was typed takes precedence. */
export function ofSession(input: Input): Result<Input> {
  if (input.positionals.length > 0) return ok(input)
  const id = markerHere(input.env)?.loop.id
  if (!id) return fail('unknown-loop', { kind: 'no-loop-in-session' })
  return ok({ ...input, positionals: [...input.positionals, id] })
}

/** Binds a loop without a journal to this session; false if there is none. */
export function takeUnrecorded(input: Input, { maxIterations, budgetUsd }: Omit<Resume, 'kind'>): boolean {
  const { env, positionals } = input
  const marker = positionals.length > 0 ? null : markerHere(env)
  if (!marker || marker.loop.id !== null) return false
  const limits = {
    maxIterations: maxIterations === undefined ? marker.loop.maxIterations : maxIterations,
    budgetUsd: budgetUsd === undefined ? marker.loop.budgetUsd : budgetUsd,
  }
  const paths = pathsFrom(env)
  const loop = { ...marker.loop, ...limits, session: sessionHere(env), status: 'in_progress' }
  writeMarker(paths, { ...marker, loop })
  resetCounter(paths, marker.name)
  setStatus(marker, 'in_progress')
  outFor<'sessionRun'>(input, unrecordedJson(loop), sessionWords.runGoesOn(loop.run, isHere(env)))
  return true
}

function isHere(env: NodeJS.ProcessEnv): boolean {
  return sessionHere(env) !== null
}

/** True if it was a loop without a journal: then it is forgotten, and there is nothing to cancel. */
export function forgetUnrecorded(input: Input): boolean {
  const { env, positionals } = input
  const marker = positionals.length > 0 ? null : markerHere(env)
  if (!marker || marker.loop.id !== null) return false
  removeMarker(pathsFrom(env), marker.name)
  setStatus(marker, 'cancelled')
  const cancelled = unrecordedJson({ ...marker.loop, status: 'cancelled' })
  outFor<'sessionRun'>(input, cancelled, sessionWords.forgotten)
  return true
}

/** A loop of a session that has no journal, and so no id. */
export function unrecordedJson({ run, status, taskList }: Marker['loop']) {
  return { id: null, run, status, ...(taskList !== undefined && { taskList: basename(taskList) }) }
}

/** Sets the status in its state file, if it has one. */
function setStatus({ loop: { id, tree, spec } }: Pick<Marker, 'loop'>, status: string): void {
  const dir = join(tree, '.loop')
  const found = readPlain(dir, 'state.json')
  const file = typeof found === 'string' ? null : parseStateFile(found.text)
  if (!file || file.driven) return
  const criteria = Array.from(file.claims, ([name, { met }]) => ({ name, met }))
  // A person who continues or ends it has seen how often it was stuck.
  const known = { spec, loop: id, status, criteria }
  replaceFile(dir, 'state.json', stateFileText(known, { ...file, stuckCount: 0 }))
}

function markerHere(env: NodeJS.ProcessEnv): Marker | null {
  return markerFor(readMarkers(pathsFrom(env)), sessionHere(env), [realpathSync(process.cwd())])
}

type Wish = { command: Resume; input: Input }

/** This session continues it or, typed elsewhere, the first session that stops in its work tree. */
export async function resumeSession(
  world: World,
  id: string,
  { command, input }: Wish,
): Promise<Result<number>> {
  const { paths } = world.store
  const loop = takeUp(world, { id, of: 'loop' }, { ...command, attended: false })
  if (!loop.ok) return loop
  const made = markerOf(loop.value.state, input.env)
  // The task list stays with the loop.
  const taskList = readMarker(paths, id)?.loop.taskList
  const marker = taskList === undefined ? made : { ...made, loop: { ...made.loop, taskList } }
  writeMarker(paths, marker)
  resetCounter(paths, id)
  setStatus(marker, marker.loop.status)
  // A person may have said yes since: then the promise runs once more, and that can be the end.
  const state = await drive(loop.value, new AbortController().signal)
  leaveJournal(loop.value)
  const summary = summarize(state)
  const rests = state.turn.outcome !== null || state.turn.hold !== null
  const words = rests
    ? sessionWords.rests(summary, reasonWords(summary, world.now()))
    : sessionWords.goesOn(id, isHere(input.env), summary.promise)
  printState(world, input, { summary, words, more: { run: marker.loop.run } })
  return ok(rests ? exitCodeFor(summary) : 0)
}
