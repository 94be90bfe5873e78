/**
 * Reads the index file of the user's repository: which files it tracks, the id of each, the stat the file had
 * when git last saw it unchanged, and the tree objects git has written for whole directories. Versions 2 to 4
 * of the format; anything else is no index to us. Names are latin1, one character per byte.
 */
import { hash } from 'node:crypto'
import { isLink, type Stat } from '../scan/snapshot.ts'

/** Files have numbers, in the order of the index. */
export type UserIndex = {
  /** Those that have tracked files, at any depth; '' is the top. */
  directories(): string[]
  /** Regular files and symlinks that are tracked in a directory, by name; null where none are below it. */
  filesIn(directory: string): readonly number[] | null
  nameOf(file: number): string
  /** Finds one of `filesIn` by name; soonest where they are asked for in order. */
  finder(files: readonly number[]): (name: string) => number | null
  /** How many have a number; submodules have one too. */
  count: number
  /** Whether what the index says of it counts, not only its path: no conflict, nothing git itself does not look at. */
  isPlain(file: number): boolean
  idOf(file: number): string
  /** The id of each, a line for each. */
  idLines: Buffer
  sizeOf(file: number): number
  ctimeMsOf(file: number): number
  isSame(file: number, stat: Stat): boolean
  /** By directory: the tree object for it, and how many files are in it at any depth. */
  trees: Map<string, WholeTree>
  /** A split index: the name of the file with the other entries, of which this one says only what changed. */
  rest: string | null
}

export type Ids = 'sha1' | 'sha256'

export type WholeTree = { id: string; count: number }

const headBytes = 12
const statBytes = 40
const assumeValid = 0x8000
const extended = 0x4000
const stageBits = 0x3000
const lengthBits = 0x0fff
const idSizes: Record<Ids, number> = { sha1: 20, sha256: 32 }
const slash = 47
const newline = 10

