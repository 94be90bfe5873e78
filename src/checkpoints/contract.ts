/**
 * The contract of a checkpoint backend: save the exact state of a work tree, and bring it back exactly. No backend
 * writes to the user's repository or runs anything of it. The backends are git/backend, btrfs and none.
 */

import { isUtf8 } from 'node:buffer'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Changes } from '../model/loop/event.ts'

export type Taken = {
  /** The id of the checkpoint, for `restore`; null where the backend saves nothing. */
  tree: string | null
  durationMs: number
  /** Paths in the tree that cannot be saved: FIFOs, sockets, unreadable files. */
  skipped: string[]
  /** How many lines and files changed since the checkpoint `since`; null without one. */
  changes: Changes | null
  /** The paths of the files that `changes` counts; null without `since`. */
  changed: string[] | null
}

/**
 * `kept`: the checkpoint of the tree as it was before. `left`: paths that the restore did not touch, because they could
 * not be saved, in the target or now; a directory stands for everything below it.
 */
export type Restored = { kept: string; written: number; deleted: number; left: string[] }

/** The paths that a restore would write, delete and leave alone. */
export type Preview = { written: string[]; deleted: string[]; left: string[] }

export type Checkpoints = {
  /**
   * Saves the tree under `name` for this loop; a second call with the same name replaces it. `isNew`: the journal has
   * no checkpoint of this name; one that is there, of a journal that is lost, is kept under another name.
   * Resolves when the checkpoint is durable (fsynced). Does not throw for a full disk, a missing git and the like:
   * that is a failure with reason `step-failed`. Aborting leaves no half checkpoint.
   */
  take(request: {
    loop: string
    name: string
    since: string | null
    signal: AbortSignal
    isNew?: boolean
    /** A frozen copy of the tree to read instead of it (a btrfs snapshot). */
    from?: string
  }): Promise<Result<Taken>>
  /** The paths of the files that differ between two checkpoints. */
  changed(request: { from: string; to: string }): Promise<Result<string[]>>
  /** What changed in the work tree since a checkpoint, without making a new one. */
  changedSince(request: {
    since: string
    signal: AbortSignal
  }): Promise<Result<{ changes: Changes; changed: string[] }>>
  /**
   * The patch from one checkpoint to another. With `binary` it has the content of binary files and can be applied;
   * without, it only names them. A patch may be larger than memory: `take` gets it piece by piece, and returns false
   * to stop.
   */
  diff(request: {
    from: string
    to: string
    binary: boolean
    take(piece: Buffer): boolean
  }): Promise<Result<null>>
  /** What `restore` would do. Does not touch the work tree. */
  preview(request: { loop: string; tree: string }): Promise<Result<Preview>>
  /**
   * Makes the work tree equal to the checkpoint `tree`. First saves the present state under `keepAs`, so that the
   * restore can be undone. Touches only what differs. Never deletes a file that is in no checkpoint, a path that
   * `tree` could not save, or an ignored file that is not in `tree`. If it is killed half-way, the same call finishes
   * the work. Aborting has an effect only until the first change of the tree; after that the restore is finished.
   */
  restore(request: {
    loop: string
    tree: string
    keepAs: string
    signal?: AbortSignal
  }): Promise<Result<Restored>>
}

const mostPatchMb = 16

/** The whole patch with binary files, for callers that cannot use pieces; a failure where it is too large for memory. */
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
  return fail('step-failed', { kind: 'patch-too-large', mostMb: mostPatchMb })
}

/** A patch as JSON. One that is not UTF-8 would be damaged as text: its bytes are added as base64. */
export function patchJson(patch: Buffer): { patch: string; patchBase64?: string } {
  const text = patch.toString('utf8')
  return isUtf8(patch) ? { patch: text } : { patch: text, patchBase64: patch.toString('base64') }
}

/** How one file changed from one checkpoint to another; a binary file has no lines. `isNew`: it was not there before. */
export type FileChange = { path: string; added: number; removed: number; isNew: boolean }

/**
 * `id`: the checkpoint of the merged state; null where there are conflicts. `marked`: the merged state with conflict
 * markers; null where a conflict cannot be marked (binary files, a file that one side deleted, a link, a directory).
 */
export type Merged = { id: string | null; conflicts: string[]; marked?: string | null; unmarkable?: string[] }
