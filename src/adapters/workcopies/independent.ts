/**
 * Gives a copy a repository of its own. A .git directory is copied. A .git file (linked worktree, submodule) would
 * still point to the user's repository: it is replaced by a copy of the directory it names. Objects are not shared
 * through `alternates`, because the user's `git gc` could delete them, and not as plain hard links, because a
 * `chmod -R` in the copy would reach the user's files. With an overlay they are a layer of it (git-objects).
 */
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gitDirectories } from '../../checkpoints/scan/outer-rules.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { cp, removeAll } from './copy-files.ts'

/** Files that a linked worktree has for itself; all others are in the common directory. */
const ownFiles = ['HEAD', 'index', 'ORIG_HEAD', 'MERGE_HEAD', 'MERGE_MSG', 'config.worktree']
const attempts = 3

/** `isBare`: leave out the objects, which come another way. */
type Copying = { signal: AbortSignal; keep?: string; isBare?: boolean }

/** Copies the repository of `tree` (or of a directory in it) into the same directory of a copy. */
export async function copyRepository(tree: string, copy: string, how: Copying): Promise<Result<null>> {
  const stat = lstatSync(join(tree, '.git'), { throwIfNoEntry: false })
  if (!stat) return ok(null)
  if (stat.isDirectory()) return copyGit(join(tree, '.git'), join(copy, '.git'), how)
  return stat.isFile() ? makeIndependent(tree, copy, how) : ok(null)
}

/** For a copy whose `.git` is missing, or is a file that names the repository of `tree`. */
export async function makeIndependent(tree: string, copy: string, how: Copying): Promise<Result<null>> {
  const git = join(copy, '.git')
  const { gitDirectory, ownDirectory } = gitDirectories(tree)
  rmSync(git, { force: true })
  if (!existsSync(gitDirectory)) return ok(null)
  const copied = await copyGit(gitDirectory, git, how)
  if (!copied.ok) return copied
  for (const name of ownFiles) {
    if (ownDirectory !== gitDirectory && existsSync(join(ownDirectory, name))) {
      copyFileSync(join(ownDirectory, name), join(git, name))
    }
  }
  const config = join(git, 'config')
  if (existsSync(config)) {
    writeFileSync(config, readFileSync(config, 'latin1').replaceAll(/^\s*worktree\s*=.*\n/gm, ''), 'latin1')
  }
  return ok(null)
}

/** Copies a repository that may be in use: if a file vanishes meanwhile (a pack, by `git gc`), it starts again. */
export async function copyGit(
  from: string,
  to: string,
  { signal, keep, isBare = false }: Copying,
): Promise<Result<null>> {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  let copied: Result<null> = fail('step-failed', { kind: 'cannot-be-copied', path: from })
  for (let attempt = 0; attempt < attempts && !copied.ok && !signal.aborted; attempt += 1) {
    await removeAll(to)
    copied = isBare
      ? await copyBare(from, to, signal)
      : await cp({ from: [from], to: { as: to }, how: { reflink: 'auto' } }, signal)
  }
  if (copied.ok) forget(to, keep)
  return copied
}

async function copyBare(from: string, to: string, signal: AbortSignal): Promise<Result<null>> {
  mkdirSync(join(to, 'objects'), { recursive: true })
  const paths = readdirSync(from).filter(name => name !== 'objects')
  return cp({ from: paths.map(name => join(from, name)), to: { into: to }, how: { reflink: 'auto' } }, signal)
}

/**
 * Removes from a copied repository what belongs to the user: entries of other linked worktrees, which `git worktree
 * remove` in the copy would delete, and lock files of a running git. `keep`: the worktree that the copy is of.
 */
export function forget(git: string, keep = ''): void {
  const worktrees = join(git, 'worktrees')
  for (const name of existsSync(worktrees) ? readdirSync(worktrees) : []) {
    if (name !== keep) rmSync(join(worktrees, name), { recursive: true, force: true })
  }
  for (const name of readdirSync(git)) {
    if (name.endsWith('.lock') || name === 'gc.pid') rmSync(join(git, name), { force: true })
  }
}
