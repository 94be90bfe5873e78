/**
 * Removes expired checkpoints: those of loops that ended a while ago, or of unknown loops. A work tree with an
 * unfinished loop is not touched.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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
import { fileName } from '../perform/group/copy.ts'
import { noteDiscard } from './discarded.ts'
import { expired, isBusy, type Work } from './work.ts'

/** `kept`: the reason why nothing was removed. */
export type TreeReport = { tree: string; checkpoints: number; bytes: number; kept: string | null }

const busyWords = 'a loop there has not ended'

/** Null if there is nothing to remove. */
export async function cleanTree(work: Work, directory: string): Promise<Result<TreeReport | null>> {
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
