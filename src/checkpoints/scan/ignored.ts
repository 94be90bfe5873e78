/**
 * Which ignored files are saved too, when that is asked for: those that are small. A directory counts as a
 * whole, so that half a dependency directory is never saved; what is too much is reported as skipped.
 */
import { joinPath, listDirectory, lstatOrNull } from './listing.ts'
import { isDirectory } from './stat.ts'

/** What loop itself keeps in the tree: it changes with every iteration, and says nothing about the work. */
export function isLoopsOwn(path: string): boolean {
  return path === '.loop' || path.startsWith('.loop/')
}

const mostBytes = 64 * 1024 * 1024
const mostFiles = 5_000

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
