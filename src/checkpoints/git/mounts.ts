/**
 * What is mounted inside a work tree, as the kernel lists it, and what that does not permit: a file or directory that
 * something is mounted on can be neither removed nor replaced, and nothing can be changed on a mount that is read-only.
 * Found before a restore touches anything. Elsewhere than on Linux nothing is found.
 */
import { readFileSync } from 'node:fs'
import { ancestorsOf } from '../scan/listing.ts'
import { isLink } from '../scan/stat.ts'
import type { Change, Difference } from './difference.ts'
import { isMissing } from './trouble.ts'

/** Paths below the tree, latin1 as all paths here, with whether it is read-only. */
export type Mounts = ReadonlyMap<string, boolean>

export function mountsIn(tree: string): Mounts {
  const prefix = `${Buffer.from(tree).toString('latin1')}/`
  const found = new Map<string, boolean>()
  for (const line of mountLines()) {
    const [mount = '', source = ''] = line.split(' - ')
    const [, , , , place = '', options = ''] = mount.split(' ')
    const path = place.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    )
    if (!path.startsWith(prefix)) continue
    const all = [...options.split(','), ...(source.split(' ')[2] ?? '').split(',')]
    found.set(path.slice(prefix.length), all.includes('ro'))
  }
  return found
}

function mountLines(): string[] {
  try {
    return readFileSync('/proc/self/mountinfo', 'latin1').split('\n').slice(0, -1)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** A path that a restore would have to change and cannot, and why; null where mounts are in no way. */
export function barred(
  mounts: Mounts,
  { write, remove, goneDirs }: Difference,
  empty: readonly string[],
): { path: string; why: string } | null {
  if (mounts.size === 0) return null
  const needed = new Set([
    ...write.flatMap(({ path }) => ancestorsOf(path)),
    ...empty,
    ...empty.flatMap(ancestorsOf),
  ])
  const replaced = [
    ...write.filter(change => !isModeOnly(change)).map(({ path }) => path),
    ...remove.map(({ path }) => path).filter(path => needed.has(path)),
  ]
  const fixed = replaced.find(path => [...mounts.keys()].some(at => at === path || at.startsWith(`${path}/`)))
  if (fixed !== undefined) return { path: fixed, why: 'on which something is mounted' }
  const changed = [...write, ...remove].map(({ path }) => path)
  const shut = [...changed, ...goneDirs, ...empty].find(path => !mounts.has(path) && isReadOnly(mounts, path))
  return shut === undefined ? null : { path: shut, why: 'which is mounted read-only' }
}

function isModeOnly({ before, id, link }: Change): boolean {
  return before !== null && before.id === id && !link && !isLink(before.mode)
}

function isReadOnly(mounts: Mounts, path: string): boolean {
  const nearest = ancestorsOf(path).findLast(at => mounts.has(at))
  return nearest !== undefined && mounts.get(nearest) === true
}
