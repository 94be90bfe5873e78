/**
 * The bytes of a pack file: a header with the number of objects, then one entry for each object. An entry is a header
 * (kind and size before deflating, as a number of variable length), for a delta the place of its base, then the
 * deflated content.
 */

/** The kinds of objects by their number in an entry. */
export const packedKinds = ['', 'commit', 'tree', 'blob', 'tag']
export const blobKind = 3
/** The base is named by how far before this entry it begins. */
export const offsetDelta = 6
/** The base is named by its id. */
export const idDelta = 7

export function packHeader(count: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(count, 8)
  return header
}

export function entryHeader(kind: number, size: number): Buffer {
  const bytes: number[] = []
  let first = (kind << 4) | (size & 15)
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(first | 128)
    first = rest & 127
  }
  return Buffer.from([...bytes, first])
}

/** `length`: of the header itself. */
export function readEntryHeader(bytes: Buffer): { type: number; size: number; length: number } {
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

/** How far before its own entry the base of an `offsetDelta` begins, and where that number ends. */
export function readBaseDistance(bytes: Buffer, start: number): { distance: number; end: number } {
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

/**
 * Deltas: a pack may store an object as a list of instructions that build it from another object, its base.
 * A delta holds the size of the base, the size of the result, then instructions: copy a range of the base, or insert
 * the bytes that follow. Packs of loop have no deltas; packs of the user's repository do.
 */

/** Null for a delta that is damaged, does not belong to this base, or builds more than `largeBytes`. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer | null {
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
    // The highest bit: copy from the base. Else the instruction is the number of bytes to insert.
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

/** Sizes from which on an object is treated as large. */

/** A larger file is streamed, from the work tree and back to it. */
export const wholeBytes = 256 * 1024
/** A larger file counts as binary. Git is configured with the same number (`core.bigFileThreshold`). */
export const largeBytes = 16 * 1024 * 1024
