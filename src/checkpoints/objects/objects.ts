/**
 * The objects of a store: those on disk, and those that a checkpoint adds. New objects are gathered in one pack, which
 * `flush` makes durable together with everything else in the batch; `discard` drops them.
 *
 * A pack is one file and its index: all new objects of a checkpoint in two files, so that syncing them costs the same
 * however many files changed. It is without deltas, so that no object is kept in memory.
 * The pack gets its name, and git can see it, when the batch is settled. Until then only this process can read its
 * objects, from the unfinished file.
 */
import { createHash, hash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflate, deflateSync } from 'node:zlib'
import { entryHeader, packHeader, wholeBytes } from '../format/pack.ts'
import { type IndexedObject, packIndex } from '../format/pack-index.ts'
import { type Batch, writeAll } from './batch.ts'
import { openStored, type StoredPlace } from './lookup.ts'
import { openPacked, type Packed, type PackedObject } from './pack-reader.ts'

export type Objects = {
  has(id: string): boolean
  put(kind: ObjectKind, content: Buffer): string
  /** Adds the content of a file. Throws the system's error where the file cannot be read. */
  putFile(path: string | Buffer, signal: AbortSignal | undefined): Promise<string>
  putLink(path: string | Buffer): string
  /** Settles the batch, of which the new objects are part. */
  flush(signal?: AbortSignal): Promise<void>
  discard(): void
  /** Reads again which packs are on disk: needed after a repack. */
  reload(): void
  /** Has another process written or removed packs since? */
  isStale(): boolean
  /** The pack files on disk. */
  packs(): string[]
  /** Opens packs and new objects for reading; the caller closes it. */
  open(): Packed
}

const pieceBytes = 256 * 1024
/** A file may have been replaced since it was listed: do not follow a link, do not wait for the other end of a pipe. */
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const mostHeld = 4 * 1024 * 1024

export function openObjects(directory: string, batch: Batch): Objects {
  const packs = join(directory, 'pack')
  const stored = openStored(directory)
  const fresh = openFresh()
  let pack: Pack | null = null

  const has = (id: string) => fresh.has(id) || stored.has(id)
  function put(kind: ObjectKind, content: Buffer): string {
    const id = idOf(kind, content)
    if (has(id)) return id
    pack ??= openPack(packs)
    fresh.add(id, pack.add(kind, id, content), { kind, content })
    return id
  }

  async function putLarge(file: number, size: number, signal: AbortSignal | undefined): Promise<string> {
    const id = await sumOfLarge(pieces(file, size, signal), size)
    if (has(id)) return id
    pack ??= openPack(packs)
    const offset = await addLarge(pack, { id, size, pieces: pieces(file, size, signal) })
    fresh.add(id, offset, null)
    return id
  }

  function find(id: string): StoredPlace | null {
    const offset = fresh.offsetOf(id)
    return offset === undefined || !pack ? stored.find(id) : pack.place(offset)
  }

  return {
    put,
    putLink: path => put('blob', readlinkSync(path, { encoding: 'buffer' })),
    putFile: (path, signal) =>
      withFile(path, (file, size) =>
        // A larger file is read twice, in pieces: once for its id, once for the pack.
        size <= wholeBytes ? put('blob', readFileSync(file)) : putLarge(file, size, signal),
      ),
    async flush(signal) {
      const finishing = pack
      pack = null
      const finished = await finishing?.finish(batch)
      await batch.settle(signal)
      if (finished) stored.add(finished)
      stored.mark()
      fresh.clear()
    },
    discard() {
      pack?.discard()
      if (pack) stored.mark()
      pack = null
      fresh.clear()
    },
    ...stored,
    has,
    open: () => withFresh(openPacked(find), fresh.get),
  }
}

async function withFile(
  path: string | Buffer,
  read: (file: number, size: number) => string | Promise<string>,
): Promise<string> {
  const file = openSync(path, readOnly)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new ChangedWhileRead()
    return await read(file, stat.size)
  } finally {
    closeSync(file)
  }
}

function withFresh(packed: Packed, fresh: (id: string) => PackedObject | null): Packed {
  return {
    ...packed,
    read: id => fresh(id) ?? packed.read(id),
    readStart(id) {
      const content = fresh(id)?.content
      return content ? { size: content.length, start: content } : packed.readStart(id)
    },
  }
}

/**
 * The objects of the unfinished pack and their offsets. Objects are also kept in memory up to a total limit, because
 * most are read again at once, when the checkpoint is compared with the previous one.
 */
function openFresh() {
  const found = new Map<string, { offset: number; object: PackedObject | null }>()
  let held = 0
  return {
    has: (id: string) => found.has(id),
    get: (id: string) => found.get(id)?.object ?? null,
    offsetOf: (id: string) => found.get(id)?.offset,
    add(id: string, offset: number, object: PackedObject | null): void {
      const bytes = object?.content.length ?? 0
      const isHeld = held + bytes <= mostHeld
      if (isHeld) held += bytes
      found.set(id, { offset, object: isHeld ? object : null })
    },
    clear(): void {
      found.clear()
      held = 0
    },
  }
}

/** A file is no regular file any more, or a large one changed while it was read: the caller tries again. */
export class ChangedWhileRead extends Error {}

function idOf(kind: ObjectKind, content: Buffer): string {
  const head = Buffer.from(`${kind} ${content.length}\0`)
  // For small objects one call on a copy is faster than two updates.
  if (content.length > pieceBytes) return createHash('sha1').update(head).update(content).digest('hex')
  return hash('sha1', Buffer.concat([head, content]), 'hex')
}

async function sumOfLarge(bytes: AsyncIterable<Buffer>, size: number): Promise<string> {
  const sum = createHash('sha1').update(`blob ${size}\0`)
  for await (const piece of bytes) sum.update(piece)
  return sum.digest('hex')
}

async function addLarge(
  pack: Pack,
  large: { id: string; size: number; pieces: AsyncIterable<Buffer> },
): Promise<number> {
  const sum = createHash('sha1').update(`blob ${large.size}\0`)
  async function* summed(): AsyncGenerator<Buffer> {
    for await (const piece of large.pieces) {
      sum.update(piece)
      yield piece
    }
    if (sum.digest('hex') !== large.id) throw new ChangedWhileRead()
  }
  const chunks = createDeflate({ level: 1, chunkSize: pieceBytes })
  // One piece at a time, where the default reads 16 ahead. Errors surface where the chunks are read.
  pipeline(Readable.from(summed(), { highWaterMark: 1 }), chunks).catch(() => null)
  return pack.addDeflated({ id: large.id, size: large.size, chunks })
}

async function* pieces(file: number, size: number, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    signal?.throwIfAborted()
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - at))
    const count = readSync(file, piece, 0, piece.length, at)
    if (count === 0) throw new ChangedWhileRead()
    at += count
    yield piece.subarray(0, count)
    // Let the other loops of this host have their turn.
    await new Promise(resolve => setImmediate(resolve))
  }
}

type ObjectKind = 'commit' | 'tree' | 'blob'

type Pack = {
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

function openPack(directory: string): Pack {
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
  const sum = createHash('sha1')
  const bytes = Buffer.allocUnsafe(Math.min(bufferBytes, size))
  for (let at = 0; at < size; ) {
    const count = readSync(file, bytes, 0, Math.min(bytes.length, size - at), at)
    if (count === 0) throw new Error('Internal error: a pack is shorter than what was written')
    sum.update(bytes.subarray(0, count))
    at += count
    // Let the other loops of this host have their turn.
    if (at < size) await new Promise(resolve => setImmediate(resolve))
  }
  return sum.digest()
}
