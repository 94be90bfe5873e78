/**
 * Reads objects from packs without a git process: packs of loop, and linked packs of the user, which have deltas.
 * An object that is loose, too large for memory or damaged is null here: then git is asked, which streams it, or says
 * what is wrong in words that people can look up.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { constants, inflateSync, type ZlibOptions } from 'node:zlib'
import { isMissing } from '../errors.ts'
import {
  applyDelta,
  blobKind,
  idDelta,
  largeBytes,
  offsetDelta,
  packedKinds,
  readBaseDistance,
  readEntryHeader,
  wholeBytes,
} from '../format/pack.ts'
import type { StoredPlace } from './lookup.ts'

export type PackedObject = { kind: string; content: Buffer }

/** `size`: of the whole object. `start`: all of it up to `wholeBytes`, else at least its first 8000 bytes. */
export type Start = { size: number; start: Buffer }

export type Packed = {
  read(id: string): PackedObject | null
  readStart(id: string): Start | null
  close(): void
}

/** One entry of a pack. `base`: of a delta, the place or the id of the object it builds on. */
type Entry = { type: number; size: number; data: Buffer; base: StoredPlace | string | null }

/** So many deflated bytes hold the first 8000 bytes of a file: each takes at most 15 bits. */
const startBytes = 16 * 1024
const rememberedBytes = 32 * 1024 * 1024
const firstRead = 4096
/** At most, before the data: kind and size, and the offset or id of a base. */
const headerBytes = 40

export function openPacked(find: (id: string) => StoredPlace | null): Packed {
  const files = openFiles()
  const bases = openBases()

  function readAt(place: StoredPlace): PackedObject | null {
    const entry = entryAt(files.read, place)
    const content = entry && contentOf(entry)
    if (!entry || !content) return null
    if (entry.base === null) {
      const kind = packedKinds[entry.type]
      return kind ? { kind, content } : null
    }
    const at = typeof entry.base === 'string' ? find(entry.base) : entry.base
    const base = at && bases.get(at, readAt)
    const made = base && applyDelta(base.content, content)
    return made ? { kind: base.kind, content: made } : null
  }

  function startAt(place: StoredPlace): Start | null {
    const { type, size, length } = readEntryHeader(files.read(place, headerBytes))
    if (type !== blobKind || size <= wholeBytes) {
      const content = readAt(place)?.content
      return content ? { size: content.length, start: content } : null
    }
    const data = files.read(place, startBytes).subarray(length)
    const start = inflated(data, { finishFlush: constants.Z_SYNC_FLUSH })
    return start && { size, start }
  }

  function inPack<T>(id: string, read: (place: StoredPlace) => T | null): T | null {
    const place = find(id)
    try {
      return place && read(place)
    } catch (error) {
      // The pack was merged into another meanwhile: git will find the object.
      if (isMissing(error)) return null
      throw error
    }
  }

  return {
    read: id => inPack(id, readAt),
    readStart: id => inPack(id, startAt),
    close: files.close,
  }
}

type ReadBytes = (place: StoredPlace, count: number) => Buffer

function openFiles(): { read: ReadBytes; close(): void } {
  const files = new Map<string, number>()
  return {
    read({ pack, offset }, count) {
      const file = files.get(pack) ?? openSync(pack, 'r')
      files.set(pack, file)
      const bytes = Buffer.allocUnsafe(count)
      return bytes.subarray(0, readSync(file, bytes, 0, count, offset))
    },
    close() {
      for (const file of files.values()) closeSync(file)
      files.clear()
    },
  }
}

/** Remembers bases: many deltas build on the same object. */
function openBases(): {
  get(place: StoredPlace, read: (place: StoredPlace) => PackedObject | null): PackedObject | null
} {
  let bases = new Map<string, PackedObject>()
  let held = 0
  return {
    get(place, read) {
      const key = `${place.offset} ${place.pack}`
      const found = bases.get(key) ?? read(place)
      if (!found || bases.has(key)) return found
      if (held > rememberedBytes) {
        bases = new Map()
        held = 0
      }
      bases.set(key, found)
      held += found.content.length
      return found
    },
  }
}

function entryAt(read: ReadBytes, place: StoredPlace): Entry | null {
  const start = read(place, firstRead)
  const { type, size, length } = readEntryHeader(start)
  // Large blobs and deltas are left to git, which streams them; trees and commits are needed as a whole.
  if (size > largeBytes && type >= blobKind) return null
  // The most that `size` bytes can grow by deflating.
  const most = headerBytes + size + (size >>> 3) + (size >>> 6) + 64
  const bytes = most <= firstRead ? start : read(place, most)
  if (type === offsetDelta) {
    const { distance, end } = readBaseDistance(bytes, length)
    const base = { pack: place.pack, offset: place.offset - distance }
    return { type, size, data: bytes.subarray(end), base }
  }
  if (type !== idDelta) return { type, size, data: bytes.subarray(length), base: null }
  const base = bytes.toString('hex', length, length + 20)
  return { type, size, data: bytes.subarray(length + 20), base }
}

function contentOf({ data, size }: Entry): Buffer | null {
  const content = inflated(data, { chunkSize: Math.max(64, size + 1) })
  return content?.length === size ? content : null
}

function inflated(data: Buffer, options: ZlibOptions): Buffer | null {
  try {
    return inflateSync(data, options)
  } catch {
    // Damaged: git will be asked, and says so in words that people can look up.
    return null
  }
}
