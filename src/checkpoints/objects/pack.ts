/**
 * Writes one pack file and its index: all new objects of a checkpoint in two files, so that making them durable
 * costs no more however many files changed. No deltas: what is written is gone from memory at once.
 * Nothing is visible to git before the batch it is finished into is settled, and then it is on the disk. Until
 * then this process alone can read the objects, from the unfinished pack.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { type Batch, writeAll } from './batch.ts'
import type { StoredPlace } from './stored.ts'

export type ObjectKind = 'commit' | 'tree' | 'blob'

export type Pack = {
  /** Returns the offset of the object. */
  add(kind: ObjectKind, id: string, content: Buffer): number
  /**
   * For a blob too large to hold: `chunks` are already deflated, `size` is before deflating. Returns its offset.
   * If `chunks` throws, the pack is as it was before.
   */
  addDeflated(object: { id: string; size: number; chunks: AsyncIterable<Buffer> }): Promise<number>
  /** The place of an object in the unfinished pack file, where it can be read. */
  place(offset: number): StoredPlace
  /** Durable and visible once the batch is settled; where it will be, and its index. */
  finish(batch: Batch): Promise<{ pack: string; index: Buffer }>
  discard(): void
}

type Entry = { id: string; crc: number; offset: number }

const kinds: Record<ObjectKind, number> = { commit: 1, tree: 2, blob: 3 }
const bufferBytes = 1024 * 1024

let opened = 0

export function openPack(directory: string): Pack {
  opened += 1
  const mark = `${process.pid}_${opened}`
  const temporary = join(directory, `tmp_pack_${mark}`)
  const file = openSync(temporary, 'w+', 0o400)
  const entries: Entry[] = []
  const output = openOutput(file)
  const discard = () => drop(file, temporary)
  output.write(headerOf(0))
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

/** A file that is written from its start, with few calls to the system. */
type Output = {
  write(bytes: Buffer): void
  /** The offset of what is written next. */
  end(): number
  flush(): void
  /** Takes back what was written from this offset on. */
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

/** Room for what comes out, so that it is not put together from pieces. */
function chunkFor(size: number): number {
  return Math.min(Math.max(size + (size >>> 3) + 64, 64), 2 * 1024 * 1024)
}

type Written = {
  file: number
  temporary: string
  directory: string
  entries: readonly Entry[]
  offset: number
  mark: string
}

async function complete(written: Written, batch: Batch): Promise<{ pack: string; index: Buffer }> {
  const { file, temporary, directory, entries } = written
  writeSync(file, headerOf(entries.length), 0, 12, 0)
  const sum = await sumOfFile(file, written.offset)
  writeSync(file, sum, 0, sum.length, written.offset)
  const name = join(directory, `pack-${sum.toString('hex')}`)
  const index = indexOf(entries, sum)
  batch.add({ file, temporary, path: `${name}.pack` })
  // Last: git takes a pack for one only once its index is there.
  const temporaryIndex = join(directory, `tmp_idx_${written.mark}`)
  const indexFile = openSync(temporaryIndex, 'w', 0o400)
  batch.add({ file: indexFile, temporary: temporaryIndex, path: `${name}.idx` })
  writeAll(indexFile, index)
  return { pack: `${name}.pack`, index }
}

function headerOf(count: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(count, 8)
  return header
}

function entryHeader(kind: number, size: number): Buffer {
  const bytes: number[] = []
  let first = (kind << 4) | (size & 15)
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(first | 128)
    first = rest & 127
  }
  return Buffer.from([...bytes, first])
}

async function sumOfFile(file: number, size: number): Promise<Buffer> {
  const hash = createHash('sha1')
  const bytes = Buffer.allocUnsafe(Math.min(bufferBytes, size))
  for (let at = 0; at < size; ) {
    const count = readSync(file, bytes, 0, Math.min(bytes.length, size - at), at)
    if (count === 0) throw new Error('Internal error: a pack is shorter than what was written')
    hash.update(bytes.subarray(0, count))
    at += count
    // Other loops of this process must not wait for a large pack.
    if (at < size) await new Promise(resolve => setImmediate(resolve))
  }
  return hash.digest()
}

/** Version 2: a table of first bytes, the ids in order, their checksums, where they are. */
function indexOf(entries: readonly Entry[], packSum: Buffer): Buffer {
  const sorted = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const large = sorted.filter(entry => entry.offset >= 0x80000000)
  const bytes = Buffer.alloc(8 + 1024 + sorted.length * 28 + large.length * 8 + 40)
  bytes.write('\xfftOc\0\0\0\x02', 0, 'latin1')
  const counts = new Uint32Array(256)
  for (const { id } of sorted) {
    const first = Number.parseInt(id.slice(0, 2), 16)
    counts[first] = (counts[first] ?? 0) + 1
  }
  let total = 0
  counts.forEach((count, first) => {
    total += count
    bytes.writeUInt32BE(total, 8 + first * 4)
  })
  const ids = 8 + 1024
  const sums = ids + sorted.length * 20
  const offsets = sums + sorted.length * 4
  const larges = offsets + sorted.length * 4
  let far = 0
  sorted.forEach(({ id, crc, offset }, n) => {
    bytes.write(id, ids + n * 20, 'hex')
    bytes.writeUInt32BE(crc, sums + n * 4)
    if (offset < 0x80000000) bytes.writeUInt32BE(offset, offsets + n * 4)
    else {
      bytes.writeUInt32BE(0x80000000 + far, offsets + n * 4)
      bytes.writeBigUInt64BE(BigInt(offset), larges + far * 8)
      far += 1
    }
  })
  packSum.copy(bytes, bytes.length - 40)
  sumOf(bytes.subarray(0, -20)).copy(bytes, bytes.length - 20)
  return bytes
}

function sumOf(bytes: Buffer): Buffer {
  const hash: Hash = createHash('sha1')
  return hash.update(bytes).digest()
}
