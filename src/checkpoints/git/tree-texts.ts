/** Reads a saved tree without writing it: the paths of its files, and the texts of some of them. */

import { joinPath, readable } from '../format/path.ts'
import { treeMode } from '../format/tree.ts'
import type { Objects } from '../objects/objects.ts'
import { openReader, type Reader } from '../objects/reader.ts'
import type { Repository } from '../objects/repository.ts'
import { readTarget, readTree } from './difference.ts'

export type TreeTexts = {
  paths: string[]
  /** Null: it is not there, is too large, or is no text. */
  text(path: string): Promise<string | null>
  close(): Promise<void>
}

const mostBytes = 256 * 1024

export async function treeTexts(repository: Repository, objects: Objects, id: string): Promise<TreeTexts> {
  const reader = openReader(repository, objects)
  const ids = new Map<string, string>()
  await list(reader, { path: '', tree: (await readTarget(reader, id)).tree }, ids)
  return {
    paths: [...ids.keys()],
    async text(path) {
      const blob = ids.get(path)
      if (blob === undefined) return null
      const { content } = await reader.read(blob)
      return content.length > mostBytes || content.includes(0) ? null : content.toString()
    },
    close: () => reader.close(),
  }
}

async function list(
  reader: Reader,
  { path, tree }: { path: string; tree: string },
  into: Map<string, string>,
): Promise<void> {
  for (const entry of await readTree(reader, tree)) {
    const at = joinPath(path, entry.name)
    if (entry.mode === treeMode) await list(reader, { path: at, tree: entry.id }, into)
    else into.set(readable(at), entry.id)
  }
}
