/**
 * Reads an object from a pack without git: ours are plain, those of the user's packs may be differences from
 * another object. What is too large to be held, loose, or not as it should be is null: git is asked then, and
 * says what is wrong.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { constants, inflateSync, type ZlibOptions } from 'node:zlib'
import { isMissing } from '../git/trouble.ts'
import type { StoredPlace } from './stored.ts'

export type PackedObject = { kind: string; content: Buffer }

/** `start`: the whole content if that has at most `wholeBytes`, else at least its first 8000 bytes. */
export type Start = { size: number; start: Buffer }

export type Packed = {
  read(id: string): PackedObject | null
  readStart(id: string): Start | null
  close(): void
}

/** `base`: where it is, or its id. */
type Entry = { type: number; size: number; data: Buffer; base: StoredPlace | string | null }

const kinds = ['', 'commit', 'tree', 'blob', 'tag']
const blob = 3
const offsetDelta = 6
const idDelta = 7
/** A larger file is streamed, from the work tree and back to it. */
export const wholeBytes = 256 * 1024
/** A larger file counts as binary. Git is configured with the same number. */
export const largeBytes = 16 * 1024 * 1024
/** Deflated bytes that contain the first 8000 of a file: a byte takes 15 bits at most. */
const startBytes = 16 * 1024
const rememberedBytes = 32 * 1024 * 1024
const firstRead = 4096
/** The bytes before the data: type and size, and an offset or an id. */
const headerBytes = 40

export function openPacked(find: (id: string) => StoredPlace | null): Packed {
  const files = openFiles()
  const bases = openBases()

  function readAt(place: StoredPlace): PackedObject | null {
    const entry = entryAt(files.read, place)
    const content = entry && contentOf(entry)
    if (!entry || !content) return null
    if (entry.base === null) {
      const kind = kinds[entry.type]
      return kind ? { kind, content } : null
    }
    const at = typeof entry.base === 'string' ? find(entry.base) : entry.base
    const base = at && bases.get(at, readAt)
    const made = base && applied(base.content, content)
    return made ? { kind: base.kind, content: made } : null
  }

  function startAt(place: StoredPlace): Start | null {
    const { type, size, length } = headOf(files.read(place, headerBytes))
    if (type !== blob || size <= wholeBytes) {
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
      // Repacked meanwhile: git finds it where it is now.
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

type Read = (place: StoredPlace, count: number) => Buffer

function openFiles(): { read: Read; close(): void } {
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

/** Many differences have the same base. */
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

function entryAt(read: Read, place: StoredPlace): Entry | null {
  const start = read(place, firstRead)
  const { type, size, length } = headOf(start)
  // Trees and commits are needed as a whole, however large.
  if (size > largeBytes && type >= blob) return null
  // Deflating can make it larger, but not by more than this.
  const most = headerBytes + size + (size >>> 3) + (size >>> 6) + 64
  const bytes = most <= firstRead ? start : read(place, most)
  if (type === offsetDelta) {
    const { distance, end } = distanceAt(bytes, length)
    const base = { pack: place.pack, offset: place.offset - distance }
    return { type, size, data: bytes.subarray(end), base }
  }
  if (type !== idDelta) return { type, size, data: bytes.subarray(length), base: null }
  const base = bytes.toString('hex', length, length + 20)
  return { type, size, data: bytes.subarray(length + 20), base }
}

function headOf(bytes: Buffer): { type: number; size: number; length: number } {
  let byte = bytes[0] ?? 0
  const type = (byte >> 4) & 7
  let size = byte & 15
  let length = 1
  for (let factor = 16; byte & 128; factor *= 128) {
    byte = bytes[length] ?? 0
    size += (byte & 127) * factor
    length += 1
  }
  return { type, size, length }
}

function distanceAt(bytes: Buffer, start: number): { distance: number; end: number } {
  let at = start
  let byte = bytes[at] ?? 0
  let distance = byte & 127
  while (byte & 128) {
    at += 1
    byte = bytes[at] ?? 0
    distance = (distance + 1) * 128 + (byte & 127)
  }
  return { distance, end: at + 1 }
}

function contentOf({ data, size }: Entry): Buffer | null {
  const content = inflated(data, { chunkSize: Math.max(64, size + 1) })
  return content?.length === size ? content : null
}

function inflated(data: Buffer, options: ZlibOptions): Buffer | null {
  try {
    return inflateSync(data, options)
  } catch {
    // Damaged: git is asked, and its words are the ones people can look up.
    return null
  }
}

/** Two sizes, then what to copy from the base and what to add. */
function applied(base: Buffer, delta: Buffer): Buffer | null {
  let at = 0
  const next = () => {
    at += 1
    return delta[at - 1] ?? 0
  }
  const number = () => {
    let value = 0
    for (let factor = 1, byte = 128; byte & 128; factor *= 128) {
      byte = next()
      value += (byte & 127) * factor
    }
    return value
  }
  const bitsOf = (flags: number, bytes: number) => {
    let value = 0
    for (let n = 0; n < bytes; n += 1) if (flags & (1 << n)) value += next() * 256 ** n
    return value
  }
  if (number() !== base.length) return null
  const size = number()
  if (size > largeBytes) return null
  const made = Buffer.allocUnsafe(size)
  let done = 0
  while (at < delta.length) {
    const op = next()
    if (op & 128) {
      const from = bitsOf(op, 4)
      const count = bitsOf(op >> 4, 3) || 0x10000
      done += base.copy(made, done, from, from + count)
    } else {
      done += delta.copy(made, done, at, at + op)
      at += op
    }
  }
  return done === size ? made : null
}
