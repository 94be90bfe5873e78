/**
 * The contract of working copies: a full, independent copy of a work tree for an attempt or a parallel task,
 * uncommitted, untracked and dependency files included. A copy shares nothing with the tree that an agent could
 * change: no file, and no configuration, ref or hook of its repository. Only checkpoints come back.
 */
import type { Merged } from '../../checkpoints/contract.ts'
import type { GitCheckpoints } from '../../checkpoints/git/backend.ts'
import type { Result } from '../../model/failure.ts'

export type WorkCopy = {
  path: string
  /** The checkpoint of the tree it was made from, in the store of the tree. */
  base: string
  /** How the bytes came there: `snapshot` and `reflink` cost no space. */
  how: 'snapshot' | 'reflink' | 'copy'
}

export type WorkCopies = {
  /** Fails, and leaves nothing, where the tree does not hold still while it is copied. */
  make(request: {
    loop: string
    name: string
    base: string | null
    signal: AbortSignal
  }): Promise<Result<WorkCopy>>
  /** The state of a copy as a checkpoint in the store of the tree, named for that loop. */
  save(copy: WorkCopy, request: { loop: string; name: string; signal: AbortSignal }): Promise<Result<string>>
  /** What a copy made of its base, and what became of the tree meanwhile, together. Touches neither. */
  merge(request: { base: string; ours: string; theirs: string }): Promise<Result<Merged>>
  remove(copy: WorkCopy): Promise<Result<null>>
  /** Where the copy of this name is, or would be. */
  pathOf(of: { loop: string; name: string }): string
  /** The checkpoints of the tree itself, and of a copy: both in the store of the tree. */
  tree: GitCheckpoints
  of(copy: WorkCopy): GitCheckpoints
}
