/**
 * Brings into a copy what its tree has and no checkpoint holds. Small things are copied. Large ones (dependency
 * directories) share their blocks where the filesystem can; else they are frozen once as templates, which are layers
 * of an overlay in the runs of the copy; else, where no mounts are permitted, they are copied, and it is reported how
 * far that is and which of them name their tree by its path.
 */
import { lstatSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { openRepository } from '../../checkpoints/git/repository.ts'
import { locate, readable } from '../../checkpoints/scan/listing.ts'
import { outerRules } from '../../checkpoints/scan/outer-rules.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { WorkCopy } from './contract.ts'
import { copyLarge, copySmall, type Sharing, sharesBlocks } from './copy-files.ts'
import { objectsPath } from './git-objects.ts'
import { siblings } from './home.ts'
import { copyRepository } from './independent.ts'
import { leftOut } from './left-out.ts'
import type { Making } from './local.ts'
import { referencesIn } from './references.ts'
import { removeAll } from './remove-all.ts'
import { changedWords, freeze, use } from './templates.ts'
import { isLarge, type Weight, weigh } from './weigh.ts'

type Brought = Pick<WorkCopy, 'how' | 'skipped' | 'references'> & { lower: string[] }
type Large = { path: string; weight: Weight }

const attempts = 3
/** More layers than this make an overlay slow; the smallest of the large are copied then. */
const mostLayers = 60

export async function bringIgnored(making: Making): Promise<Result<Brought>> {
  const { tree, path, store, request } = making
  const { signal } = request
  const { rules } = outerRules(openRepository({ tree: path, store, rulesOf: tree }))
  const found = await leftOut({ tree, copy: path, outer: rules, signal })
  for (const one of found.repositories) {
    const copied = await bringRepository(making, one)
    if (!copied.ok) return copied
  }
  const shared = layersOfSiblings(making)
  const large: Large[] = []
  const skipped = found.shut.map(readable)
  for (const one of found.ignored) {
    if (shared.has(readable(one))) continue
    const weight = await weigh(tree, one, signal)
    if (weight?.isShut) skipped.push(readable(one))
    if (weight && isLarge(weight)) large.push({ path: one, weight })
    else if (weight) copySmallInto(making, one, weight)
    if (weight) await breathe()
  }
  if (request.dependencies === 'skip') return ok({ how: 'copy', lower: [], skipped, references: [] })
  if (shared.size > 0) return share(making, shared, skipped)
  const named = large.filter(({ path: one }) => isUtf8(one))
  skipped.push(...large.filter(({ path: one }) => !isUtf8(one)).map(one => readable(one.path)))
  const brought = await bringLarge(
    making,
    named.map(one => ({ ...one, path: readable(one.path) })),
  )
  return brought.ok ? ok({ ...brought.value, skipped }) : brought
}

/** What no argument of a program can name. */
function isUtf8(path: string): boolean {
  return Buffer.from(readable(path)).toString('latin1') === path
}

function copySmallInto({ tree, path }: Making, one: string, { isShut }: Weight): void {
  try {
    copySmall(Buffer.from(locate(tree, one)), Buffer.from(locate(path, one)))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // What cannot be read is reported; what has gone meanwhile was not to be kept.
    if (!(isShut && (code === 'EACCES' || code === 'EPERM')) && code !== 'ENOENT') throw error
  }
}

/** A `.git` below the root. One that names a repository inside the tree names the one of the copy, in the copy. */
async function bringRepository({ tree, path, request }: Making, git: string): Promise<Result<null>> {
  if (!isUtf8(git)) return ok(null)
  const at = dirname(readable(git))
  const file = join(tree, at, '.git')
  const stat = lstatSync(file, { throwIfNoEntry: false })
  const named =
    stat?.isFile() && stat.size < 10_000 ? /^gitdir: ([^/].*)$/m.exec(readFileSync(file, 'utf8')) : null
  if (!named || !join(tree, at, named[1] ?? '').startsWith(`${tree}/`)) {
    return copyRepository(join(tree, at), join(path, at), { signal: request.signal })
  }
  copySmall(Buffer.from(file), Buffer.from(join(path, at, '.git')))
  return ok(null)
}

/** The templates that another copy of this base has, by path: all copies of a group are to have the same. */
function layersOfSiblings({ home, base, request }: Making): Map<string, string> {
  const layers = siblings(home, { loop: request.loop, base }).flatMap(
    ({ mounts }) => mounts?.[0]?.lower ?? [],
  )
  // Not those of the repository, which goes on: each copy has what there is.
  return new Map(layers.flatMap(layer => pathOfLayer(layer) ?? []).filter(([at]) => at !== objectsPath))
}

function pathOfLayer(layer: string): [path: string, layer: string][] | null {
  try {
    return [[JSON.parse(readFileSync(join(dirname(layer), 'made'), 'utf8')).path, layer]]
  } catch {
    return null // somebody has removed it
  }
}

async function share(
  making: Making,
  shared: ReadonlyMap<string, string>,
  skipped: string[],
): Promise<Result<Brought>> {
  const lower = [...shared.values()]
  const gone = lower.find(layer => !use(dirname(layer), making.home))
  if (gone !== undefined) return fail('step-failed', `${gone}, which a copy uses, is gone. Start again.`)
  return ok({ how: 'overlay', lower, skipped, references: [] })
}

async function bringLarge(making: Making, large: Large[]): Promise<Result<Omit<Brought, 'skipped'>>> {
  const { tree, path, home, isBound } = making
  const none = { lower: [], references: [] }
  if (large.length === 0) return ok({ how: sharesBlocks(home) ? 'reflink' : 'copy', ...none })
  if (sharesBlocks(home)) {
    const copied = await copyAll(making, large, 'always')
    if (copied.ok || making.request.signal.aborted)
      return copied.ok ? ok({ how: 'reflink', ...none }) : copied
    for (const one of large) await removeAll(join(path, one.path))
  }
  const heaviest = large.toSorted((a, b) => b.weight.files - a.weight.files)
  const layers = making.isLayered ? mostLayers : 0
  const lower = await freezeAll(making, heaviest.slice(0, layers))
  if (!lower.ok) return lower
  const rest = heaviest.slice(layers)
  const copied = await copyAll(making, rest, 'never')
  if (!copied.ok) return copied
  if (layers > 0) return ok({ how: 'overlay', lower: lower.value, references: [] })
  const references = isBound
    ? []
    : referencesIn(
        path,
        rest.map(one => one.path),
        tree,
      )
  return ok({ how: 'copy', lower: [], references })
}

async function freezeAll(making: Making, large: readonly Large[]): Promise<Result<string[]>> {
  const { templates, tree, home, request, fault } = making
  const layers: string[] = []
  for (const { path, weight } of large) {
    const progress = (done: number, of: number) => request.progress?.({ path, done, of })
    const frozen = await freeze({
      templates,
      tree,
      path,
      weight,
      home,
      signal: request.signal,
      progress,
      fault,
    })
    if (!frozen.ok) return frozen
    layers.push(frozen.value)
  }
  return ok(layers)
}

async function copyAll(making: Making, large: readonly Large[], reflink: Sharing): Promise<Result<null>> {
  for (const one of large) {
    const copied = await copyStill(making, one, reflink)
    if (!copied.ok) return copied
  }
  return ok(null)
}

/** As it was at one moment: what changes while it is copied is copied again. */
async function copyStill(making: Making, { path, weight }: Large, reflink: Sharing): Promise<Result<null>> {
  const { tree, request } = making
  const { signal } = request
  const [from, to] = [join(tree, path), join(making.path, path)]
  let before: Weight | null = weight
  for (let attempt = 0; attempt < attempts && before; attempt += 1) {
    const progress = (done: number, of: number) => request.progress?.({ path, done, of })
    const copied = await copyLarge({ from, to, reflink, signal, progress })
    if (!copied.ok && (signal.aborted || !before.isShut)) return copied
    const after = await weigh(tree, path, signal)
    if (after?.print === before.print) return ok(null)
    before = after
    await removeAll(to)
  }
  return before ? fail('step-failed', changedWords(from)) : ok(null)
}
