/**
 * The size of an ignored file or directory, and its fingerprint: a hash of the stat of every file below. It tells, without
 * reading any content, whether a frozen copy is still up to date, and whether something changed while it was copied.
 */
import { createHash } from 'node:crypto'
import { accessSync, constants, type Stats } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { isDirectory, isRegular, joinPath, locate, type Stat } from '../../checkpoints/format/file.ts'
import { listDirectory, lstatOrNull } from '../../checkpoints/scan/listing.ts'

export type Weight = {
  isDirectory: boolean
  files: number
  bytes: number
  print: string
  /** Something below it cannot be read: a copy lacks it. */
  isShut: boolean
}

const manyFiles = 200
const manyBytes = 8 * 1024 * 1024
const directoriesPerBreath = 100
const readByOthers = 0o004

/** Is it worth sharing? Smaller entries are copied faster. */
export function isLarge({ files, bytes }: Weight): boolean {
  return files > manyFiles || bytes > manyBytes
}

/** Null where it is gone, or lstat fails. */
export async function weigh(tree: string, path: string, signal: AbortSignal): Promise<Weight | null> {
  const stat = lstatOrNull(tree, path)
  if (!stat) return null
  const sum = createHash('sha1').update(lineOf('', stat))
  const found = { isDirectory: isDirectory(stat.mode), files: 0, bytes: 0, isShut: false }
  if (!found.isDirectory) {
    return {
      ...found,
      files: 1,
      bytes: stat.size,
      print: sum.digest('hex'),
      isShut: !mayRead(tree, path, stat),
    }
  }
  const open = [path]
  let visited = 0
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    visited += 1
    signal.throwIfAborted()
    if (visited % directoriesPerBreath === 0) await breathe()
    const { lines, ...here } = look(tree, directory)
    sum.update(`${directory}\n${lines}`)
    found.files += here.files
    found.bytes += here.bytes
    found.isShut ||= here.isShut
    open.push(...here.directories)
  }
  return { ...found, print: sum.digest('hex') }
}

type Looked = { lines: string; files: number; bytes: number; isShut: boolean; directories: string[] }

function look(tree: string, directory: string): Looked {
  const found: Looked = { lines: '', files: 0, bytes: 0, isShut: false, directories: [] }
  try {
    for (const { name, stat } of listDirectory(tree, directory)) {
      found.lines += lineOf(name, stat as Stats)
      if (isDirectory(stat.mode)) found.directories.push(joinPath(directory, name))
      else {
        found.files += 1
        found.bytes += stat.size
        found.isShut ||= isRegular(stat.mode) && !mayRead(tree, joinPath(directory, name), stat)
      }
    }
    return found
  } catch {
    return { ...found, isShut: true }
  }
}

/**
 * Without the ctime of a file that has several names (pnpm links files from its store): it changes whenever a name
 * is added or removed. The ctime of a directory adds nothing to its names and its mtime.
 */
function lineOf(
  name: string,
  { mode, size, mtimeMs, ctimeMs, ino, nlink }: Stat & { nlink: number },
): string {
  const changed = nlink === 1 ? ctimeMs : 0
  return `${name}/${mode} ${isDirectory(mode) ? 0 : size} ${mtimeMs} ${changed} ${ino}\n`
}

function mayRead(tree: string, path: string, { mode }: Stat): boolean {
  if (mode & readByOthers || !isRegular(mode)) return true
  try {
    accessSync(locate(tree, path), constants.R_OK)
    return true
  } catch {
    return false
  }
}
