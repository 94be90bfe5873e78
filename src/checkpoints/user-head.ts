/**
 * The HEAD of the user's repository, read from its files: no git process looks at the work tree. Whatever cannot be
 * read (another format of refs, no permission) is null, so that it never looks as if HEAD had moved.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { userRepository } from './scan/outer-rules.ts'

/** `dir`: the git directory. `branch`: null for a detached HEAD. */
type UserHead = { dir: string; branch: string | null; commit: string | null }

const mostBytes = 16_777_216
const id = /^[0-9a-f]{40,64}$/

/** Null where the tree is in no repository. */
export function userHead(tree: string): UserHead | null {
  try {
    const user = userRepository(tree)
    if (!user) return null
    const { gitDirectory, ownDirectory } = user
    const head = read(join(ownDirectory, 'HEAD')).trim()
    const [, branch] = /^ref: refs\/heads\/(\S+)$/.exec(head) ?? []
    if (branch === undefined) return { dir: gitDirectory, branch: null, commit: id.test(head) ? head : null }
    return { dir: gitDirectory, branch, commit: commitOf(gitDirectory, `refs/heads/${branch}`) }
  } catch {
    return null // it was removed while it was read
  }
}

function commitOf(gitDirectory: string, ref: string): string | null {
  const loose = read(join(gitDirectory, ref)).trim()
  if (id.test(loose)) return loose
  const line = read(join(gitDirectory, 'packed-refs'))
    .split('\n')
    .find(packed => packed.endsWith(` ${ref}`))
  return line?.split(' ')[0] ?? null
}

/** Empty where there is no regular file: a pipe would block. */
function read(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() && stat.size <= mostBytes ? readFileSync(path, 'utf8') : ''
}
