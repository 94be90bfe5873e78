/**
 * The index of a pack (version 2): where each object of the pack begins.
 *
 *   magic, version
 *   256 counts    how many ids begin with a byte up to this one
 *   ids           sorted, 20 bytes each
 *   checksums     CRC-32 of each entry, in the order of the ids
 *   offsets       31 bits each; with the highest bit set, a row of the next table
 *   far offsets   64 bits each
 *   checksum of the pack, checksum of all of the above
 */
import { createHash } from 'node:crypto'

/** `crc`: of the entry as it stands in the pack. */
export type IndexedObject = { id: string; crc: number; offset: number }

const indexMagic = 0xff744f63
/** Up to the ids: magic, version and counts. */
export const packIndexHeadBytes = 8 + 1024
export const checksumBytes = 20
/** Offsets from here on stand in the table of far offsets. */
const farAway = 0x80000000

/** `packSum`: the checksum of the pack. */
export function packIndex(objects: readonly IndexedObject[], packSum: Buffer): Buffer {
  const sorted = objects.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const large = sorted.filter(({ offset }) => offset >= farAway)
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
    if (offset < farAway) bytes.writeUInt32BE(offset, offsets + n * 4)
    else {
      bytes.writeUInt32BE(farAway + far, offsets + n * 4)
      bytes.writeBigUInt64BE(BigInt(offset), larges + far * 8)
      far += 1
    }
  })
  packSum.copy(bytes, bytes.length - 40)
  createHash('sha1')
    .update(bytes.subarray(0, -20))
    .digest()
    .copy(bytes, bytes.length - 20)
  return bytes
}

/** The row of an id; null where the pack does not have the object. */
export function rowInIndex(index: Buffer, id: Buffer): number | null {
  const first = id[0] as number
  let low = first === 0 ? 0 : index.readUInt32BE(8 + (first - 1) * 4)
  let high = index.readUInt32BE(8 + first * 4)
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = packIndexHeadBytes + middle * 20
    const order = id.compare(index, at, at + 20)
    if (order === 0) return middle
    if (order < 0) high = middle
    else low = middle + 1
  }
  return null
}

/** Where the object of a row begins in the pack. */
export function offsetInPack(index: Buffer, row: number): number {
  const count = index.readUInt32BE(packIndexHeadBytes - 4)
  const offsets = packIndexHeadBytes + count * 24
  const offset = index.readUInt32BE(offsets + row * 4)
  if (offset < farAway) return offset
  return Number(index.readBigUInt64BE(offsets + count * 4 + (offset - farAway) * 8))
}

export function isPackIndex(head: Buffer): boolean {
  return head.readUInt32BE(0) === indexMagic
}

/** The two checksums at the end of an index. */
export const indexTailBytes = 2 * checksumBytes

/**
 * Are these the first and last bytes of an index of this size, and does it belong to the pack that ends with
 * `packSum`? Finds what is cut short, at no more cost than git has before it reads an object.
 */
export function isWholeIndex({ size, head, tail }: Ends, packSum: Buffer): boolean {
  if (size < packIndexHeadBytes || !isPackIndex(head)) return false
  const counts = Array.from({ length: 256 }, (_, first) => head.readUInt32BE(8 + first * 4))
  const count = counts[255] as number
  const least = packIndexHeadBytes + count * 28 + tail.length
  if (size < least || size > least + count * 8) return false
  const isRising = counts.every((one, n) => n === 0 || one >= (counts[n - 1] as number))
  return isRising && packSum.equals(tail.subarray(0, checksumBytes))
}

/** `head`: `packIndexHeadBytes` bytes; `tail`: `indexTailBytes` bytes. */
type Ends = { size: number; head: Buffer; tail: Buffer }
