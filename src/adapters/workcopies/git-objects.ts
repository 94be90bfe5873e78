/**
 * The objects of the user's repository as a layer of a copy: hard links, so that a large repository costs no space and
 * no time. Git never writes to an object or a pack in place, and what `git gc` of the user removes keeps its other
 * name here. The copy cannot write to them either: they are the lower layer of an overlay, which copies a file before
 * it changes the first bit of it. Without an overlay they are copied.
 */
import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { joinPath, listDirectory } from '../../checkpoints/scan/listing.ts'
import { isDirectory } from '../../checkpoints/scan/stat.ts'
import { ok, type Result } from '../../model/failure.ts'
import { cp } from './copy-files.ts'
import { templateLayer } from './templates.ts'

/** Where they are seen in a copy. */
export const objectsPath = '.git/objects'

/** Fewer are copied faster than they are linked and mounted. */
const manyFiles = 200
const manyBytes = 8 * 1024 * 1024
const attempts = 3

type Linking = {
  templates: string
  tree: string
  home: string
  /** The repository, which need not lie in the tree. */
  gitDirectory: string
  signal: AbortSignal
  fault: (point: string) => void
}

/** Null where they are few, or cannot be linked (another filesystem): then they are to be copied. */
export async function linkObjects(linking: Linking): Promise<Result<string | null>> {
  const { gitDirectory, signal } = linking
  const from = `${gitDirectory}/objects`
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { files, bytes, print } = await look(from, signal)
    if (files <= manyFiles && bytes <= manyBytes) return ok(null)
    const fill = async (to: string) => {
      const linked = await cp(['--link', '--no-target-directory', '--', from, to], signal)
      return linked.ok || signal.aborted ? (linked.ok ? ok(true) : linked) : ok(false)
    }
    const layer = await templateLayer({ ...linking, path: objectsPath }, { print, bytes: 0, fill })
    if (!layer.ok || layer.value !== null) return layer
  }
  return ok(null)
}

/** Objects are named by what is in them: names and sizes are all there is to know. */
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
