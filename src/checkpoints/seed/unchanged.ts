/**
 * Finds whole subtrees that are exactly as the user's index says, and gives them to the scan as lazy directories. The
 * main thread compares directories from the front; in a large tree the second thread does from the rear.
 */

import { isLink, linkMode } from '../format/stat.ts'
import type { UserIndex } from '../format/user-index/index-file.ts'
import { beginComparison, type Comparison, openComparison, row, rowLength } from '../scan/comparison.ts'
import { type Alike, type Dir, type File, fileOf, lazyDir } from '../scan/snapshot.ts'
import { askThread } from '../scan/thread.ts'
import { worthAsking } from '../scan/walkers.ts'
import type { TreeOf } from './blob-sizes.ts'

const directoriesPerBreath = 100

/** The directory of this number, if everything below it is as the index says; else null. */
export type WholeDir = (directory: number) => Dir | null

export type Comparing = {
  /** To be called once. `treeOf` is called for each directory that the scan takes. */
  finish(treeOf: TreeOf, signal: AbortSignal | undefined): Promise<WholeDir>
  stop(): void
}

/** Starts the second thread on it at once, if there is one; the main thread begins in `finish`. */
export function beginComparing(index: UserIndex, tree: string): Comparing {
  const lookedMs = Date.now()
  const comparison = beginComparison(tree, index.table)
  const { promise: isAnswered, resolve } = Promise.withResolvers<void>()
  const isMany = comparison.taken.length >= worthAsking
  const asked = isMany ? askThread({ compare: comparison }, () => resolve()) : null
  const stop = () => {
    comparison.taken.fill(1)
    asked?.end()
  }
  return {
    stop,
    async finish(treeOf, signal) {
      try {
        const isAlone = await compareFromFront(index, comparison, signal)
        // The second thread may still be at its last directory. If it died, the rows it had not finished stay zero.
        if (!isAlone) await asked?.waitFor(isAnswered)
      } finally {
        stop()
      }
      addUp(comparison)
      return openWhole({ index, comparison, lookedMs, treeOf })
    },
  }
}

/** True if this thread did all of them, false where it met the other one. */
async function compareFromFront(
  index: UserIndex,
  comparison: Comparison,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { count, compare } = openComparison(comparison, index)
  for (let directory = 0; directory < count; directory += 1) {
    if (!compare(directory)) return false
    if (directory % directoriesPerBreath !== 0) continue
    signal?.throwIfAborted()
    await new Promise(resolve => setImmediate(resolve))
  }
  return true
}

type Compared = { index: UserIndex; comparison: Comparison; lookedMs: number; treeOf: TreeOf }

function openWhole({ index, comparison, lookedMs, treeOf }: Compared): WholeDir {
  function dirOf(directory: number): Dir | null {
    const alike = alikeIn(comparison, directory)
    // A thread that died in a directory leaves a count, but not yet the directory itself.
    if (alike.count === 0 || alike.dirs === 0) return null
    const path = index.directoryOf(directory)
    const dir = lazyDir(alike, {
      files: () => filesOf(index, path, { alike, lookedMs }),
      dirs: () => new Map(index.directoriesIn(directory).flatMap(named)),
    })
    const id = treeOf(path, alike.count)
    if (id !== null) dir.tree = id
    return dir
  }

  function named(directory: number): [name: string, dir: Dir][] {
    const dir = dirOf(directory)
    return dir ? [[index.nameOf(directory), dir]] : []
  }

  return dirOf
}

/** Adds the row of each directory to that of its parent: then a row is about a whole subtree. */
function addUp({ table: { above }, rows }: Comparison): void {
  // Children have higher numbers than their parents.
  for (let directory = above.length - 1; directory > 0; directory -= 1)
    add(rows, (above[directory] as number) * rowLength, directory * rowLength)
}

function add(rows: Int32Array, outer: number, inner: number): void {
  if (rows[outer + row.dirs] === 0) return
  const isAlike =
    rows[inner + row.dirs] !== 0 &&
    addModes(rows, outer + row.file, inner + row.file) &&
    addModes(rows, outer + row.exec, inner + row.exec) &&
    addModes(rows, outer + row.dir, inner + row.dir)
  if (isAlike)
    rows[outer + row.count] = (rows[outer + row.count] as number) + (rows[inner + row.count] as number)
  else rows.fill(0, outer, outer + rowLength)
}

/** Adds one mode and its count. False where the modes differ: then the subtree is not alike. */
function addModes(rows: Int32Array, outer: number, inner: number): boolean {
  const times = rows[inner + 1] as number
  if (times === 0) return true
  if (rows[outer + 1] === 0) rows[outer] = rows[inner] as number
  rows[outer + 1] = (rows[outer + 1] as number) + times
  return rows[outer] === rows[inner]
}

function alikeIn({ rows }: Comparison, directory: number): Alike {
  const at = directory * rowLength
  const [count = 0, file = 0, files = 0, exec = 0, execs = 0, dir = 0, dirs = 0] = rows.subarray(
    at,
    at + rowLength,
  )
  return { count, file, files, exec, execs, dir, dirs }
}

function filesOf(
  index: UserIndex,
  directory: string,
  seen: { alike: Alike; lookedMs: number },
): Dir['files'] {
  const files = new Map<string, File>()
  for (const [name, file] of index.filesIn(directory) ?? []) {
    const stat = {
      mode: modeOf(index.modeOf(file), seen.alike),
      size: index.sizeOf(file),
      mtimeMs: index.mtimeMsOf(file),
      ctimeMs: index.ctimeMsOf(file),
      ino: index.inoOf(file),
    }
    files.set(name, fileOf(stat, index.idOf(file), seen.lookedMs))
  }
  return files
}

function modeOf(gitMode: number, { file, exec }: Alike): number {
  if (isLink(gitMode)) return linkMode
  return gitMode & 0o100 ? exec : file
}
