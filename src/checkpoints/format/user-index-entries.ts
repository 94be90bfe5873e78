/**
 * The entries of the user's index, in memory that two threads can share. Files and directories are numbered in the
 * order of the index. Names are latin1, one character per byte.
 *
 * Entries stay the bytes they are in the file, and a field is decoded whenever it is asked for: allocating objects
 * for 80 000 files takes longer than decoding a field twice.
 */
import { isLink, type Stat } from './file.ts'

export type Table = {
  /** The index file, in the layout of version 2 or 3. */
  bytes: ArrayBufferLike
  idSize: number
  /** How many bytes of each path lead from the root of the repository to the tree. */
  prefix: number
  /** When the index was written. */
  writtenMs: number
  /** For each file: where its entry begins. */
  places: Uint32Array
  /** For each run (consecutive files of one directory): its first file, and the next run of that directory or -1. */
  runs: Int32Array
  nextRuns: Int32Array
  /** For each directory (0 is the tree; parents come before children): a file below it, whose path begins with it… */
  samples: Int32Array
  /** …and the length of its own path in that. */
  lengths: Int32Array
  /** For each directory: its first run, its parent, and how many directories are directly in it. */
  firstRuns: Int32Array
  above: Int32Array
  inside: Int32Array
}

export type Entries = {
  pathOf(file: number): string
  directoryOf(directory: number): string
  /** The last part of the path of a directory. */
  nameOf(directory: number): string
  /** The directories directly in it. */
  directoriesIn(directory: number): readonly number[]
  /** The mode as git has it: of the permissions only whether it is executable. */
  modeOf(file: number): number
  sizeOf(file: number): number
  ctimeMsOf(file: number): number
  mtimeMsOf(file: number): number
  /** Its lower 32 bits. */
  inoOf(file: number): number
  /** Does a file with this stat have the content that the index names? */
  isSame(file: number, stat: Stat): boolean
}

export const headBytes = 12
export const statBytes = 40
export const extended = 0x4000
const lengthBits = 0x0fff
const assumeValid = 0x8000
const stageBits = 0x3000
/** Entries that cannot be believed: sides of a conflict, and files that git was told not to look at. */
const unsureBits = assumeValid | extended | stageBits

// The start of an entry: seconds and nanoseconds of ctime and of mtime, dev, ino, mode, uid, gid, size.
const [ctimeAt, mtimeAt, inoAt, sizeAt] = [0, 8, 20, 36]
export const modeAt = 24

export function openEntries({ bytes, idSize, prefix, writtenMs, places, ...table }: Table): Entries {
  const text = Buffer.from(bytes)
  const view = new DataView(bytes)
  const flagsAt = statBytes + idSize
  const place = (file: number) => places[file] as number
  const ms = (at: number) => view.getUint32(at) * 1000 + view.getUint32(at + 4) / 1e6

  function pathOf(file: number): string {
    const at = place(file) + flagsAt
    const flags = view.getUint16(at)
    const start = at + (flags & extended ? 4 : 2)
    return text.toString('latin1', start + prefix, endOfEntry(text, start, flags))
  }

  function directoryOf(directory: number): string {
    const length = table.lengths[directory] as number
    return length === 0 ? '' : pathOf(table.samples[directory] as number).slice(0, length)
  }

  let inside: number[][] | null = null
  function directoriesIn(directory: number): readonly number[] {
    inside ??= allInside(table.above)
    return inside[directory] as number[]
  }

  return {
    pathOf,
    directoryOf,
    nameOf(directory) {
      const path = directoryOf(directory)
      return path.slice(path.lastIndexOf('/') + 1)
    },
    directoriesIn,
    modeOf: file => view.getUint32(place(file) + modeAt),
    sizeOf: file => view.getUint32(place(file) + sizeAt),
    ctimeMsOf: file => ms(place(file) + ctimeAt),
    mtimeMsOf: file => ms(place(file) + mtimeAt),
    inoOf: file => view.getUint32(place(file) + inoAt),
    // Times to the nanosecond; the inode is cut to 32 bits, as git does.
    isSame(file, stat) {
      const at = place(file)
      const ctimeMs = ms(at + ctimeAt)
      return (
        ctimeMs === stat.ctimeMs &&
        // Else the file changed so shortly before the index was written that a later change could leave the same stat.
        ctimeMs < writtenMs &&
        ms(at + mtimeAt) === stat.mtimeMs &&
        view.getUint32(at + inoAt) === stat.ino >>> 0 &&
        view.getUint32(at + modeAt) === gitModeOf(stat) &&
        view.getUint32(at + sizeAt) === stat.size &&
        (view.getUint16(at + flagsAt) & unsureBits) === 0
      )
    },
  }
}

