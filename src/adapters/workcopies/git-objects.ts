/**
 * The objects of the user's repository as a layer of a copy: hard links, so that a large repository takes no space and
 * no time. This is safe from both sides. Git never changes an object or a pack in place, and a file that the user's
 * `git gc` removes keeps its other name here. The copy cannot change them either: they are the lower layer of an
 * overlay, which copies a file before its first change. Without an overlay the objects are copied.
 */
import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { isDirectory, joinPath } from '../../checkpoints/format/file.ts'
import { listDirectory } from '../../checkpoints/scan/listing.ts'
import { ok, type Result } from '../../model/failure.ts'
import { cp } from './copy-files.ts'
import { templateLayer } from './templates.ts'

/** Their path in the copy. */
export const objectsPath = '.git/objects'

/** Fewer than this are copied faster than linked and mounted. */
const manyFiles = 200
const manyBytes = 8 * 1024 * 1024
const attempts = 3

type Linking = {
  templates: string
  tree: string
  home: string
  /** The git directory of the repository; it need not be in the tree. */
  gitDirectory: string
  signal: AbortSignal
  fault: (point: string) => void
}

/** The layer with the objects. Null where they are few, or on another file system: then the caller copies them. */
export async function linkObjects(linking: Linking): Promise<Result<string | null>> {
  const { gitDirectory, signal } = linking
  const from = `${gitDirectory}/objects`
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { files, bytes, print } = await look(from, signal)
    if (files <= manyFiles && bytes <= manyBytes) return ok(null)
    const fill = async (to: string) => {
      const linked = await cp({ from: [from], to: { as: to }, how: 'link' }, signal)
      return linked.ok || signal.aborted ? (linked.ok ? ok(true) : linked) : ok(false)
    }
    const layer = await templateLayer({ ...linking, path: objectsPath }, { print, bytes: 0, fill })
    if (!layer.ok || layer.value !== null) return layer
  }
  return ok(null)
}

/** A fingerprint by names and sizes: that is enough, because objects are named by their content. */
async function look(objects: string, signal: AbortSignal) {
  const sum = createHash('sha1')
  const found = { files: 0, bytes: 0 }
  const open = ['']
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    signal.throwIfAborted()
    await breathe()
    for (const { name, stat } of listDirectory(objects, directory)) {
      const at = joinPath(directory, name)
      if (isDirectory(stat.mode)) open.push(at)
      else {
        sum.update(`${at} ${stat.size}\n`)
        found.files += 1
        found.bytes += stat.size
      }
    }
  }
  return { ...found, print: sum.digest('hex') }
}
