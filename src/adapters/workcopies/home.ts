/**
 * The directory of one working copy: the file that says it is whole, and its removal. What says so is written last
 * and removed first: a kill at any point leaves a copy that counts, or one that is made anew.
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
import { isSubvolume, removeSnapshot } from '../../checkpoints/btrfs.ts'
import { copyCache } from '../../checkpoints/git/repository.ts'
import type { Result } from '../../model/failure.ts'
import type { WorkCopy } from './contract.ts'
import { removeAll } from './remove-all.ts'
import { unuse } from './templates.ts'

/** `store`: the checkpoint store of its tree, which has a cache of the copy. */
export type Made = { copy: WorkCopy; dependencies: 'share' | 'skip'; store: string }

/** Null where there is no copy, or half of one. */
export function readMade(home: string): Made | null {
  try {
    return JSON.parse(readFileSync(join(home, 'made'), 'utf8')) as Made
  } catch {
    return null // not there, or cut short: then it was never answered
  }
}

export function writeMade(home: string, made: Made): void {
  const fresh = join(home, 'made.new')
  writeFileSync(fresh, JSON.stringify(made), { mode: 0o600, flush: true })
  renameSync(fresh, join(home, 'made'))
}

/** Copies of the same journal and base that are whole: what they share, the next one shares too. */
export function siblings(home: string, { loop, base }: { loop: string; base: string }): WorkCopy[] {
  const place = join(home, '..')
  return readdirSync(place)
    .filter(name => name.startsWith(`${loop}-`))
    .flatMap(name => readMade(join(place, name)) ?? [])
    .filter(({ copy, dependencies }) => copy.base === base && dependencies === 'share')
    .map(({ copy }) => copy)
}

/** `store`: that of a copy which is half made, where it is known. */
export async function removeHome(home: string, store?: string): Promise<Result<null>> {
  const made = readMade(home)
  rmSync(join(home, 'made'), { force: true })
  for (const { lower } of made?.copy.mounts ?? []) for (const layer of lower) unuse(layer, home)
  forgetCache(home, made?.store ?? store)
  for (const path of subvolumesIn(home)) {
    const deleted = await removeSnapshot(path)
    if (!deleted.ok) return deleted
  }
  const removed = await removeAll(home)
  // Beside a tree the directories that hold its copies go with the last of them.
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
    .filter(path => lstatSync(path).isDirectory() && isSubvolume(path))
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EEXIST') throw error
  }
}
