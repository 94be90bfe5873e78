/**
 * What git says of a work tree besides its files, for a promise that runs git: paths that the index hides
 * (`--skip-worktree`, `--assume-unchanged`), what is staged, tags, replaced objects and the branches beside the current
 * one. A commit on the user's branch is the work.
 */
import { hash } from 'node:crypto'
import { exec } from '../../platform/exec.ts'

/** `staged`: the sum of what the index holds, and the commit it belongs to; absent in a file of an earlier version. */
export type GitState = { hidden: string[]; refs: string[]; staged?: string; head?: string }

const most = 1_000

/** Empty outside of a repository. */
export async function gitState(cwd: string): Promise<GitState> {
  const files = await linesOf(cwd, ['ls-files', '-v'])
  const index = await linesOf(cwd, ['ls-files', '-s'])
  const head = await linesOf(cwd, ['rev-parse', 'HEAD'])
  const refs = await linesOf(cwd, ['for-each-ref', '--format=%(HEAD)%(refname) %(objectname)'])
  return {
    // A lower-case letter is an entry that counts as unchanged, S one that is left out of the work tree.
    hidden: files.filter(line => /^[a-zS] /.test(line)).slice(0, most),
    refs: refs.flatMap(line => (line.startsWith(' ') ? line.slice(1) : [])).slice(0, most),
    ...(head.length + index.length > 0 && { staged: hash('sha256', index.join('\n')), head: head.join('') }),
  }
}

/** `isNew`: nobody can tell whether it was asked for. */
type GitChange = { path: string; isNew: boolean }

/** What differs, by names under `.git`. With another commit the index differs anyway. */
export function gitChanges(before: GitState, now: GitState): GitChange[] {
  const isMore = now.hidden.some(line => !before.hidden.includes(line))
  const isStaged = before.staged !== undefined && before.head === now.head && before.staged !== now.staged
  const index = isMore || isStaged ? [{ path: '.git/index', isNew: false }] : []
  const [old, fresh] = [byName(before.refs), byName(now.refs)]
  const moved = [...old].filter(([name, at]) => fresh.get(name) !== at).map(([name]) => name)
  const added = [...fresh.keys()].filter(name => !old.has(name))
  return [
    ...index,
    ...moved.map(name => ({ path: `.git/${name}`, isNew: false })),
    ...added.map(name => ({ path: `.git/${name}`, isNew: !name.startsWith('refs/replace') })),
  ]
}

/** A branch that was made, or left, is not among those that moved. */
function byName(refs: readonly string[]): Map<string, string> {
  return new Map(refs.map(line => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']))
}

async function linesOf(cwd: string, args: readonly string[]): Promise<string[]> {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' }
  // The user's settings could name a program to run.
  const done = await exec({ argv: ['git', '-c', 'core.fsmonitor=false', ...args], cwd, env })
  return done.code === 0
    ? done.stdout
        .toString()
        .split('\n')
        .filter(line => line !== '')
    : []
}