/** Null also for one that is damaged. `ids`: of which kind those of the repository are. */
export function parseIndex(bytes: Buffer, ids: Ids): UserIndex | null {
  const idSize = idSizes[ids]
  const flags = statBytes + idSize
  if (bytes.length < headBytes + idSize || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const sum = bytes.toString('hex', bytes.length - idSize)
  // Git can be told to leave it out: what a file is proves itself, but what a whole tree is does not.
  const isSummed = !/^0+$/.test(sum)
  if (isSummed && sum !== hash(ids, bytes.subarray(0, -idSize), 'hex')) return null
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const count = bytes.readUInt32BE(8)
  // Each takes at least as much: so no more than there is room for, whatever a damaged file says.
  if (count * flags > bytes.length) return null
  const names = version === 4 ? compressedNames(bytes, flags) : plainNames(bytes, flags, count)
  const places = new Uint32Array(count)
  const listing = openListing()
  let at = headBytes
  for (let file = 0; file < count; file += 1) {
    const { directory, end } = names.read(at)
    const kind = bytes.readUInt32BE(at + 24) >>> 12
    if (kind === 0o10 || kind === 0o12) listing.add(directory, file)
    places[file] = at
    at = end
  }
  const { trees, rest } = extensionsOf(bytes, at, idSize)
  const { nameOf, order } = names
  const found = { ...listing.listed, nameOf, finder: finderBy(order), rest }
  return { ...found, trees: isSummed ? trees : new Map(), ...entriesAt(bytes, places, idSize) }
}

type Entries = Omit<UserIndex, 'directories' | 'filesIn' | 'nameOf' | 'finder' | 'trees' | 'rest'>

function entriesAt(bytes: Buffer, places: Uint32Array, idSize: number): Entries {
  const at = (file: number) => places[file] as number
  const ms = (from: number) => bytes.readUInt32BE(from) * 1000 + bytes.readUInt32BE(from + 4) / 1e6
  const sizeOf = (file: number) => bytes.readUInt32BE(at(file) + 36)
  const flagsOf = (file: number) => bytes.readUInt16BE(at(file) + statBytes + idSize)
  const idLines = hexLines(bytes, places, idSize)
  const text = idLines.toString('latin1')
  const lineBytes = 2 * idSize + 1
  return {
    idLines,
    count: places.length,
    isPlain: file => (flagsOf(file) & (assumeValid | extended | stageBits)) === 0,
    idOf: file => text.slice(file * lineBytes, (file + 1) * lineBytes - 1),
    sizeOf,
    ctimeMsOf: file => ms(at(file)),
    // To the nanosecond as far as the index has it; what it has no room for is cut off as git does.
    isSame: (file, stat) =>
      ms(at(file)) === stat.ctimeMs &&
      ms(at(file) + 8) === stat.mtimeMs &&
      bytes.readUInt32BE(at(file) + 20) === stat.ino >>> 0 &&
      bytes.readUInt32BE(at(file) + 24) === modeOf(stat) &&
      sizeOf(file) === stat.size,
  }
}

const digits = Buffer.from('0123456789abcdef')

/** By hand: a string for each of them takes several times as long. */
function hexLines(bytes: Buffer, places: Uint32Array, idSize: number): Buffer {
  const lines = Buffer.allocUnsafe(places.length * (2 * idSize + 1))
  let to = 0
  for (const place of places) {
    const end = place + statBytes + idSize
    for (let at = place + statBytes; at < end; at += 1) {
      const byte = bytes[at] as number
      lines[to] = digits[byte >>> 4] as number
      lines[to + 1] = digits[byte & 15] as number
      to += 2
    }
    lines[to] = newline
    to += 1
  }
  return lines
}

function modeOf({ mode }: Stat): number {
  if (isLink(mode)) return 0o120000
  return mode & 0o100 ? 0o100755 : 0o100644
}

/** Reads entries in order. The name of a file is made only when it is asked for: most are only compared. */
type Names = {
  read(at: number): { directory: string; end: number }
  nameOf(file: number): string
  /** Less than 0: the file comes before the name. */
  order(file: number, name: string): number
}

/** `flagsAt`: where in an entry its flags are, and after them its name. */
function plainNames(bytes: Buffer, flagsAt: number, count: number): Names {
  const starts = new Uint32Array(count)
  const stops = new Uint32Array(count)
  let directory = ''
  let last = { start: 0, length: 0 }
  let read = 0
  return {
    nameOf: file => bytes.toString('latin1', starts[file], stops[file]),
    order(file, name) {
      const start = starts[file] as number
      const length = (stops[file] as number) - start
      for (let at = 0; at < length && at < name.length; at += 1) {
        const difference = (bytes[start + at] as number) - name.charCodeAt(at)
        if (difference !== 0) return difference
      }
      return length - name.length
    },
    read(at) {
      const flags = bytes.readUInt16BE(at + flagsAt)
      const start = at + flagsAt + (flags & extended ? 4 : 2)
      const said = flags & lengthBits
      const stop = said < lengthBits ? start + said : bytes.indexOf(0, start)
      let cut = stop
      while (cut > start && bytes[cut - 1] !== slash) cut -= 1
      // Most are in the directory of the one before.
      const length = cut - start
      const isSame = length === last.length && isSameText(bytes, { a: last.start, b: start, length })
      if (!isSame) directory = bytes.toString('latin1', start, Math.max(start, cut - 1))
      last = { start, length }
      starts[read] = cut
      stops[read] = stop
      read += 1
      return { directory, end: at + ((stop - at + 8) & ~7) }
    },
  }
}

function isSameText(bytes: Buffer, { a, b, length }: { a: number; b: number; length: number }): boolean {
  // From the end: there they differ first.
  for (let at = length - 1; at >= 0; at -= 1) if (bytes[a + at] !== bytes[b + at]) return false
  return true
}

/** How many bytes of the path before to drop, and what to add. */
function compressedNames(bytes: Buffer, flagsAt: number): Names {
  const names: string[] = []
  let path = ''
  return {
    nameOf: file => names[file] ?? '',
    order(file, name) {
      const own = names[file] ?? ''
      if (own === name) return 0
      return own < name ? -1 : 1
    },
    read(entry) {
      const flags = bytes.readUInt16BE(entry + flagsAt)
      let at = entry + flagsAt + (flags & extended ? 4 : 2)
      let drop = (bytes[at] as number) & 127
      while ((bytes[at] as number) & 128) {
        at += 1
        drop = (drop + 1) * 128 + ((bytes[at] as number) & 127)
      }
      const end = bytes.indexOf(0, at + 1)
      path = path.slice(0, path.length - drop) + bytes.toString('latin1', at + 1, end)
      const cut = path.lastIndexOf('/')
      names.push(path.slice(cut + 1))
      return { directory: path.slice(0, Math.max(0, cut)), end: end + 1 }
    },
  }
}

function openListing() {
  const numbers = new Map<string, number[]>([['', []]])
  let last = { directory: '', files: numbers.get('') as number[] }

  function open(directory: string): number[] {
    const found = numbers.get(directory)
    if (found) return found
    open(directory.slice(0, Math.max(0, directory.lastIndexOf('/'))))
    const files: number[] = []
    numbers.set(directory, files)
    return files
  }

  return {
    add(directory: string, file: number): void {
      if (directory !== last.directory) last = { directory, files: open(directory) }
      last.files.push(file)
    },
    listed: {
      directories: () => [...numbers.keys()],
      filesIn: (directory: string): readonly number[] | null => numbers.get(directory) ?? null,
    },
  }
}

/** By halves, beginning with the one after what was found last. */
function finderBy(order: Names['order']): UserIndex['finder'] {
  return files => {
    let next = 0
    return name => {
      let low = 0
      let high = files.length
      let at = Math.min(next, high - 1)
      while (low < high) {
        const file = files[at] as number
        const side = order(file, name)
        next = at + 1
        if (side === 0) return file
        if (side < 0) low = at + 1
        else high = at
        at = (low + high) >>> 1
      }
      return null
    }
  }
}

/** What comes after the entries. */
function extensionsOf(bytes: Buffer, start: number, idSize: number): Pick<UserIndex, 'trees' | 'rest'> {
  const trees = new Map<string, WholeTree>()
  let rest: string | null = null
  for (let at = start; at + 8 <= bytes.length - idSize; at += 8 + bytes.readUInt32BE(at + 4)) {
    const kind = bytes.toString('latin1', at, at + 4)
    if (kind === 'link') rest = bytes.toString('hex', at + 8, at + 8 + idSize)
    if (kind === 'TREE') readTrees(bytes, { at: at + 8, trees, idSize }, '')
  }
  return { trees, rest }
}

type Trees = { at: number; trees: Map<string, WholeTree>; idSize: number }

/** `name NUL files SPACE subtrees NEWLINE id`, then the subtrees; fewer than no files: not known, and no id. */
function readTrees(bytes: Buffer, state: Trees, above: string): void {
  const nameEnd = bytes.indexOf(0, state.at)
  const lineEnd = bytes.indexOf(newline, nameEnd)
  if (nameEnd < state.at || lineEnd < nameEnd) throw new RangeError('The trees of an index end too soon')
  const path = above + bytes.toString('latin1', state.at, nameEnd)
  const [count = -1, below = 0] = bytes
    .toString('latin1', nameEnd + 1, lineEnd)
    .split(' ')
    .map(Number)
  state.at = lineEnd + 1
  if (count >= 0) {
    state.trees.set(path, { id: bytes.toString('hex', state.at, state.at + state.idSize), count })
    state.at += state.idSize
  }
  for (let n = 0; n < below; n += 1) readTrees(bytes, state, path === '' ? '' : `${path}/`)
}
