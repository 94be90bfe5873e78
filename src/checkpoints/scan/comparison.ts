/**
 * Compares directories of the tree with the user's index: in which of them is every file as the index says, with no
 * file missing and none added? Each is listed and lstat called for each of its files, but only a few numbers are
 * kept, so that a tree without changes costs no memory. Two threads can work on one comparison.
 */
import { lstatSync, readdirSync } from 'node:fs'
import { isDirectory, isLink, isRegular, linkMode, locate } from '../format/file.ts'
import { type Entries, openEntries, type Table } from '../format/user-index-entries.ts'

/** Shared by both threads. For each directory: `taken`, 1 once a thread has begun with it, and a row of numbers. */
export type Comparison = { tree: string; table: Table; taken: Int32Array; rows: Int32Array }

/**
 * The columns of a row; all are zero where the directory differs from the index. `count`: files and links. `file`,
 * `files`: the mode that all non-executable files have, and how many these are; `exec`, `execs` and `dir`, `dirs` are
 * the same for executable files and for directories.
 */
export const row = { count: 0, file: 1, files: 2, exec: 3, execs: 4, dir: 5, dirs: 6 } as const
export const rowLength = 7

const quiet = { throwIfNoEntry: false } as const
/** The index holds the lower 32 bits of an inode number: a larger one could not be told from another. */
const mostIno = 2 ** 32

export function beginComparison(tree: string, table: Table): Comparison {
  const count = table.above.length
  const shared = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length))
  return { tree, table, taken: shared(count), rows: shared(count * rowLength) }
}

type Turns = {
  count: number
  /** False where a thread has begun with it already. */
  compare(directory: number): boolean
}

export function openComparison(comparison: Comparison, entries = openEntries(comparison.table)): Turns {
  const { tree, table, taken, rows } = comparison
  return {
    count: taken.length,
    compare(directory) {
      if (Atomics.compareExchange(taken, directory, 0, 1) !== 0) return false
      look({ tree, table, entries, rows, directory })
      return true
    },
  }
}

type IndexDir = { tree: string; table: Table; entries: Entries; rows: Int32Array; directory: number }

function look(expected: IndexDir): void {
  const { tree, entries, rows, directory } = expected
  const path = locate(tree, entries.directoryOf(directory))
  try {
    if (!isAsIndexed(path, expected)) return clear(expected)
    // Only now: so it was no link to another directory while its files were looked at.
    const stat = lstatSync(path, quiet)
    if (!stat || !isDirectory(stat.mode)) return clear(expected)
    rows[directory * rowLength + row.dir] = stat.mode
    rows[directory * rowLength + row.dirs] = 1
  } catch {
    // The scan will list it again, and report the error.
    clear(expected)
  }
}

function clear({ rows, directory }: IndexDir): void {
  rows.fill(0, directory * rowLength, (directory + 1) * rowLength)
}

function isAsIndexed(path: string | Buffer, expected: IndexDir): boolean {
  const { table, rows, directory } = expected
  const { runs, nextRuns } = table
  const first = table.firstRuns[directory] as number
  let count = 0
  for (let run = first; run >= 0; run = nextRuns[run] as number)
    count += (runs[run + 1] as number) - (runs[run] as number)
  const names = readdirSync(path, { encoding: 'latin1' as BufferEncoding })
  const others = names.length - count - (table.inside[directory] as number)
  if (others !== 0 && !(others === 1 && names.includes('.git'))) return false
  rows[directory * rowLength + row.count] = count
  const listed = { names, next: 0, others: [] }
  for (let run = first; run >= 0; run = nextRuns[run] as number)
    if (!isSameRun(expected, run, listed)) return false
  return hasOnlyDirectories(expected, [...listed.others, ...names.slice(listed.next)])
}

/**
 * The names of a directory as they were listed. They are expected in the order of the index; `next` is the first that
 * no file was found for yet, `others` are those that were passed over (directories, mostly).
 */
type Names = { names: readonly string[]; next: number; others: string[] }

function isSameRun({ tree, table, entries, rows, directory }: IndexDir, run: number, listed: Names): boolean {
  const length = table.lengths[directory] as number
  const end = table.runs[run + 1] as number
  for (let file = table.runs[run] as number; file < end; file += 1) {
    const path = entries.pathOf(file)
    // Each name must be listed once: a hostile index could name one file twice, in place of one it does not name.
    if (!isNext(listed, length === 0 ? path : path.slice(length + 1))) return false
    const stat = lstatSync(locate(tree, path), quiet)
    if (!stat || !entries.isSame(file, stat) || stat.ino >= mostIno) return false
    if (!isAlike(rows, directory * rowLength, stat.mode)) return false
  }
  return true
}

function isNext(listed: Names, name: string): boolean {
  const { names } = listed
  while (listed.next < names.length) {
    const found = names[listed.next] as string
    listed.next += 1
    if (found === name) return true
    listed.others.push(found)
  }
  return false
}

function hasOnlyDirectories({ entries, directory }: IndexDir, names: readonly string[]): boolean {
  if (names.length === 0) return true
  const known = new Set(entries.directoriesIn(directory).map(entries.nameOf))
  return names.every(name => known.has(name) || name === '.git')
}

function isAlike(rows: Int32Array, at: number, mode: number): boolean {
  if (isLink(mode)) return mode === linkMode
  const kind = at + (mode & 0o100 ? row.exec : row.file)
  // The column after the mode counts.
  rows[kind + 1] = (rows[kind + 1] as number) + 1
  // The first file sets the mode for all. Not a regular file, whatever the index says: no mode fits.
  if (rows[kind] === 0) rows[kind] = isRegular(mode) ? mode : -1
  return rows[kind] === mode
}
