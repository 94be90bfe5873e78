/**
 * The objects of a store: those on disk, and those that a checkpoint adds. New objects are gathered in one pack, which
 * `flush` makes durable together with everything else in the batch; `discard` drops them.
 */
import { createHash, hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflate } from 'node:zlib'
import { wholeBytes } from '../format/pack.ts'
import type { Batch } from './batch.ts'
import { openStored, type StoredPlace } from './lookup.ts'
import { openPacked, type Packed, type PackedObject } from './pack-reader.ts'
import { type ObjectKind, openPack, type Pack } from './pack-writer.ts'

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
