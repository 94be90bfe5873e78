/**
 * Keeps `.loop/state.json` and `.loop/PROGRESS.md` of the work tree up to date with the journal, for hooks,
 * editors and people. Only a mirror: nothing reads it back, and where it cannot be written (a read-only tree,
 * a symlink that an agent has planted) the loop goes on without, and says so once.
 */
import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  ensureLoopDirectory,
  forRepository,
  hasOwnIgnore,
  replaceFile as replace,
} from '../../../adapters/tree-file.ts'
import { replaced } from '../../../adapters/work-tree.ts'
import type { State } from '../../../core/loop/state.ts'
import type { Event, Recorded } from '../../../model/loop/event.ts'
import type { Paths } from '../../../store/files/paths.ts'
import { stateJson } from '../../../views/json/state-file.ts'
import { redactText } from '../../../views/secrets/redact.ts'
import { progressPage } from '../../../views/text/progress.ts'
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

/** `complain` is told once, in words, if the files cannot be written. */
export function mirrorInto(complain: (why: string) => void, paths: Paths): Mirror {
  let silent = false
  const written = new Map<string, string>()
  return (event, state, now) => {
    try {
      if (state.spec.session) projectMarker(paths, state)
      if (!shownBy.has(event.kind)) return
      show(state, now, written)
    } catch (error) {
      if (!silent) complain(`.loop/state.json cannot be written: ${(error as Error).message}`)
      silent = true
    }
  }
}

/** `written`: what was last written, by path, so that nothing is written twice. */
function show(state: State, now: number, written: Map<string, string>): void {
  const elsewhere = replaced(state.spec.cwd, state.tree.place)
  if (elsewhere) throw new Error(elsewhere.why)
  const dir = join(state.spec.cwd, '.loop')
  if (state.turn.outcome && state.spec.deleteState) {
    if (isOurs(dir)) removeFrom(dir)
    return
  }
  if (!ensureLoopDirectory(dir)) throw new Error(`${dir} is not a directory`)
  const isThere = (name: string) => lstatSync(join(dir, name), { throwIfNoEntry: false }) !== undefined
  const document = state.spec.session ? sessionState(state) : stateJson(state)
  const files = { 'state.json': document, 'PROGRESS.md': redactText(progressPage(state, now), []) }
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir, name)
    if (written.get(path) === text && isThere(name)) continue
    replace(dir, name, text)
    written.set(path, text)
  }
}

/** What loop has written; the ignore file too, unless something is left that it keeps out of the repository. */
function removeFrom(dir: string): void {
  for (const name of ['state.json', 'PROGRESS.md']) rmSync(join(dir, name), { force: true })
  const left = readdirSync(dir).filter(name => name !== '.gitignore')
  if (left.every(name => forRepository.includes(name)) && hasOwnIgnore(dir)) rmSync(join(dir, '.gitignore'))
  if (readdirSync(dir).length === 0) rmdirSync(dir)
}

/** A symlink in its place could lead anywhere. */
function isOurs(dir: string): boolean {
  return lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false
}
