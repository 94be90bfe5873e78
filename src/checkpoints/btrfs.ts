/**
 * Checkpoints of a btrfs subvolume: first a read-only snapshot, which is one moment of the whole tree however
 * busy it is, ignored files, owners and attributes included; then the git checkpoint, read from the snapshot.
 * The git store is what is compared and restored from, path by path: swapping subvolumes would move HEAD and
 * pull the directory away under whoever stands in it. The snapshots are for people: plain directories.
 */
import { existsSync, mkdirSync, renameSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { exec } from '../adapters/process/exec.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { Checkpoints, Taken } from './contract.ts'
import { type GitCheckpointsOptions, gitCheckpoints } from './git/backend.ts'

const btrfsMagic = 0x9123683e
/** The inode of the root of every subvolume. */
const subvolumeInode = 256

export function isSubvolume(tree: string): boolean {
  return statfsSync(tree).type === btrfsMagic && statSync(tree).ino === subvolumeInode
}

type BtrfsOptions = GitCheckpointsOptions & {
  /** Where snapshots go; on the same filesystem, outside the tree. */
  snapshots?: string
}

/** Beside the tree: the data directory may be on another filesystem. */
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

/** Under another name first: what is there of that name stays until the new one is. */
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
  const words = `btrfs ${args.slice(0, 2).join(' ')} failed (${done.cut ?? `exit ${done.code}`}): ${said}.`
  return fail(
    'step-failed',
    `${words} Nothing of it counts; use --checkpoint git where snapshots are not permitted.`,
  )
}
