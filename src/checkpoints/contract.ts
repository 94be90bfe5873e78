/**
 * The contract of a checkpoint backend: save the exact state of a work tree, bring it back exactly.
 * Nothing of the user's repository is touched or run, whatever the backend. Backends are in checkpoints/.
 */

import { isUtf8 } from 'node:buffer'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Changes } from '../model/loop/event.ts'

export type Taken = {
  /** What `restore` takes; null when the backend saves nothing. */
  tree: string | null
  durationMs: number
  /** Paths relative to the tree that cannot be saved: FIFO, socket, unreadable. */
  skipped: string[]
  /** Lines and files changed since the tree given as `since`; null where none was given. */
  changes: Changes | null
  /** The files behind `changes`, by name; null where none was given. */
  changed: string[] | null
}

/**
 * `kept`: the tree that was there before. `left`: paths that could not be saved, in the target or now, and are
 * therefore as they were before the restore; of a directory, with everything below it.
 */
export type Restored = { kept: string; written: number; deleted: number; left: string[] }

/** What a restore would do, by name. */
export type Preview = { written: string[]; deleted: string[]; left: string[] }

export type Checkpoints = {
  /**
   * Saves the tree under `name` for this loop; a second call with the same name replaces it.
   * Resolves only once it is durable (fsynced). Never throws for what the world can do (disk full, no git):
   * that is a failure with reason `step-failed`. Aborting leaves no half checkpoint.
   */
  take(request: {
    loop: string
    name: string
    since: string | null
    signal: AbortSignal
    /** A frozen copy of the tree to read instead of it, where there is one. */
    from?: string
  }): Promise<Result<Taken>>
  /** The files that differ between two saved trees, by name. */
  changed(request: { from: string; to: string }): Promise<Result<string[]>>
  /** What the work tree as it is now has changed since a saved one: what is there is given no name. */
  changedSince(request: {
    since: string
    signal: AbortSignal
  }): Promise<Result<{ changes: Changes; changed: string[] }>>
  /**
   * What changed from one saved tree to another, as a patch, byte for byte: with `binary` it holds the content of
   * binary files too and can be applied, without it names them only. A patch may be larger than memory: `take`
   * gets it piece by piece, and returns false to have no more of it.
   */
  diff(request: {
    from: string
    to: string
    binary: boolean
    take(piece: Buffer): boolean
  }): Promise<Result<null>>
  /** What `restore` would write and delete; touches nothing of the work tree. */
  preview(request: { loop: string; tree: string }): Promise<Result<Preview>>
  /**
   * Makes the tree equal to `tree`. Saves what is there first under `keepAs`, so that this can be undone.
   * Touches only what differs; never deletes a file that no checkpoint holds, nor what `tree` could not save, nor
   * what is ignored and not in `tree`. After a kill half-way the
   * same call finishes the work. Aborting counts until the tree is touched: from there on it is finished.
   */
  restore(request: {
    loop: string
    tree: string
    keepAs: string
    signal?: AbortSignal
  }): Promise<Result<Restored>>
}

const mostPatchMb = 16

/** A patch that can be applied, as a whole, for whoever cannot use pieces: a failure where it is too large. */
export async function wholeDiff(
  { diff }: Pick<Checkpoints, 'diff'>,
  range: { from: string; to: string },
): Promise<Result<Buffer>> {
  const pieces: Buffer[] = []
  let bytes = 0
  const take = (piece: Buffer) => {
    bytes += piece.length
    const isWhole = bytes <= mostPatchMb * 1024 * 1024
    if (isWhole) pieces.push(piece)
    return isWhole
  }
  const done = await diff({ ...range, binary: true, take })
  if (!done.ok) return done
  if (bytes <= mostPatchMb * 1024 * 1024) return ok(Buffer.concat(pieces))
  const words = `The patch is larger than ${mostPatchMb} MB.`
  return fail('step-failed', `${words} loop diff prints it, without --json.`)
}

/** A patch as JSON. A patch that is not UTF-8 does not survive as text: its bytes stand beside it. */
export function patchJson(patch: Buffer): { patch: string; patchBase64?: string } {
  const text = patch.toString('utf8')
  return isUtf8(patch) ? { patch: text } : { patch: text, patchBase64: patch.toString('base64') }
}

/** What became of one file from one saved tree to another; a binary file has no lines. */
export type FileChange = { path: string; added: number; removed: number; isNew: boolean }

/** `id`: the merged state, to be restored like any checkpoint; null where there are conflicts. */
export type Merged = { id: string | null; conflicts: string[] }
