/**
 * Which objects are on disk, and where: in packs, by their indexes, or loose. Read in this process, since asking git
 * would be a spawn for each checkpoint. The directory is read on first use, and again after `reload`.
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
import {
  checksumBytes,
  indexTailBytes,
  isPackIndex,
  isWholeIndex,
  offsetInPack,
  packIndexHeadBytes,
  rowInIndex,
} from '../format/pack-index.ts'

/** Where an object begins in a pack file. */
export type StoredPlace = { pack: string; offset: number }

type PackIndex = { pack: string; index: Buffer }

type Stored = {
  has(id: string): boolean
  /** Null for an object that is in no pack. */
  find(id: string): StoredPlace | null
  /** Adds a pack that this process has just written. */
  add(index: PackIndex): void
  /** The pack files. */
  packs(): string[]
  reload(): void
  /** Takes the directory as it is now for known: later changes are those of other processes. */
  mark(): void
  /** Did the directory of packs change since it was read or marked? */
  isStale(): boolean
}

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
      if (indexes.some(({ index }) => rowInIndex(index, bytes) !== null)) return true
      const first = id.slice(0, 2)
      return loose.has(first) && existsSync(join(directory, first, id.slice(2)))
    },
    find(id) {
      const bytes = Buffer.from(id, 'hex')
      for (const { pack, index } of look().indexes) {
        const row = rowInIndex(index, bytes)
        if (row !== null) return { pack, offset: offsetInPack(index, row) }
      }
      return null
    },
    // If the directory was not read yet, it will have the pack then.
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
  // Only plain files: to open a FIFO would block for ever.
  const names = new Set(
    readdirSync(packs, { withFileTypes: true }).flatMap(entry => (entry.isFile() ? entry.name : [])),
  )
  return [...names]
    .filter(name => name.endsWith('.idx') && names.has(name.replace(/idx$/, 'pack')))
    .map(name => ({
      pack: join(packs, name.replace(/idx$/, 'pack')),
      index: readFileSync(join(packs, name)),
    }))
    .filter(({ index }) => index.length > packIndexHeadBytes && isPackIndex(index))
}

/** Is neither a pack nor its index cut short, and do they belong together? Git checks no more before it reads. */
export function isWholePack(pack: string, index: string): boolean {
  const end = endsOf(pack, checksumBytes).tail
  return isWholeIndex(endsOf(index, indexTailBytes), end)
}

function endsOf(path: string, tailBytes: number): { size: number; head: Buffer; tail: Buffer } {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    const size = stat.isFile() ? stat.size : 0
    const head = Buffer.alloc(packIndexHeadBytes)
    const tail = Buffer.alloc(tailBytes)
    if (size === 0) return { size, head, tail }
    readSync(file, head, 0, head.length, 0)
    readSync(file, tail, 0, tail.length, Math.max(0, size - tail.length))
    return { size, head, tail }
  } finally {
    closeSync(file)
  }
}
