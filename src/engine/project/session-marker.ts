/**
 * The files of a session loop outside its journal: its marker in the data directory, by which the hook knows it, and
 * `.loop/state.json`, in which the agent's own notes are kept.
 */
import { join } from 'node:path'
import { readPlain } from '../../adapters/tree-file.ts'
import { criterionStates } from '../../core/loop/criteria.ts'
import type { State } from '../../core/loop/state.ts'
import { hasJudged, summarize } from '../../core/loop/summary.ts'
import { parseStateFile, stateFileText } from '../../core/session/state-file.ts'
import type { Paths } from '../../store/files/paths.ts'
import { readMarker, removeMarker, writeMarker } from '../../store/files/session-marker.ts'
import { toldWords } from '../../views/words/reinforcement.ts'

/** Writes the marker from the journal's state, if the loop has one; removes it once the loop is over. */
export function projectMarker(paths: Paths, state: State): void {
  const marker = readMarker(paths, state.id)
  if (!marker) return
  const status = statusWord(state)
  if (status === 'completed' || status === 'cancelled') return removeMarker(paths, state.id)
  const { maxIterations, budgetUsd } = state.spec
  writeMarker(paths, {
    ...marker,
    loop: { ...marker.loop, status, maxIterations, budgetUsd, told: state.human.injected.map(toldWords) },
  })
}

export function sessionState(state: State): string {
  const found = readPlain(join(state.spec.cwd, '.loop'), 'state.json')
  const file = typeof found === 'string' ? null : parseStateFile(found.text)
  const given = new Map(state.spec.criteria.map(({ name, verification }) => [name, verification]))
  const criteria = criterionStates(state).map(({ name, met }) => {
    const verification = given.get(name)
    return { name, met, ...(verification && { verification }) }
  })
  const known = { spec: state.spec.prompt, loop: state.id, status: statusWord(state), criteria }
  const { iteration } = state.work
  return stateFileText({ ...known, iteration, judged: hasJudged(state) }, file?.driven ? null : file)
}

function statusWord(state: State): string {
  const { status } = summarize(state)
  return ['queued', 'running', 'waiting'].includes(status) ? 'in_progress' : status
}
