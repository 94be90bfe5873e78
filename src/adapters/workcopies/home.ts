/**
 * The directory of one working copy: the file `made`, which says that the copy is complete, and its removal. `made` is
 * written last and removed first: whatever moment a kill hits, a copy is complete or is made again.
 */

import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { removeSnapshot } from '../../checkpoints/btrfs.ts'
import { copyCache } from '../../checkpoints/objects/repository.ts'
import type { Result } from '../../model/failure.ts'
import { platform } from '../../platform/platform.ts'
import type { MakeRequest, WorkCopy } from './contract.ts'
import { removeAll } from './copy-files.ts'
import { unuse } from './templates.ts'

/** `store`: the checkpoint store of the tree, which has a snapshot file of the copy. */
export type Made = { copy: WorkCopy; dependencies: NonNullable<MakeRequest['dependencies']>; store: string }

/** Null where there is no copy, or an incomplete one. */
export function readMade(home: string): Made | null {
  try {
    return JSON.parse(readFileSync(join(home, 'made'), 'utf8')) as Made
  } catch {
    return null // missing or incomplete: `make` has not returned
  }
}

export function writeMade(home: string, made: Made): void {
  const fresh = join(home, 'made.new')
  writeFileSync(fresh, JSON.stringify(made), { mode: 0o600, flush: true })
  renameSync(fresh, join(home, 'made'))
}

/** The complete copies of the same journal and base: a new one shares what they share. */
export function siblings(home: string, { loop, base }: { loop: string; base: string }): WorkCopy[] {
  const place = join(home, '..')
  return readdirSync(place)
    .filter(name => name.startsWith(`${loop}-`))
    .flatMap(name => readMade(join(place, name)) ?? [])
    .filter(({ copy, dependencies }) => copy.base === base && dependencies === 'share')
    .map(({ copy }) => copy)
}

/** `store`: the store of the tree, for a copy without `made`, if the caller knows it. */
export async function removeHome(home: string, store?: string): Promise<Result<null>> {
  const made = readMade(home)
  rmSync(join(home, 'made'), { force: true })
  const mounts = made?.copy.mounts ?? []
  // Only the copy itself has layers that are templates; the others belong to the tree.
  const own = mounts.find(({ upper }) => upper === made?.copy.path)
  for (const layer of own?.lower ?? []) unuse(layer, home)
  forgetCache(home, made?.store ?? store)
  for (const path of subvolumesIn(home)) {
    const deleted = await removeSnapshot(path)
    if (!deleted.ok) return deleted
  }
  const removed = await removeAll(home)
  // Copies beside a tree: the directories that held them go with the last one.
  const place = dirname(home)
  if (basename(dirname(place)).endsWith('.loop'))
    for (const empty of [place, dirname(place)]) removeEmpty(empty)
  return removed
}

function forgetCache(home: string, store: string | undefined): void {
  if (store === undefined) return
  const cache = copyCache(join(home, 'tree'))
  for (const name of [cache, `${cache}.tmp`, `restoring-${cache}`]) rmSync(join(store, name), { force: true })
}

function subvolumesIn(home: string): string[] {
  if (!existsSync(home)) return []
  return readdirSync(home)
    .map(name => join(home, name))
    .filter(path => lstatSync(path).isDirectory() && platform.files.isSubvolume(path))
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EEXIST') throw error
  }
}
