/**
 * Working copies on this machine. A btrfs subvolume is snapshotted, everything else is copied by `cp`, which
 * shares blocks where the filesystem can (reflink) and copies bytes where it cannot. No hard links, no symlinks
 * and no overlays: nothing that is written in a copy can reach the tree, and no mount has to be cleaned up.
 */
import { existsSync, mkdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isSubvolume, removeSnapshot, snapshotsOf, takeSnapshot } from '../../checkpoints/btrfs.ts'
import { type GitCheckpoints, gitCheckpoints } from '../../checkpoints/git/backend.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { exec } from '../process/exec.ts'
import type { WorkCopies, WorkCopy } from './contract.ts'
import { makeIndependent } from './independent.ts'

type LocalCopiesOptions = {
  tree: string
  /** The git store of the tree's checkpoints. */
  store: string
  /** Where copies go unless they have to be on the filesystem of the tree. */
  copies: string
}

const attempts = 3
const sharingFilesystems = [0x9123683e, 0x58465342]

export function localCopies(options: LocalCopiesOptions): WorkCopies {
  const { tree, store } = options
  const origin = gitCheckpoints({ tree, store })
  const opened = new Map<string, GitCheckpoints>()
  const place = placeOf(options)

  function checkpointsOf(copy: WorkCopy): GitCheckpoints {
    const known = opened.get(copy.path)
    if (known) return known
    const cache = `snapshot-${basename(join(copy.path, '..'))}`
    const made = gitCheckpoints({ tree: copy.path, store, cache, rulesOf: tree })
    opened.set(copy.path, made)
    return made
  }

  return {
    async make({ loop, name, signal }) {
      const path = join(place, `${loop}-${name}`, basename(tree))
      const take = () => origin.take({ loop, name: `${name}-base`, since: null, signal })
      let base = await take()
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        if (!base.ok) return base
        const copied = await copyTree(tree, path, signal)
        if (!copied.ok) return discard(path, copied)
        const after = await take()
        if (!after.ok) return discard(path, after)
        const { tree: id } = after.value
        if (id !== null && id === base.value.tree) return ok({ path, base: id, how: copied.value })
        base = after
      }
      const words = `${tree} changed each time while it was copied.`
      return discard(path, fail('step-failed', `${words} Stop what writes to it, then start again.`))
    },
    async save(copy, request) {
      const taken = await checkpointsOf(copy).take({ ...request, since: null })
      if (!taken.ok) return taken
      if (taken.value.tree === null) throw new Error('Internal error: a git checkpoint has an id')
      return ok(taken.value.tree)
    },
    merge: request => origin.merge(request),
    pathOf: ({ loop, name }) => join(place, `${loop}-${name}`, basename(tree)),
    tree: origin,
    of: checkpointsOf,
    async remove(copy) {
      opened.delete(copy.path)
      return remove(copy.path)
    },
  }
}

/** Sharing blocks works within one filesystem only: beside the tree where that is needed. */
function placeOf({ tree, copies }: LocalCopiesOptions): string {
  mkdirSync(copies, { recursive: true, mode: 0o700 })
  const isNear = statSync(copies).dev === statSync(tree).dev
  const canShare = sharingFilesystems.includes(statfsSync(tree).type)
  return isNear || !canShare ? copies : join(snapshotsOf(tree), 'copies')
}

async function copyTree(tree: string, path: string, signal: AbortSignal): Promise<Result<WorkCopy['how']>> {
  const removed = await remove(path)
  if (!removed.ok) return removed
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const snapshot = isSubvolume(tree) ? await takeSnapshot({ tree, path, writable: true, signal }) : null
  const how = snapshot?.ok ? ok('snapshot' as const) : await copyFiles(tree, path, signal)
  if (!how.ok) return how
  const independent = await makeIndependent(tree, path, signal)
  return independent.ok ? how : independent
}

async function copyFiles(
  tree: string,
  path: string,
  signal: AbortSignal,
): Promise<Result<'reflink' | 'copy'>> {
  const always = await cp(['--reflink=always', tree, path], signal)
  if (always.ok) return ok('reflink')
  if (signal.aborted) return always
  rmSync(path, { recursive: true, force: true })
  const plain = await cp(['--reflink=never', tree, path], signal)
  return plain.ok ? ok('copy') : plain
}

export async function cp(args: string[], signal: AbortSignal): Promise<Result<null>> {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }
  const done = await exec({ argv: ['cp', '-a', '--no-target-directory', ...args], cwd: '/', env, signal })
  if (done.code === 0) return ok(null)
  const said = done.stderr.toString().trim().split('\n').at(-1) ?? ''
  return fail('step-failed', `Copying ${args.at(-2)} failed: ${said || done.cut}. Is the disk full?`)
}

async function discard<T>(path: string, failure: Result<T>): Promise<Result<never>> {
  await remove(path)
  if (failure.ok) throw new Error('Internal error: nothing failed')
  return failure
}

async function remove(path: string): Promise<Result<null>> {
  if (!existsSync(path)) return ok(null)
  if (isSubvolume(path)) {
    const deleted = await removeSnapshot(path)
    if (!deleted.ok) return deleted
  }
  rmSync(join(path, '..'), { recursive: true, force: true })
  return ok(null)
}
