/**
 * Checkpoints that are kept no longer: those of loops that ended a while ago, and of loops nobody knows. A work
 * tree in which a loop has not ended is left alone.
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
import { openRepository } from '../../checkpoints/git/repository.ts'
import { type GroupSummary, isGroup } from '../../core/group/summary.ts'
import type { Head } from '../../core/head.ts'
import { ok, type Result } from '../../model/failure.ts'
import { fileName } from '../perform/group/copy.ts'
import { noteDiscard } from './discarded.ts'
import { isBusy, oldIn, type Work } from './work.ts'

/** `kept`: why nothing of it was thrown away. */
export type TreeReport = { tree: string; checkpoints: number; bytes: number; kept: string | null }

const busyWords = 'a loop there has not ended'

/** Null where there is nothing to throw away. */
export async function cleanTree(work: Work, directory: string): Promise<Result<TreeReport | null>> {
  const store = join(directory, 'git')
  for (const left of readdirSync(directory).filter(name => name.includes('.gone-'))) {
    if (!work.isDry) rmSync(join(directory, left), { recursive: true, force: true })
  }
  if (!existsSync(store)) return ok(null)
  const repository = openRepository({ tree: store, store })
  const all = listCheckpoints(repository)
  const ends = work.keepsEnds ? endsOf(all, work.loops()) : new Set<Checkpoint>()
  const isOld = oldIn(work)
  const gone = all.filter(one => !ends.has(one) && isOld(one.loop))
  if (gone.length === 0) return ok(null)
  const mayClean = () => {
    const loops = work.loops()
    return !all.some(({ loop }) => isBusy(loops.get(loop)))
  }
  // Nobody reads what it would free where nobody asked.
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

/** Of the loops that are known: nobody asks for what is left of the others. */
function noteAll({ paths, now, loops }: Work, gone: readonly Checkpoint[]): void {
  const known = loops()
  for (const [loop, some] of Map.groupBy(gone, one => one.loop)) {
    if (known.has(loop)) noteDiscard(paths, loop, { at: now, checkpoints: some.map(({ name }) => name) })
  }
}

/**
 * The first and the last of each loop that is known: what it began with, and what it left. Of a group its beginning
 * and the result that is in the tree; its members have nothing else that anybody could want.
 */
function endsOf(all: readonly Checkpoint[], loops: Map<string, Head>): Set<Checkpoint> {
  const ends = new Set<Checkpoint>()
  const byLoop = Map.groupBy(all, ({ loop }) => loop)
  for (const [id, own] of byLoop) {
    const head = loops.get(id)
    if (!head || (head.group !== null && loops.has(head.group))) continue
    const last = isGroup(head) ? resultIn(head, own) : own.filter(isAfter).sort(byIteration)
    for (const one of [...own.filter(({ name }) => name === 'initial'), ...last.slice(-1)]) ends.add(one)
  }
  return ends
}

function isAfter({ name }: Checkpoint): boolean {
  return /^iter-\d+-after$/.test(name)
}

/** Named by its node and how often that was begun (engine/perform/group/copy). */
function resultIn({ inTree }: GroupSummary, own: readonly Checkpoint[]): Checkpoint[] {
  const node = inTree === null ? null : fileName(inTree)
  return own.filter(({ name }) => node !== null && name.replace(/-\d+$/, '') === node)
}

function byIteration(a: Checkpoint, b: Checkpoint): number {
  return Number(a.name.split('-')[1]) - Number(b.name.split('-')[1])
}

/** Of a tree that is a btrfs subvolume; what cannot be deleted is a directory the user sees. */
async function removeSnapshotOf(summary: Head | undefined, name: string): Promise<void> {
  const path = summary && join(snapshotsOf(summary.cwd), summary.id, name)
  if (path && existsSync(path)) await removeSnapshot(path)
}
