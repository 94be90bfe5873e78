/**
 * Makes the repository of a copy its own. A copied .git directory is; a .git file (linked worktree, submodule)
 * would still point to the user's repository, so it is replaced by a copy of what it names.
 */
import { copyFileSync, existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitDirectories } from '../../checkpoints/scan/outer-rules.ts'
import { ok, type Result } from '../../model/failure.ts'
import { cp } from './local.ts'

/** Of a linked worktree alone; the rest is in the common directory. */
const ownFiles = ['HEAD', 'index', 'ORIG_HEAD', 'MERGE_HEAD', 'MERGE_MSG', 'config.worktree']

export async function makeIndependent(
  tree: string,
  copy: string,
  signal: AbortSignal,
): Promise<Result<null>> {
  const git = join(copy, '.git')
  const stat = lstatSync(git, { throwIfNoEntry: false })
  if (!stat || stat.isDirectory()) return ok(null)
  const { gitDirectory, ownDirectory } = gitDirectories(tree)
  rmSync(git)
  if (!existsSync(gitDirectory)) return ok(null)
  const copied = await cp(['--reflink=auto', gitDirectory, git], signal)
  if (!copied.ok) return copied
  rmSync(join(git, 'worktrees'), { recursive: true, force: true })
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
