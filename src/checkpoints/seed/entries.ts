/**
 * What the index of the user's repository says of each file and each directory, in memory that two threads can
 * share. Files and directories have numbers, in the order of the index. Names are latin1, one character per byte.
 *
 * Nothing is made of the file but some numbers: to fill new memory takes longer than to look something up twice.
 */
import { isLink, type Stat } from '../scan/stat.ts'

export type Table = {
  /** The index, as a file of version 2 or 3. */
  bytes: ArrayBufferLike
  idSize: number
  /** How much of each path leads to the tree. */
  prefix: number
  writtenMs: number
  /** By file: where it begins. */
  places: Uint32Array
  /** By run of files of one directory: the first of them; which run of the same directory comes next, -1 for none. */
  runs: Int32Array
  nextRuns: Int32Array
  /** By directory, where 0 is the tree and those above another come before it: a file at any depth, and how much of its path is the directory's. */
  samples: Int32Array
  lengths: Int32Array
  /** By directory: its first run, the one it is in, how many are directly in it. */
  firstRuns: Int32Array
  above: Int32Array
  inside: Int32Array
}

export type Entries = {
  pathOf(file: number): string
  directoryOf(directory: number): string
  /** Of a directory. */
  nameOf(directory: number): string
  /** Those directly in it. */
  directoriesIn(directory: number): readonly number[]
  /** As git has it: of permissions only whether it can be executed. */
  modeOf(file: number): number
  sizeOf(file: number): number
  ctimeMsOf(file: number): number
  mtimeMsOf(file: number): number
  /** As far as 32 bits go. */
  inoOf(file: number): number
  /** Whether a file with this stat has the bytes that the index names. */
  isSame(file: number, stat: Stat): boolean
}

export const headBytes = 12
export const statBytes = 40
export const extended = 0x4000
const lengthBits = 0x0fff
const assumeValid = 0x8000
const stageBits = 0x3000
/** A conflict, or what git itself does not look at: what the index says of it does not count. */
const unsureBits = assumeValid | extended | stageBits

// In an entry: the seconds and nanoseconds of its ctime and mtime, dev, ino, mode, uid, gid, size.
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
    // To the nanosecond as far as the index has it; what it has no room for is cut off as git does.
    isSame(file, stat) {
      const at = place(file)
      const ctimeMs = ms(at + ctimeAt)
      return (
        ctimeMs === stat.ctimeMs &&
        // Else it changed so shortly before the index was written that a later change could have left the same stat.
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

/** By directory. */
function allInside(above: Int32Array): number[][] {
  const inside: number[][] = Array.from(above, () => [])
  above.forEach((outer, directory) => inside[outer]?.push(directory))
  return inside
}

/** Of a path: a long one has no length in its flags. Before its start where there is none. */
export function endOfEntry(bytes: Buffer, start: number, flags: number): number {
  const length = flags & lengthBits
  return length < lengthBits ? start + length : bytes.indexOf(0, start)
}

function gitModeOf({ mode }: Stat): number {
  if (isLink(mode)) return 0o120000
  return mode & 0o100 ? 0o100755 : 0o100644
}
