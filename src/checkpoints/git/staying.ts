/**
 * What a restore leaves in place though the target does not have it: what the target cannot know. That is what it
 * could not save, and what its rules ignore: whether that was there at the time, it does not say. And a file that
 * something is mounted on, which cannot be removed.
 * Only finds out; the tree is not touched.
 */
import type { Reader } from '../objects/reader.ts'
import { isIgnored, type Rules, rulesIn } from '../scan/ignore.ts'
import { ancestorsOf, joinPath } from '../scan/listing.ts'
import { outerRules } from '../scan/outer-rules.ts'
import { fileAt } from '../scan/snapshot.ts'
import { isLink } from '../scan/stat.ts'
import type { Difference, Target } from './difference.ts'
import type { Mounts } from './mounts.ts'
import type { Repository } from './repository.ts'
import type { SavedTree } from './save.ts'
import { Unable } from './trouble.ts'

type Plan = {
  reader: Reader
  repository: Repository
  /** Whether ignored files are saved as all others are. */
  ignoredToo: boolean
  saved: SavedTree
  target: Target
  difference: Difference
  mounts: Mounts
  /** The tree as it was before the first attempt; that of `saved` unless another was cut off. */
  first: string
}

/** `staysEmpty`: whether a directory stays that nothing is left in. */
type Staying = { stays: Set<string>; staysEmpty(path: string): boolean }

/** Also stays what only a half-done restore made visible. Not what is in the way of something the target has. */
export async function staying(plan: Plan): Promise<Staying> {
  const { saved, target, first, mounts } = plan
  const { write, remove } = plan.difference
  const isResumed = first !== saved.id
  const held = isResumed ? await pathsOf(plan.repository, first) : null
  // While the rules are the same, the target would have what they do not ignore, and what is tracked all the same.
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
  if (!listed.ok) throw new Unable(listed.failure.message)
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
