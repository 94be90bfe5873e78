/**
 * Garbage collection: removes expired checkpoints, working copies and outputs. It runs for `loop gc`, and sometimes
 * at the end of a foreground loop when nobody waits, so that retention works without loopd too.
 *
 * Expired checkpoints are those of loops that ended a while ago, or of unknown loops. A work tree with an
 * unfinished loop is not touched.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sweepTemplates } from '../../adapters/workcopies/templates.ts'
import { removeSnapshot, snapshotsOf } from '../../checkpoints/btrfs.ts'
import {
  type Checkpoint,
  listCheckpoints,
  removeCheckpoints,
  sizeOnDisk,
} from '../../checkpoints/git/clean.ts'
import { openRepository } from '../../checkpoints/objects/repository.ts'
import type { Head } from '../../core/head.ts'
import { type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { ok, type Result } from '../../model/failure.ts'
import { parseDuration } from '../../model/units.ts'
import { readConfigFile } from '../../options/config/file.ts'
import { settings } from '../../options/setting.ts'
import type { Store } from '../../store/contract.ts'
import type { Paths } from '../../store/files/paths.ts'
import { fileName } from '../perform/group/copy.ts'
import { noteDiscard } from './discarded.ts'
import { type FileReport, removeCopies, removeOutputs } from './files.ts'
import { expired, isBusy, loopsById, type Work } from './work.ts'

export type Collected = { trees: TreeReport[]; copies: FileReport[]; outputs: FileReport[] }

export async function collect(work: Work): Promise<Result<Collected>> {
  const trees: TreeReport[] = []
  for (const name of existsSync(work.paths.trees) ? readdirSync(work.paths.trees) : []) {
    const cleaned = await cleanTree(work, join(work.paths.trees, name))
    if (!cleaned.ok) return cleaned
    if (cleaned.value) trees.push(cleaned.value)
  }
  const copies = await removeCopies(work)
  // After the copies that used them.
  const { paths, now, retentionMs, isDry } = work
  const swept = { templates: paths.templates, now, retentionMs, isDry }
  const templates = work.of === 'known' ? await sweepTemplates(swept) : []
  return ok({ trees, copies: [...copies, ...templates], outputs: removeOutputs(work) })
}

/** Automatic collection. Errors are left to the next time, or to `loop gc`, which reports them. */
export async function collectByItself(store: Store, now: number): Promise<void> {
  const { paths } = store
  const retentionMs = await configured(paths, 'checkpoint-retention')
  const outputMs = await configured(paths, 'output-retention')
  if (retentionMs === null || outputMs === null) return
  const loops = () => loopsById(store)
  try {
    await collect({ paths, loops, now, retentionMs, outputMs, isDry: false, keepsEnds: true, of: 'known' })
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}

/** Retention is a setting of the user, not of a project. Null if the file cannot be read. */
async function configured(paths: Paths, name: string): Promise<number | null> {
  const setting = settings.find(one => one.name === name)
  const file = readConfigFile({ path: paths.config, of: 'user' })
  if (!setting || !file.ok) return null
  if (!file.value) return parseDuration(setting.default ?? '')
  const { layerOf, parseConfig } = await import('../../options/config/parse.ts')
  const entries = parseConfig(file.value)
  if (!entries.ok) return null
  return parseDuration(layerOf(file.value, entries.value)(setting)?.text ?? setting.default ?? '')
}

/** `kept`: the reason why nothing was removed. */
type TreeReport = { tree: string; checkpoints: number; bytes: number; kept: string | null }

const busyWords = 'a loop there has not ended'

/** Null if there is nothing to remove. */
async function cleanTree(work: Work, directory: string): Promise<Result<TreeReport | null>> {
  const store = join(directory, 'git')
  for (const left of readdirSync(directory).filter(name => name.includes('.gone-'))) {
    if (!work.isDry) rmSync(join(directory, left), { recursive: true, force: true })
  }
  if (!existsSync(store)) return ok(null)
  const repository = openRepository({ tree: store, store })
  const all = listCheckpoints(repository)
  const ends = work.keepsEnds ? endsOf(all, work.loops()) : new Set<Checkpoint>()
  const isExpired = expired(work)
  const old = new Set(
    all.map(({ loop }) => loop).filter(loop => isExpired(loop, join(store, 'refs/loop', loop))),
  )
  const gone = all.filter(one => !ends.has(one) && old.has(one.loop))
  if (gone.length === 0) return ok(null)
  const mayClean = () => {
    const loops = work.loops()
    return !all.some(({ loop }) => isBusy(loops.get(loop)))
  }
  // In automatic collection nobody reads the number of freed bytes, so it is not computed.
  const bytes = work.keepsEnds ? ok(0) : await sizeOnDisk(repository, gone)
  if (!bytes.ok) return bytes
  const report = { tree: directory, checkpoints: gone.length, bytes: bytes.value }
  if (work.isDry) return ok({ ...report, kept: mayClean() ? null : busyWords })
  const note = () => noteAll(work, gone)
  const removed = await removeCheckpoints(repository, { gone, mayClean, note })
  if (!removed.ok) return removed
  if (!removed.value) return ok({ ...report, kept: busyWords })
  for (const { loop, name } of gone) await removeSnapshotOf(work.loops().get(loop), name)
  return ok({ ...report, kept: null })
}

/** Notes are written only for known loops: nobody asks about the others. */
function noteAll({ paths, now, loops }: Work, gone: readonly Checkpoint[]): void {
  const known = loops()
  for (const [loop, some] of Map.groupBy(gone, one => one.loop)) {
    if (known.has(loop)) noteDiscard(paths, loop, { at: now, checkpoints: some.map(({ name }) => name) })
  }
}

/**
 * The first and the last checkpoint of each known loop. For a group: its first checkpoint and the result in the
 * tree; its members have nothing else of interest.
 */
function endsOf(all: readonly Checkpoint[], loops: Map<string, Summary>): Set<Checkpoint> {
  const ends = new Set<Checkpoint>()
  const byLoop = Map.groupBy(all, ({ loop }) => loop)
  for (const [id, own] of byLoop) {
    const head = loops.get(id)
    if (!head || (head.group !== null && loops.has(head.group))) continue
    const ofEnd = byKind(results, head, own).slice(-1)
    for (const one of [...own.filter(({ name }) => name === 'initial'), ...ofEnd]) ends.add(one)
  }
  return ends
}

/** The checkpoints that show what the work came to, the last one last. */
const results: ByKind<Checkpoint[], [readonly Checkpoint[]]> = {
  loop: (_, own) => own.filter(isAfter).sort(byIteration),
  // The checkpoint is named after its node and attempt (engine/perform/group/copy).
  group({ inTree }, own) {
    const node = inTree === null ? null : fileName(inTree)
    return own.filter(({ name }) => node !== null && name.replace(/-\d+$/, '') === node)
  },
  newer: (_, own) => own.filter(isAfter).sort(byIteration),
}

function isAfter({ name }: Checkpoint): boolean {
  return /^iter-\d+-after$/.test(name)
}

function byIteration(a: Checkpoint, b: Checkpoint): number {
  return Number(a.name.split('-')[1]) - Number(b.name.split('-')[1])
}

/** For a tree that is a btrfs subvolume; a snapshot that cannot be deleted is a directory that the user sees. */
async function removeSnapshotOf(summary: Head | undefined, name: string): Promise<void> {
  const path = summary && join(snapshotsOf(summary.cwd), summary.id, name)
  if (path && existsSync(path)) await removeSnapshot(path)
}
