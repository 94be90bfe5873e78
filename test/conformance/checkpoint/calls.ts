/** Calls of a checkpoint backend that must succeed, and a look into its store with plain git. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Checkpoints, Restored, Taken } from '../../../src/checkpoints/contract.ts'
import { failureWords } from '../../../src/failures/words.ts'
import type { Result } from '../../../src/model/failure.ts'
import { type Box, sh } from './work-tree.ts'

export const loop = 'abc123'
export const never = new AbortController().signal

export function value<T>(result: Result<T>): T {
  assert.ok(result.ok, result.ok ? '' : failureWords(result.failure))
  return result.value
}

export async function take(
  checkpoints: Checkpoints,
  name: string,
  since: string | null = null,
): Promise<Taken & { tree: string }> {
  const taken = value(await checkpoints.take({ loop, name, since, signal: never }))
  assert.ok(taken.tree)
  return { ...taken, tree: taken.tree }
}

export async function restore(checkpoints: Checkpoints, tree: string, keepAs: string): Promise<Restored> {
  return value(await checkpoints.restore({ loop, tree, keepAs }))
}

export function savedTree(at: Box, name: string): string {
  return readFileSync(join(at.store, 'refs/loop', loop, name), 'utf8').trim()
}

export function savedPaths(at: Box, tree: string): Set<string> {
  const args = ['--git-dir', at.store, 'ls-tree', '-r', '-z', '--name-only', tree]
  const output = execFileSync('git', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  return new Set(output.toString('latin1').split('\0').slice(0, -1))
}

/** The tree of the first checkpoint. */
export function savedAs(at: Box): string {
  const ref = 'refs/loop/abc123/iter-001^{tree}'
  const git = `git --git-dir ${at.store}`
  // Reads the size of each file, so every object that the tree names must exist.
  sh(
    at,
    `${git} ls-tree -rl ${ref.replace('^{tree}', '')} > ../listed 2> ../said || { cat ../said >&2; exit 1; }`,
  )
  return sh(at, `${git} rev-parse '${ref}' 2>/dev/null`).trim()
}

/** The tree that plain git writes when it reads every byte. Repositories inside are read as plain directories. */
export function readByGit(at: Box, tree: string): string {
  const oracle = join(at.root, 'oracle')
  const copy = `cp -a ${tree} ${oracle}; cd ${oracle}; find . -name .git -prune -exec rm -rf {} +; git init -q`
  const raw = `echo '* -text -filter -ident' > .git/info/attributes; git add -Af .; git write-tree`
  return sh(at, `${copy}; ${raw}`).trim()
}