/** For each directory the directories in it. */
function allInside(above: Int32Array): number[][] {
  const inside: number[][] = Array.from(above, () => [])
  above.forEach((outer, directory) => inside[outer]?.push(directory))
  return inside
}

/** Where a path that starts at `start` ends. The flags hold the length of short ones; -1 where a long one has no end. */
export function endOfEntry(bytes: Buffer, start: number, flags: number): number {
  const length = flags & lengthBits
  return length < lengthBits ? start + length : bytes.indexOf(0, start)
}

function gitModeOf({ mode }: Stat): number {
  if (isLink(mode)) return 0o120000
  return mode & 0o100 ? 0o100755 : 0o100644
}

/**
 * Which files of an index are in which directory. Entries are sorted by path, so the files of one directory stand in a
 * few runs of consecutive entries, interrupted by its subdirectories.
 */

type Runs = Pick<Table, 'runs' | 'nextRuns' | 'samples' | 'lengths' | 'firstRuns' | 'above' | 'inside'>

const none = -1
/** Names that git never writes. A hostile index could use them to name one directory in two ways. */
const impossible = new Set(['', '.', '..', '.git'])

export function openRuns() {
  const numbers = new Map<string, number>()
  const runs: number[] = []
  const nextRuns: number[] = []
  const samples: number[] = []
  const lengths: number[] = []
  const firstRuns: number[] = []
  const lastRuns: number[] = []
  const above: number[] = []
  const inside: number[] = []

  function numberOf(directory: string, file: number): number {
    const found = numbers.get(directory)
    if (found !== undefined) return found
    const end = Math.max(0, directory.lastIndexOf('/'))
    const name = directory.slice(directory.lastIndexOf('/') + 1)
    if (directory !== '' && impossible.has(name)) throw new RangeError(`The index has a directory "${name}"`)
    // The parent first: it must have the lower number.
    const outer = directory === '' ? none : numberOf(directory.slice(0, end), file)
    if (outer !== none) inside[outer] = (inside[outer] as number) + 1
    const number = numbers.size
    numbers.set(directory, number)
    samples.push(file)
    lengths.push(directory.length)
    firstRuns.push(none)
    lastRuns.push(none)
    above.push(outer)
    inside.push(0)
    return number
  }
  numberOf('', 0)

  return {
    /** A new run: from this file on, entries are in this directory. */
    begin(directory: string, file: number): void {
      const number = numberOf(directory, file)
      const run = runs.push(file) - 1
      nextRuns.push(none)
      const before = lastRuns[number] as number
      if (before === none) firstRuns[number] = run
      else nextRuns[before] = run
      lastRuns[number] = run
    },
    /** `count`: the number of all files. */
    end(count: number): Runs & { numbers: Map<string, number> } {
      return {
        numbers,
        runs: shared([...runs, count]),
        nextRuns: shared(nextRuns),
        samples: shared(samples),
        lengths: shared(lengths),
        firstRuns: shared(firstRuns),
        above: shared(above),
        inside: shared(inside),
      }
    },
  }
}

function shared(numbers: number[]): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(4 * numbers.length))
  copy.set(numbers)
  return copy
}
