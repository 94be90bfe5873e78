/**
 * The btrfs backend: first a read-only snapshot of the subvolume, then a git checkpoint that is read from it. The
 * snapshot holds one moment of the whole tree, however busy it is, with ignored files, owners and attributes; it
 * stays as a plain directory for people to look into. Comparing and restoring use the git checkpoint, path by path:
 * swapping subvolumes would move HEAD, and remove the directory that shells and agents stand in.
 */
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fail, ok, type Result } from '../model/failure.ts'
import { exec } from '../platform/exec.ts'
import type { Checkpoints, Taken } from './contract.ts'
import { type GitCheckpointsOptions, gitCheckpoints } from './git/backend.ts'

type BtrfsOptions = GitCheckpointsOptions & {
  /** Where snapshots go: outside the tree, on the same file system. */
  snapshots?: string
}

/** Beside the tree, because the data directory may be on another file system. */
export function snapshotsOf(tree: string): string {
  return join(dirname(tree), `.${basename(tree)}.loop`)
}

export function btrfsCheckpoints(options: BtrfsOptions): Checkpoints {
  const { tree, snapshots = snapshotsOf(tree) } = options
  const git = gitCheckpoints(options)
  return {
    ...git,
    async take(request) {
      const startedMs = performance.now()
      const path = join(snapshots, request.loop, request.name)
      const made = await takeSnapshot({ tree, path, writable: false, signal: request.signal })
      if (!made.ok) return made
      const taken = await git.take({ ...request, from: path })
      return taken.ok ? ok<Taken>({ ...taken.value, durationMs: performance.now() - startedMs }) : taken
    },
  }
}

/** Made under another name first, so that an older snapshot of this name stays until the new one is there. */
export async function takeSnapshot(request: {
  tree: string
  path: string
  writable: boolean
  signal: AbortSignal
}): Promise<Result<null>> {
  const { tree, path, writable, signal } = request
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.new`
  if (existsSync(fresh)) await removeSnapshot(fresh, signal)
  const made = await btrfs(['subvolume', 'snapshot', ...(writable ? [] : ['-r']), tree, fresh], signal)
  if (!made.ok) return made
  const removed = existsSync(path) ? await removeSnapshot(path, signal) : ok(null)
  if (!removed.ok) return removed
  renameSync(fresh, path)
  return ok(null)
}

export function removeSnapshot(path: string, signal?: AbortSignal): Promise<Result<null>> {
  return btrfs(['subvolume', 'delete', path], signal)
}

async function btrfs(args: string[], signal: AbortSignal | undefined): Promise<Result<null>> {
  const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`, LC_ALL: 'C' }
  const done = await exec({ argv: ['btrfs', ...args], cwd: '/', env, ...(signal && { signal }) })
  if (done.code === 0) return ok(null)
  const said = done.stderr.toString().trim().split('\n').at(-1) ?? ''
  return fail('step-failed', {
    kind: 'btrfs-failed',
    command: args.slice(0, 2).join(' '),
    how: done.cut ?? `exit ${done.code}`,
    said,
  })
}
