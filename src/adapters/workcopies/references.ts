/**
 * Finds files in dependency directories that name the tree by its absolute path: through them a command in a copy would
 * use the tree itself. They are virtual environments (pyvenv.cfg, the first line of scripts, activate), caches of
 * cmake, and links. Needed only where a copy cannot be mounted at the path of its tree.
 */

import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'
import { joinPath, locate, readable } from '../../checkpoints/format/path.ts'
import { isDirectory, isLink, isRegular } from '../../checkpoints/format/stat.ts'
import { listDirectory } from '../../checkpoints/scan/listing.ts'

/** Deeper in an entry no file is known to name the place it was created in. */
const deepest = 4
const most = 20
const headBytes = 4096
/** The directories that scripts are in: a directory with thousands of packages is not read file by file. */
const scripts = /(^|\/)(bin|Scripts|\.bin)\/[^/]+$/
const named = /(^|\/)(pyvenv\.cfg|CMakeCache\.txt|\.pnp\.[cm]?js|\.git|[^/]+\.(pth|egg-link))$/

export function referencesIn(copy: string, entries: readonly string[], tree: string): string[] {
  const found: string[] = []
  const open = entries.map(path => ({ path, depth: 0 }))
  for (let at = open.pop(); at && found.length < most; at = open.pop()) {
    const { path, depth } = at
    for (const { name, stat } of listed(copy, path)) {
      const below = joinPath(path, name)
      const isDir = isDirectory(stat.mode)
      if (isDir && depth < deepest) open.push({ path: below, depth: depth + 1 })
      else if (!isDir && refers(copy, { path: below, mode: stat.mode, tree })) found.push(readable(below))
    }
  }
  return found.slice(0, most).sort()
}

function listed(copy: string, path: string) {
  try {
    return listDirectory(copy, path)
  } catch {
    return [] // a file, or not readable
  }
}

function refers(copy: string, { path, mode, tree }: { path: string; mode: number; tree: string }): boolean {
  const at = locate(copy, path)
  const isOfTree = (text: string) => text === tree || text.includes(`${tree}/`) || text.includes(`${tree}\n`)
  try {
    if (isLink(mode)) return isOfTree(readlinkSync(at))
    if (!isRegular(mode)) return false
    if (named.test(path)) return isOfTree(headOf(at))
    if (!scripts.test(path)) return false
    const head = headOf(at)
    return /(^|\/)activate[^/]*$/.test(path) || head.startsWith('#!') ? isOfTree(head) : false
  } catch {
    return false // gone, or not readable
  }
}

function headOf(path: string | Buffer): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(headBytes)
    return bytes.subarray(0, readSync(file, bytes)).toString()
  } finally {
    closeSync(file)
  }
}
