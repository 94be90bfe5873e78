/**
 * Finds what a restore leaves in place though the target does not have it: paths that the target could not save, and
 * paths that its rules ignore. The target does not say whether these were there at the time, so deleting them could
 * lose something. Files that something is mounted on stay too: they cannot be removed. The tree is not touched.
 */
import { platform } from '../../platform/platform.ts'
import { Unable } from '../errors.ts'
import { ancestorsOf, isLink, joinPath } from '../format/file.ts'
import { isIgnored, type Rules, rulesIn } from '../format/ignore-rules.ts'
import type { Reader } from '../objects/reader.ts'
import type { Repository } from '../objects/repository.ts'
import { outerRules } from '../scan/outer-rules.ts'
import { fileAt } from '../scan/snapshot.ts'
import type { Change, Difference, Target } from './difference.ts'
import type { SavedTree } from './save.ts'

type Plan = {
  reader: Reader
  repository: Repository
  /** Are ignored files saved like all others? */
  ignoredToo: boolean
  saved: SavedTree
  target: Target
  difference: Difference
  mounts: Mounts
  /** The checkpoint of the tree before the first attempt; that of `saved`, unless an attempt was killed before. */
  first: string
}

/** `stays`: files. `staysEmpty`: does a directory stay in which no file is left? */
type Staying = { stays: Set<string>; staysEmpty(path: string): boolean }

/**
 * After a restore that was killed, files stay that were not saved before its first attempt: it may have made them
 * visible by removing a rule. What stands in the way of a path of the target does not stay.
 */
export async function staying(plan: Plan): Promise<Staying> {
  const { saved, target, first, mounts } = plan
  const { write, remove } = plan.difference
  const isResumed = first !== saved.id
  const held = isResumed ? await pathsOf(plan.repository, first) : null
  // With the same rules, every file that is saved now would have been saved in the target too.
  const rulesDiffer =
    isResumed ||
    target.notes.rules !== saved.snapshot.rules ||
    [...write, ...remove].some(({ path }) => isRules(path))
  const ignored = rulesDiffer && !plan.ignoredToo ? await rulesOfTarget(plan) : () => false
  const { skipped, empty } = target.notes
  const isSkipped = (path: string) =>
    skipped.size > 0 && [path, ...ancestorsOf(path)].some(at => skipped.has(at))
  const created = new Set(write.filter(({ before }) => !before).map(({ path }) => path))
  const needed = [...created, ...empty]
  const blocked = new Set(needed.flatMap(path => [path, ...ancestorsOf(path)]))
  const mayStay = (path: string) => !blocked.has(path) && !ancestorsOf(path).some(at => created.has(at))
  const isUnknown = (path: string, isDir: boolean) => isSkipped(path) || ignored(path, isDir)
  const stays = remove.filter(
    ({ path }) =>
      mounts.has(path) || (((held && !held.has(path)) || isUnknown(path, false)) && mayStay(path)),
  )
  return {
    stays: new Set(stays.map(({ path }) => path)),
    staysEmpty: path => mayStay(path) && isUnknown(path, true),
  }
}

async function pathsOf(repository: Repository, id: string): Promise<Set<string>> {
  const listed = await repository.git({ args: ['ls-tree', '-r', '-z', '--name-only', id] })
  if (!listed.ok) throw new Unable(listed.failure.facts)
  return new Set(listed.value.stdout.toString('latin1').split('\0').slice(0, -1))
}

type Ignores = (path: string, isDir: boolean) => boolean

async function rulesOfTarget({ reader, repository, saved, difference }: Plan): Promise<Ignores> {
  const rules = new Map<string, Rules>()
  const gone = new Set(difference.remove.map(({ path }) => path))
  const written = new Map(difference.write.map(change => [change.path, change]))
  const paths = [...difference.remove.map(({ path }) => path), ...difference.goneDirs]
  const directories = new Set(['', ...paths.flatMap(ancestorsOf)])
  for (const directory of directories) {
    const path = joinPath(directory, '.gitignore')
    const change = written.get(path) ?? fileAt(saved.snapshot.root, path)
    if (!change || gone.has(path) || ('link' in change ? change.link : isLink(change.mode))) continue
    const { content } = await reader.read(change.id)
    rules.set(directory, rulesIn(directory, content.toString('latin1')))
  }
  const outer = outerRules(repository).rules
  return (path, isDir) => {
    const above = ancestorsOf(path)
    const stackOf = (depth: number) => [
      ...outer,
      ...['', ...above.slice(0, depth)].flatMap(at => rules.get(at) ?? []),
    ]
    return (
      above.some((at, depth) => isIgnored(stackOf(depth), at, true)) ||
      isIgnored(stackOf(above.length), path, isDir)
    )
  }
}

function isRules(path: string): boolean {
  return /(^|\/)\.gitignore$/.test(path)
}

/**
 * Mounts inside a work tree, and what they forbid: a path that something is mounted on can be neither removed nor
 * replaced, and nothing can be changed below a read-only mount. Checked before a restore touches anything.
 */

/** The paths in the tree that something is mounted on; the value says whether that is read-only. */
export type Mounts = ReadonlyMap<string, boolean>

export function mountsIn(tree: string): Mounts {
  return new Map(platform.files.mountedBelow(tree).map(({ path, isReadOnly }) => [path, isReadOnly]))
}

/** A path that a restore would have to change but cannot, and why; null where no mount is in the way. */
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
  const shut = [...changed, ...goneDirs, ...empty].find(
    path => !mounts.has(path) && isBelowReadOnly(mounts, path),
  )
  return shut === undefined ? null : { path: shut, why: 'which is mounted read-only' }
}

function isModeOnly({ before, id, link }: Change): boolean {
  return before !== null && before.id === id && !link && !isLink(before.mode)
}

function isBelowReadOnly(mounts: Mounts, path: string): boolean {
  const nearest = ancestorsOf(path).findLast(at => mounts.has(at))
  return nearest !== undefined && mounts.get(nearest) === true
}
