/**
 * Writes one pack file and its index: all new objects of a checkpoint in two files, so that syncing them costs the
 * same however many files changed. Without deltas, so that no object is kept in memory.
 * The pack gets its name, and git can see it, when the batch is settled. Until then only this process can read its
 * objects, from the unfinished file.
 */
import { createHash } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { entryHeader, packHeader } from '../format/pack.ts'
import { type IndexedObject, packIndex } from '../format/pack-index.ts'
import { type Batch, writeAll } from './batch.ts'
import type { StoredPlace } from './lookup.ts'

export type ObjectKind = 'commit' | 'tree' | 'blob'

export type Pack = {
  /** Returns the offset of the object. */
  add(kind: ObjectKind, id: string, content: Buffer): number
  /**
   * Adds a blob that is too large for memory: `chunks` are deflated, `size` is before deflating. Returns the offset.
   * If `chunks` throws, the pack is as it was before.
   */
  addDeflated(object: { id: string; size: number; chunks: AsyncIterable<Buffer> }): Promise<number>
  /** Where an object of the unfinished pack can be read. */
  place(offset: number): StoredPlace
  /** Adds the pack to the batch. Returns the path it will have, and its index. */
  finish(batch: Batch): Promise<{ pack: string; index: Buffer }>
  discard(): void
}

const kinds: Record<ObjectKind, number> = { commit: 1, tree: 2, blob: 3 }
const bufferBytes = 1024 * 1024

let opened = 0

export function openPack(directory: string): Pack {
  opened += 1
  const mark = `${process.pid}_${opened}`
  const temporary = join(directory, `tmp_pack_${mark}`)
  const file = openSync(temporary, 'w+', 0o400)
  const entries: IndexedObject[] = []
  const output = openOutput(file)
  const discard = () => drop(file, temporary)
  output.write(packHeader(0))
  return {
    add(kind, id, content) {
      const offset = output.end()
      const header = entryHeader(kinds[kind], content.length)
      const deflated = deflateSync(content, { level: 1, chunkSize: chunkFor(content.length) })
      entries.push({ id, crc: crc32(deflated, crc32(header)), offset })
      output.write(header)
      output.write(deflated)
      return offset
    },
    async addDeflated({ id, size, chunks }) {
      const offset = output.end()
      const header = entryHeader(kinds.blob, size)
      let crc = crc32(header)
      output.write(header)
      try {
        for await (const chunk of chunks) {
          crc = crc32(chunk, crc)
          output.write(chunk)
        }
      } catch (error) {
        output.rewind(offset)
        throw error
      }
      entries.push({ id, crc, offset })
      return offset
    },
    place(offset) {
      output.flush()
      return { pack: temporary, offset }
    },
    async finish(batch) {
      try {
        output.flush()
        return await complete({ file, temporary, directory, entries, offset: output.end(), mark }, batch)
      } catch (error) {
        if (!batch.holds(file)) discard()
        throw error
      }
    },
    discard,
  }
}

/** A file that is written in large blocks, to save system calls. */
type Output = {
  write(bytes: Buffer): void
  /** The offset of the next write. */
  end(): number
  flush(): void
  /** Removes everything from this offset on. */
  rewind(to: number): void
}

function openOutput(file: number): Output {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let offset = 0

  function flush(): void {
    if (waitingBytes > 0) writeAll(file, Buffer.concat(waiting), offset - waitingBytes)
    waiting = []
    waitingBytes = 0
  }

  return {
    write(bytes) {
      waiting.push(bytes)
      waitingBytes += bytes.length
      offset += bytes.length
      if (waitingBytes >= bufferBytes) flush()
    },
    end: () => offset,
    flush,
    rewind(to) {
      flush()
      ftruncateSync(file, to)
      offset = to
    },
  }
}

function drop(file: number, path: string): void {
  closeSync(file)
  rmSync(path, { force: true })
}

/** A buffer that holds the whole deflated content, so that zlib need not join pieces. */
function chunkFor(size: number): number {
  return Math.min(Math.max(size + (size >>> 3) + 64, 64), 2 * 1024 * 1024)
}

type Written = {
  file: number
  temporary: string
  directory: string
  entries: readonly IndexedObject[]
  offset: number
  mark: string
}

async function complete(written: Written, batch: Batch): Promise<{ pack: string; index: Buffer }> {
  const { file, temporary, directory, entries } = written
  writeSync(file, packHeader(entries.length), 0, 12, 0)
  const sum = await sumOfFile(file, written.offset)
  writeSync(file, sum, 0, sum.length, written.offset)
  const name = join(directory, `pack-${sum.toString('hex')}`)
  const index = packIndex(entries, sum)
  batch.add({ file, temporary, path: `${name}.pack` })
  // The index after the pack: git uses a pack only once it has an index.
  const temporaryIndex = join(directory, `tmp_idx_${written.mark}`)
  const indexFile = openSync(temporaryIndex, 'w', 0o400)
  batch.add({ file: indexFile, temporary: temporaryIndex, path: `${name}.idx` })
  writeAll(indexFile, index)
  return { pack: `${name}.pack`, index }
}

async function sumOfFile(file: number, size: number): Promise<Buffer> {
  const hash = createHash('sha1')
  const bytes = Buffer.allocUnsafe(Math.min(bufferBytes, size))
  for (let at = 0; at < size; ) {
    const count = readSync(file, bytes, 0, Math.min(bytes.length, size - at), at)
    if (count === 0) throw new Error('Internal error: a pack is shorter than what was written')
    hash.update(bytes.subarray(0, count))
    at += count
    // Let the other loops of this host have their turn.
    if (at < size) await new Promise(resolve => setImmediate(resolve))
  }
  return hash.digest()
}
