/**
 * What git says of a work tree besides its files, for a promise that runs git: paths that the index hides
 * (`--skip-worktree`, `--assume-unchanged`), tags and remote branches. A commit on the user's branch is the work.
 */
import { exec } from '../../platform/exec.ts'

export type GitState = { hidden: string[]; refs: string[] }

const most = 1_000

/** Empty outside of a repository. */
export async function gitState(cwd: string): Promise<GitState> {
  const files = await linesOf(cwd, ['ls-files', '-v'])
  const refs = await linesOf(cwd, [
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/tags',
    'refs/remotes',
  ])
  // A lower-case letter is an entry that counts as unchanged, S one that is left out of the work tree.
  return { hidden: files.filter(line => /^[a-zS] /.test(line)).slice(0, most), refs: refs.slice(0, most) }
}

/** What differs, by names under `.git`. */
export function gitChanges(before: GitState, now: GitState): string[] {
  const isNew = (lines: readonly string[]) => (line: string) => !lines.includes(line)
  const hidden = now.hidden.some(isNew(before.hidden)) ? ['.git/index'] : []
  const moved = [...before.refs.filter(isNew(now.refs)), ...now.refs.filter(isNew(before.refs))]
  return [...hidden, ...new Set(moved.map(line => `.git/${line.split(' ')[0]}`))]
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
