/**
 * Removes files of loops that ended a while ago: leftover working copies, and the outputs of agents and promises.
 * The journal, with the end of each output, stays.
 */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readMade, removeHome } from '../../adapters/workcopies/home.ts'
import { snapshotsOf } from '../../checkpoints/btrfs.ts'
import { noteDiscard } from './discarded.ts'
import { expired, type Work } from './work.ts'

/** The directories of a loop that hold outputs. */
const printed = ['runs', 'verify', 'hooks', 'commands']
const probeMs = 600_000

export type FileReport = { path: string; bytes: number }

/** Copies are in one directory of the user, or beside their tree (adapters/workcopies). */
export async function removeCopies(work: Work): Promise<FileReport[]> {
  const isExpired = expired(work)
  const found = copiesIn(work).filter(path =>
    isProbe(path) ? isLeftover(path, work) : isExpired(loopOf(path), path),
  )
  const reports = found.map(path => ({ path, bytes: bytesIn(path) }))
  if (work.isDry) return reports
  const isGone = await Promise.all(found.map(async path => (await removeHome(path)).ok))
  return reports.filter((_, at) => isGone[at])
}

/** The working copies that no journal of this store has made. */
export function strayCopies(work: Pick<Work, 'paths' | 'loops'>): string[] {
  const loops = work.loops()
  return copiesIn(work).filter(path => !isProbe(path) && !loops.has(loopOf(path)))
}

/** An empty trial mount (platform/linux/runs), which takes a moment; a killed program leaves it behind. */
function isProbe(copy: string): boolean {
  return basename(copy).startsWith('.probe-')
}

function isLeftover(probe: string, { of, now }: Work): boolean {
  const since = lstatSync(probe, { throwIfNoEntry: false })?.mtimeMs ?? now
  return of === 'known' && now - since > probeMs
}

/** Copies of another data directory in the same place are left alone. */
function copiesIn({ paths, loops }: Pick<Work, 'paths' | 'loops'>): string[] {
  const known = loops()
  const trees = new Set(Array.from(known.values(), ({ cwd }) => cwd))
  const places = [paths.copies, ...Array.from(trees, tree => join(snapshotsOf(tree), 'copies'))]
  const isOurs = (path: string) => {
    const store = readMade(path)?.store
    return known.has(loopOf(path)) || store === undefined || store.startsWith(`${paths.trees}/`)
  }
  return places.flatMap(below).filter(isOurs)
}

/** A copy is named after the journal that made it. */
function loopOf(copy: string): string {
  return basename(copy).split('-')[0] ?? ''
}

/** Removes the files of runs and verifications; for an unknown loop everything. */
export function removeOutputs(work: Work): FileReport[] {
  const loops = work.loops()
  const isExpired = expired(work, work.outputMs)
  const reports: FileReport[] = []
  for (const path of below(work.paths.loops)) {
    const id = basename(path)
    const parts = loops.has(id) ? printed.map(name => join(path, name)) : [path]
    const there = parts.filter(part => existsSync(part))
    if (there.length === 0 || !isExpired(id, ...there)) continue
    reports.push({ path, bytes: there.reduce((sum, part) => sum + bytesIn(part), 0) })
    if (work.isDry) continue
    if (loops.has(id)) noteDiscard(work.paths, id, { at: work.now, outputs: true })
    for (const part of there) rmSync(part, { recursive: true, force: true })
  }
  return reports
}

/** The bytes of all outputs that are still there. */
export function keptOutput({ paths }: Pick<Work, 'paths'>): number {
  return below(paths.loops).reduce(
    (sum, loop) => sum + printed.reduce((all, part) => all + bytesIn(join(loop, part)), 0),
    0,
  )
}

function below(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).map(name => join(directory, name)) : []
}

function bytesIn(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.size ?? 0
  try {
    return below(path).reduce((sum, one) => sum + bytesIn(one), 0)
  } catch {
    return 0 // an agent, or an overlay, has left a directory that cannot be listed; it can be removed
  }
}
