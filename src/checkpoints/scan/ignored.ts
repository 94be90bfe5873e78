/**
 * `--checkpoint-ignored`: ignored files are saved too, as long as all of them together stay small. A directory is
 * included as a whole or not at all, so that half a dependency directory is never saved.
 */
import { isDirectory, joinPath } from '../format/file.ts'
import { listDirectory, lstatOrNull } from './listing.ts'

/** Files of loop itself in the tree: they change with every iteration and are no part of the work. */
export function isLoopsOwn(path: string): boolean {
  return path === '.loop' || path.startsWith('.loop/')
}

const mostBytes = 64 * 1024 * 1024
const mostFiles = 5_000

/** Asked for one ignored path after the other: does it still fit into the limits that are left? */
export function smallEnough(tree: string): (path: string, isDir: boolean) => boolean {
  const left = { bytes: mostBytes, files: mostFiles }
  return path => {
    const cost = { ...left }
    if (!fits(tree, path, cost)) return false
    Object.assign(left, cost)
    return true
  }
}

function fits(tree: string, path: string, left: { bytes: number; files: number }): boolean {
  const stat = lstatOrNull(tree, path)
  if (!stat) return true
  left.files -= 1
  if (!isDirectory(stat.mode)) left.bytes -= stat.size
  if (left.bytes < 0 || left.files < 0) return false
  if (!isDirectory(stat.mode)) return true
  try {
    return listDirectory(tree, path).every(
      ({ name }) => name === '.git' || fits(tree, joinPath(path, name), left),
    )
  } catch {
    return true
  }
}
