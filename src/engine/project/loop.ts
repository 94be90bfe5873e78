/**
 * Keeps `.loop/state.json` and `.loop/PROGRESS.md` of the work tree up to date with the journal, for hooks, editors
 * and people. It is only a mirror: nothing reads it back. If it cannot be written (a read-only tree, a symlink
 * planted by an agent), the loop continues without it and says so once.
 */
import { replaced } from '../../adapters/work-tree.ts'
import type { State } from '../../core/loop/state.ts'
import { stateJson } from '../../documents/state-files.ts'
import { factWords } from '../../failures/words.ts'
import type { Event, Recorded } from '../../model/loop/event.ts'
import { redactText } from '../../secrets/redact.ts'
import type { Paths } from '../../store/files/paths.ts'
import { progressPage } from '../../views/text/progress.ts'
import { removeStateFiles, writeStateFiles, writing } from './files.ts'
import { projectMarker, sessionState } from './session-marker.ts'

const shownBy: ReadonlySet<Event['kind']> = new Set([
  'loop.created',
  'promise.verified',
  'run.started',
  'run.cleared',
  'loop.held',
  'loop.resumed',
  'question.asked',
  'question.answered',
  'wait.started',
  'tree.restored',
  'loop.completed',
  'loop.failed',
  'loop.crashed',
  'loop.cancelled',
])

type Mirror = (event: Recorded, state: State, now: number) => void

/** `complain` is called once, with the reason in words, if the files cannot be written. */
export function mirrorInto(complain: (why: string) => void, paths: Paths): Mirror {
  const written = new Map<string, string>()
  const tried = writing(complain)
  return (event, state, now) =>
    tried(() => {
      if (state.spec.session) projectMarker(paths, state)
      if (!shownBy.has(event.kind) || isInTreeOfGroup(state)) return
      show(state, now, written)
    })
}

/** The files in that tree belong to its group (engine/project/group). */
function isInTreeOfGroup({ spec }: State): boolean {
  return spec.group !== undefined && spec.copy === undefined
}

/** `written`: the last written content by path, to avoid equal writes. */
function show(state: State, now: number, written: Map<string, string>): void {
  const { cwd } = state.spec
  const elsewhere = replaced(cwd, state.tree.place)
  if (elsewhere) throw new Error(factWords(elsewhere))
  if (state.turn.outcome && state.spec.deleteState) return removeStateFiles(cwd)
  const document = state.spec.session ? sessionState(state) : stateJson(state)
  const page = redactText(progressPage(state, now), [])
  writeStateFiles(cwd, { 'state.json': document, 'PROGRESS.md': page }, written)
}
