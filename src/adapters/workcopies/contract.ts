/**
 * The contract of working copies: an independent copy of a work tree for an attempt or a parallel task. Its sources
 * are a checkpoint of the tree, byte for byte, whatever the user does meanwhile. Ignored files (small ones such as
 * .env, and dependency directories) come from the tree as it is now. Nothing written in a copy can reach the tree,
 * another copy, or what copies share. The only way back is a checkpoint of the copy.
 */
import type { Merged } from '../../checkpoints/contract.ts'
import type { GitCheckpoints } from '../../checkpoints/git/backend.ts'
import type { Result } from '../../model/failure.ts'
import type { Mount } from '../../model/loop/spec.ts'
import type { IgnoredWrites, WrittenIn } from './ignored.ts'

/** Plain data, because it is recorded in a journal: a restarted host uses it. */
export type WorkCopy = {
  /** The directory of the copy; the `cwd` of a member. With mounts, dependency directories are visible in runs only. */
  path: string
  /** The checkpoint it was made from, in the store of the tree. */
  base: string
  /** How dependency directories were brought: `snapshot`, `reflink` and `overlay` take no space. */
  how: 'snapshot' | 'reflink' | 'overlay' | 'copy'
  /** For `spec.copy`. Null where no mount namespace is permitted: then commands run in `path`. */
  mounts: Mount[] | null
  ms: number
  /** Ignored paths that could not be read, and are missing in the copy. */
  skipped: string[]
  /**
   * Without mounts: files of dependency directories that name the tree by its absolute path (virtual environments,
   * caches of cmake), by which a command in the copy would use the tree itself. Not empty: `copySetup` is needed.
   */
  references: string[]
  /** Directories of the tree itself that are layers of this copy, by path in the tree, and their fingerprints then. */
  borrowed: { path: string; print: string }[]
}

/** `done` of `of` parts of the ignored directory `path` are copied. */
type CopyProgress = { path: string; done: number; of: number }

export type MakeRequest = {
  /** The journal that owns the copy (a group), and the name of the copy there: together they are its name on disk. */
  loop: string
  name: string
  /** A checkpoint in the store of the tree; null: of the tree as it is now, which is saved as `<name>-base`. */
  base: string | null
  /**
   * `skip`: leave out large ignored directories, because a set-up command will create them. `borrow`, for a copy that
   * serves one command: where mounts are permitted they are read in the tree itself, and `changed` tells afterwards
   * whether they stayed as they were. Default: `share`.
   */
  dependencies?: 'share' | 'skip' | 'borrow'
  /** Ignored files that were written later are left out, except those of dependency directories. */
  ignoredUntilMs?: number
  signal: AbortSignal
  progress?: (at: CopyProgress) => void
}

export type WorkCopies = {
  /**
   * Makes the copy, or returns the one that is there: it can be called again, after a crash at any point too. A copy
   * that was not finished is made again. If it is aborted, or an ignored directory changes while it is copied, it
   * fails and leaves nothing behind.
   */
  make(request: MakeRequest): Promise<Result<WorkCopy>>
  /** Where the copy of this name is or would be, for `remove` after a crash in `make`. */
  pathOf(name: { loop: string; name: string }): string
  /** The ignored files of the tree that were written in this span of time; not dependencies, caches and build outputs. */
  ignoredSince(span: WrittenIn & { signal: AbortSignal }): Promise<IgnoredWrites>
  /** A borrowed directory that is not as it was when the copy was made; null if all are. */
  changed(copy: Pick<WorkCopy, 'borrowed'>, signal: AbortSignal): Promise<string | null>
  /** Saves a copy as a checkpoint of this loop, in the store of the tree. Resolves to its id. */
  save(
    copy: Pick<WorkCopy, 'path'>,
    request: { loop: string; name: string; signal: AbortSignal; isNew?: boolean },
  ): Promise<Result<string>>
  /** Merges what changed in a copy and what changed in the tree since the base. Touches neither. */
  merge(request: { base: string; ours: string; theirs: string }): Promise<Result<Merged>>
  /** Removes a copy, whole or half made. Nothing may run in it any more. */
  remove(copy: Pick<WorkCopy, 'path'>): Promise<Result<null>>
  /** The checkpoint backends of the tree and of a copy; both use the store of the tree. */
  tree: GitCheckpoints
  of(copy: Pick<WorkCopy, 'path'>): GitCheckpoints
}
