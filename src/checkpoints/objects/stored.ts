/**
 * Which objects are on disk, and where: the indexes of packs, read by this process, and loose ones. Asking git
 * would be a process for each checkpoint. Looks once; `reload` looks again.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

/** Where an object begins in a pack file. */
export type StoredPlace = { pack: string; offset: number }

type PackIndex = { pack: string; index: Buffer }

type Stored = {
  has(id: string): boolean
  /** Null for one that is in no pack. */
  find(id: string): StoredPlace | null
  /** A pack that was written just now. */
  add(index: PackIndex): void
  /** The pack files. */
  packs(): string[]
  reload(): void
  /** From here on only what others do makes it stale. */
  mark(): void
  isStale(): boolean
}

const indexMagic = 0xff744f63
const headBytes = 8 + 1024
const farAway = 0x80000000
const sumBytes = 20

export function openStored(directory: string): Stored {
  const packs = join(directory, 'pack')
  let found: { indexes: PackIndex[]; loose: Set<string> } | null = null
  let seen = ''
  const state = () => {
    const stat = statSync(packs, { throwIfNoEntry: false })
    return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.ctimeMs}` : ''
  }
  const look = () => {
    if (!found) {
      seen = state()
      found = { indexes: readIndexes(packs), loose: new Set(readdirSync(directory)) }
    }
    return found
  }
  return {
    has(id) {
      const { indexes, loose } = look()
      const bytes = Buffer.from(id, 'hex')
      if (indexes.some(({ index }) => positionOf(index, bytes) !== null)) return true
      const first = id.slice(0, 2)
      return loose.has(first) && existsSync(join(directory, first, id.slice(2)))
    },
    find(id) {
      const bytes = Buffer.from(id, 'hex')
      for (const { pack, index } of look().indexes) {
        const position = positionOf(index, bytes)
        if (position !== null) return { pack, offset: offsetAt(index, position) }
      }
      return null
    },
    // What was looked at later than it was written has it already.
    add: index => void found?.indexes.unshift(index),
    packs: () => look().indexes.map(({ pack }) => pack),
    reload() {
      found = null
    },
    mark() {
      seen = state()
    },
    isStale: () => found !== null && state() !== seen,
  }
}

function readIndexes(packs: string): PackIndex[] {
  // Only plain files: to open a FIFO would wait for ever.
  const names = new Set(
    readdirSync(packs, { withFileTypes: true }).flatMap(entry => (entry.isFile() ? entry.name : [])),
  )
  return [...names]
    .filter(name => name.endsWith('.idx') && names.has(name.replace(/idx$/, 'pack')))
    .map(name => ({
      pack: join(packs, name.replace(/idx$/, 'pack')),
      index: readFileSync(join(packs, name)),
    }))
    .filter(({ index }) => index.length > headBytes && index.readUInt32BE(0) === indexMagic)
}

/** A table by first byte, then the ids in order. */
function positionOf(index: Buffer, id: Buffer): number | null {
  const first = id[0] as number
  let low = first === 0 ? 0 : index.readUInt32BE(8 + (first - 1) * 4)
  let high = index.readUInt32BE(8 + first * 4)
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = headBytes + middle * 20
    const order = id.compare(index, at, at + 20)
    if (order === 0) return middle
    if (order < 0) high = middle
    else low = middle + 1
  }
  return null
}

/** After the ids their checksums, then the offsets; those that need more room in a table of their own. */
function offsetAt(index: Buffer, position: number): number {
  const count = index.readUInt32BE(headBytes - 4)
  const offsets = headBytes + count * 24
  const offset = index.readUInt32BE(offsets + position * 4)
  if (offset < farAway) return offset
  return Number(index.readBigUInt64BE(offsets + count * 4 + (offset - farAway) * 8))
}

/** Whether neither a pack nor its index is cut short or belongs to another: git asks no more before it reads. */
export function isWholePack(pack: string, index: string): boolean {
  const { size, head, tail } = endsOf(index, 2 * sumBytes)
  if (size < headBytes || head.readUInt32BE(0) !== indexMagic) return false
  const counts = Array.from({ length: 256 }, (_, first) => head.readUInt32BE(8 + first * 4))
  const count = counts[255] as number
  const least = headBytes + count * 28 + tail.length
  if (size < least || size > least + count * 8) return false
  const isRising = counts.every((one, n) => n === 0 || one >= (counts[n - 1] as number))
  return isRising && endsOf(pack, sumBytes).tail.equals(tail.subarray(0, sumBytes))
}

function endsOf(path: string, tailBytes: number): { size: number; head: Buffer; tail: Buffer } {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    const size = stat.isFile() ? stat.size : 0
    const head = Buffer.alloc(headBytes)
    const tail = Buffer.alloc(tailBytes)
    if (size === 0) return { size, head, tail }
    readSync(file, head, 0, head.length, 0)
    readSync(file, tail, 0, tail.length, Math.max(0, size - tail.length))
    return { size, head, tail }
  } finally {
    closeSync(file)
  }
}
