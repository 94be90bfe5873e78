/**
 * What garbage collection removed from a loop, and when. Only the store of a work tree knows whether a checkpoint
 * still exists; a note in the loop's directory has the time of its removal. The note is durable before the removal
 * and has no meaning while the thing still exists, so a crash in between causes no false statement
 * (docs/decisions/0016-gc.md).
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listCheckpoints } from '../../checkpoints/git/clean.ts'
import { openRepository } from '../../checkpoints/objects/repository.ts'
import { namesOf, treeOf } from '../../core/loop/parts/tree.ts'
import type { State } from '../../core/loop/state.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { sizeOf } from '../../store/files/artifact.ts'
import { checkpointStore, discardNotes, loopDir, type Paths } from '../../store/files/paths.ts'

/** A checkpoint that no longer exists; `at` is null if no note has the time. */
export type Discarded = { name: string; at: number | null }

type Note = { at: number; checkpoints?: string[]; outputs?: true }

/** Must be called before the removal. */
export function noteDiscard(paths: Paths, loop: string, note: Note): void {
  mkdirSync(loopDir(paths, loop), { recursive: true, mode: 0o700 })
  // The leading newline ends a line that a crash cut short; such a line is ignored.
  appendFileSync(discardNotes(paths, loop), `\n${JSON.stringify(note)}\n`, { mode: 0o600, flush: true })
}

/** The checkpoints of a loop that were saved and can no longer be read, oldest first. */
export function discardedOf(paths: Paths, { id, spec, tree: { checkpoints } }: State): Discarded[] {
  const store = checkpointStore(paths, spec)
  const isMissing = (name: string) => !existsSync(join(store, 'refs/loop', id, name))
  const missing = namesOf(checkpoints).filter(name => treeOf(checkpoints, name) && isMissing(name))
  if (missing.length === 0) return []
  // Two checkpoints with the same files are one object, which stays as long as one of its names does.
  const kept = new Set(listCheckpoints(openRepository({ tree: store, store })).map(one => one.id))
  const notes = notesOf(paths, id)
  const timeOf = (name: string) => notes.findLast(note => note.checkpoints?.includes(name))?.at ?? null
  return missing
    .filter(name => !kept.has(treeOf(checkpoints, name) ?? ''))
    .map(name => ({ name, at: timeOf(name) }))
}

/** The time when the outputs of a loop were removed; null if there is no note. */
export function outputsDiscardedAt(paths: Paths, loop: string): number | null {
  return notesOf(paths, loop).findLast(note => note.outputs)?.at ?? null
}

/** The saved tree of this checkpoint, or the reason why it cannot be read. `typed` is the name that the person used. */
export function savedTree(
  paths: Paths,
  state: State,
  { name, typed = name }: { name: string; typed?: string },
): Result<string> {
  const { id, tree } = state
  const saved = treeOf(tree.checkpoints, name)
  if (saved === undefined) {
    return fail('invalid-arguments', {
      kind: 'unknown-checkpoint',
      id,
      typed,
      has: namesOf(tree.checkpoints),
    })
  }
  if (saved === null) return fail('not-allowed', { kind: 'nothing-saved', id })
  const discarded = discardedOf(paths, state)
  const gone = discarded.find(one => one.name === name)
  if (!gone) return ok(saved)
  const left = namesOf(tree.checkpoints).filter(known => discarded.every(one => one.name !== known))
  return fail('checkpoint-gone', { kind: 'checkpoint-discarded', id, name: gone.name, at: gone.at, left })
}

/**
 * The first of these saved trees of a group that no longer exists. Some have no name in the store, so their objects
 * are looked up.
 */
export async function goneOfGroup(
  paths: Paths,
  { id, cwd }: { id: string; cwd: string },
  trees: readonly { name: string; tree: string }[],
): Promise<Result<null>> {
  const store = checkpointStore(paths, { cwd })
  const { git } = openRepository({ tree: store, store })
  for (const { name, tree } of trees) {
    const found = existsSync(store) && (await git({ args: ['cat-file', '-e', tree] })).ok
    const at = notesOf(paths, id).findLast(note => note.checkpoints)?.at ?? null
    if (!found) return fail('checkpoint-gone', { kind: 'group-tree-discarded', id, name, at })
  }
  return ok(null)
}

/** Invalid lines are ignored: an agent can reach this file. */
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
