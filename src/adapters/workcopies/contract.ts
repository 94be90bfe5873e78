/**
 * The contract of working copies: an independent copy of a work tree for an attempt or a parallel task. Its sources
 * are a saved tree of the checkpoint store, byte for byte, whatever the user does meanwhile; what is ignored (small
 * files such as .env, dependency directories) comes from the tree as it is. Nothing that is written in a copy can
 * reach the tree, another copy, or what copies share. Only checkpoints come back.
 */
import type { Merged } from '../../checkpoints/contract.ts'
import type { GitCheckpoints } from '../../checkpoints/git/backend.ts'
import type { Result } from '../../model/failure.ts'
import type { Mount } from '../../model/loop/spec.ts'

/** Plain data: it is recorded in a journal, and a restart goes on with it. */
export type WorkCopy = {
  /** Where the copy is; a member's `cwd`. Where it has mounts, dependency directories are seen in its runs only. */
  path: string
  /** The checkpoint of the tree it was made from, in the store of the tree. */
  base: string
  /** How dependency directories came there: `snapshot`, `reflink` and `overlay` cost no space. */
  how: 'snapshot' | 'reflink' | 'overlay' | 'copy'
  /** For `spec.copy`; null where no mount namespace is permitted: then commands run in `path`. */
  mounts: Mount[] | null
  ms: number
  /** Ignored paths of the tree that could not be read, and are missing in the copy. */
  skipped: string[]
  /**
   * Without mounts: files of dependency directories that name the tree by its absolute path (virtual environments,
   * caches of cmake), by which a command in the copy would use the tree itself. Not empty: `copySetup` is needed.
   */
  references: string[]
}

/** `done` of `of` parts of an ignored directory are copied. */
type CopyProgress = { path: string; done: number; of: number }

export type MakeRequest = {
  /** The journal that owns the copy (a group), and the name of the copy in it: together they name it on disk. */
  loop: string
  name: string
  /** A saved tree in the store of the tree; null: the tree as it is now, saved as `<name>-base`. */
  base: string | null
  /** `skip`: large ignored directories are left out, since a set-up command will make them. `share` without it. */
  dependencies?: 'share' | 'skip'
  signal: AbortSignal
  progress?: (at: CopyProgress) => void
}

export type WorkCopies = {
  /**
   * Asked again, after a crash at any point too, it gives the copy that is there, or makes it anew where it was not
   * finished. Fails, and leaves nothing, where it is aborted or an ignored directory changes while it is copied.
   */
  make(request: MakeRequest): Promise<Result<WorkCopy>>
  /** Where the copy of this name is, or would be: for `remove` after a crash in `make`. */
  pathOf(name: { loop: string; name: string }): string
  /** The state of a copy as a checkpoint in the store of the tree, named for that loop. */
  save(
    copy: Pick<WorkCopy, 'path'>,
    request: { loop: string; name: string; signal: AbortSignal },
  ): Promise<Result<string>>
  /** What a copy made of its base, and what became of the tree meanwhile, together. Touches neither. */
  merge(request: { base: string; ours: string; theirs: string }): Promise<Result<Merged>>
  /** Leaves nothing of it, half made or whole; to be asked when nothing runs in it any more. */
  remove(copy: Pick<WorkCopy, 'path'>): Promise<Result<null>>
  /** The checkpoints of the tree itself, and of a copy: both in the store of the tree. */
  tree: GitCheckpoints
  of(copy: Pick<WorkCopy, 'path'>): GitCheckpoints
}
