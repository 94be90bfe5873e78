/**
 * What garbage collection has thrown away of a loop, and when. Whether a checkpoint is there is asked of the store of
 * its work tree, which alone can know; a note in the directory of the loop says when it went. The note is durable
 * before anything is removed, and means nothing while the thing is still there: so a crash in between says nothing
 * false (docs/decisions/0054).
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listCheckpoints } from '../../checkpoints/git/clean.ts'
import { openRepository } from '../../checkpoints/git/repository.ts'
import { namesOf, nameWords, treeOf } from '../../core/loop/parts/tree.ts'
import type { State } from '../../core/loop/state.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { sizeOf } from '../../store/files/artifact.ts'
import { checkpointStore, discardNotes, loopDir, type Paths } from '../../store/files/paths.ts'
import { goneWords } from '../../views/words/discarded.ts'

/** A checkpoint that is not there any more; `at` is null where no note says when it went. */
export type Discarded = { name: string; at: number | null }

type Note = { at: number; checkpoints?: string[]; outputs?: true }

/** To be called before it is done. */
export function noteDiscard(paths: Paths, loop: string, note: Note): void {
  mkdirSync(loopDir(paths, loop), { recursive: true, mode: 0o700 })
  // A line that a crash cut short ends here, and counts for nothing.
  appendFileSync(discardNotes(paths, loop), `\n${JSON.stringify(note)}\n`, { mode: 0o600, flush: true })
}

/** The checkpoints of a loop that were saved and cannot be read any more, oldest first. */
export function discardedOf(paths: Paths, { id, spec, tree: { checkpoints } }: State): Discarded[] {
  const store = checkpointStore(paths, spec)
  const isMissing = (name: string) => !existsSync(join(store, 'refs/loop', id, name))
  const missing = namesOf(checkpoints).filter(name => treeOf(checkpoints, name) && isMissing(name))
  if (missing.length === 0) return []
  // Two checkpoints of the same files are one object: it stays as long as one of its names does.
  const kept = new Set(listCheckpoints(openRepository({ tree: store, store })).map(one => one.id))
  const notes = notesOf(paths, id)
  const timeOf = (name: string) => notes.findLast(note => note.checkpoints?.includes(name))?.at ?? null
  return missing
    .filter(name => !kept.has(treeOf(checkpoints, name) ?? ''))
    .map(name => ({ name, at: timeOf(name) }))
}

/** When the outputs of a loop went; null where no note says so. */
export function outputsDiscardedAt(paths: Paths, loop: string): number | null {
  return notesOf(paths, loop).findLast(note => note.outputs)?.at ?? null
}

/** What can be read of the checkpoint of this name; or why there is nothing. `typed` is what the person called it. */
export function savedTree(
  paths: Paths,
  state: State,
  { name, typed = name }: { name: string; typed?: string },
): Result<string> {
  const { id, tree } = state
  const saved = treeOf(tree.checkpoints, name)
  if (saved === undefined) {
    const words = `Loop ${id} has no checkpoint ${typed}. It has: ${nameWords(tree.checkpoints)}.`
    return fail('invalid-arguments', words)
  }
  if (saved === null)
    return fail('not-allowed', `Loop ${id} was started with --checkpoint none: nothing was saved.`)
  const discarded = discardedOf(paths, state)
  const gone = discarded.find(one => one.name === name)
  if (!gone) return ok(saved)
  const left = namesOf(tree.checkpoints).filter(known => discarded.every(one => one.name !== known))
  return fail('checkpoint-gone', goneWords(id, gone, left))
}

/** Damaged lines count for nothing: an agent can reach this file. */
function notesOf(paths: Paths, loop: string): Note[] {
  const file = discardNotes(paths, loop)
  if (sizeOf(file) === 0) return []
  return readFileSync(file, 'utf8').split('\n').flatMap(noteIn)
}

function noteIn(line: string): Note[] {
  try {
    const { at, checkpoints, outputs } = JSON.parse(line) as Record<string, unknown>
    if (typeof at !== 'number' || Number.isNaN(new Date(at).getTime())) return []
    return [
      {
        at,
        ...(Array.isArray(checkpoints) && { checkpoints: checkpoints.map(String) }),
        ...(outputs === true && { outputs }),
      },
    ]
  } catch {
    return [] // not a line of ours
  }
}
