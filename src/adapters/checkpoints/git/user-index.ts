/**
 * Reads the index file of the user's repository: which files it tracks, the id of each, the stat the file had
 * when git last saw it unchanged, and the tree objects git has written for whole directories. Versions 2 to 4
 * of the format; anything else is no index to us. Names are latin1, one character per byte.
 *
 * Read once, by a process that has just begun: so what is done for each file is little, and is left to built-in
 * functions (slices of one text, words of one array), which are fast from their first call.
 */
import { hash } from 'node:crypto'
import { isLink, type Stat } from '../scan/snapshot.ts'

/** Files have numbers, in the order of the index. */
export type UserIndex = {
  /** Those that have tracked files, at any depth; '' is the top. */
  directories(): string[]
  /** Regular files and symlinks that are tracked in a directory, by name; null where none are below it. */
  filesIn(directory: string): ReadonlyMap<string, number> | null
  /** How many have a number; submodules have one too. */
  count: number
  /** Whether what the index says of it counts, not only its path: no conflict, nothing git itself does not look at. */
  isPlain(file: number): boolean
  idOf(file: number): string
  /** The id of each, a line for each. */
  idLines: string
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
const newline = 10
/** As hex it would be more than a string can be: some two million files. */
const mostBytes = 250_000_000
const zeros = /^0+$/

/** Null also for one that is damaged. `ids`: of which kind those of the repository are. */
export function parseIndex(bytes: Buffer, ids: Ids): UserIndex | null {
  const idSize = idSizes[ids]
  if (bytes.length > mostBytes) return null
  if (bytes.length < headBytes + idSize || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const sum = bytes.toString('hex', bytes.length - idSize)
  // Git can be told to leave it out: what a file is proves itself, but what a whole tree is does not.
  const isSummed = !zeros.test(sum)
  if (isSummed && sum !== hash(ids, bytes.subarray(0, -idSize), 'hex')) return null
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  const count = bytes.readUInt32BE(8)
  // Each takes at least as much: so no more than there is room for, whatever a damaged file says.
  if (count * (statBytes + idSize) > bytes.length) return null
  const read = version === 4 ? readCompressed : readPlain
  const { end, ...entries } = read({ bytes, count, idSize })
  const { trees, rest } = extensionsOf(bytes, end, idSize)
  return { ...indexOf(entries), rest, trees: isSummed ? trees : new Map() }
}

type Request = { bytes: Buffer; count: number; idSize: number }

type Entries = {
  count: number
  byDirectory: Map<string, Map<string, number>>
  /** Ten words for each file, from where `places` says; whether the rest of what is said of it counts. */
  words: Uint32Array
  places: Uint32Array
  plain: Uint8Array
  idLines: string
}

// Of the words of a file: the seconds and nanoseconds of its ctime and mtime, dev, ino, mode, uid, gid, size.
const [mtimeAt, inoAt, modeAt, sizeAt] = [2, 5, 6, 9]

function indexOf(entries: Entries): Omit<UserIndex, 'trees' | 'rest'> {
  const { count, byDirectory, words, places, plain, idLines } = entries
  const at = (file: number) => places[file] as number
  const ms = (place: number) => (words[place] as number) * 1000 + (words[place + 1] as number) / 1e6
  const lineLength = (idLines.length + 1) / count
  return {
    directories: () => [...byDirectory.keys()],
    filesIn: directory => byDirectory.get(directory) ?? null,
    count,
    isPlain: file => plain[file] === 1,
    idOf: file => idLines.slice(file * lineLength, (file + 1) * lineLength - 1),
    idLines,
    sizeOf: file => words[at(file) + sizeAt] as number,
    ctimeMsOf: file => ms(at(file)),
    // To the nanosecond as far as the index has it; what it has no room for is cut off as git does.
    isSame(file, stat) {
      const place = at(file)
      return (
        ms(place) === stat.ctimeMs &&
        ms(place + mtimeAt) === stat.mtimeMs &&
        words[place + inoAt] === stat.ino >>> 0 &&
        words[place + modeAt] === modeOf(stat) &&
        words[place + sizeAt] === stat.size
      )
    },
  }
}

function modeOf({ mode }: Stat): number {
  if (isLink(mode)) return 0o120000
  return mode & 0o100 ? 0o100755 : 0o100644
}

/** Versions 2 and 3: every entry begins at a multiple of four bytes, so that its numbers are words of the file. */
function readPlain({ bytes, count, idSize }: Request): Entries & { end: number } {
  const words = wordsOf(bytes)
  const text = bytes.toString('latin1')
  const hex = bytes.toString('hex')
  const flagsAt = statBytes + idSize
  const places = new Uint32Array(count)
  const plain = new Uint8Array(count)
  const ids: string[] = []
  const { byDirectory, filesOf } = openListing()
  let files = filesOf('')
  let last = ''
  let at = headBytes
  for (let file = 0; file < count; file += 1) {
    const place = at >>> 2
    const flags = (words[(at + flagsAt) >>> 2] as number) >>> 16
    const start = at + flagsAt + (flags & extended ? 4 : 2)
    const length = flags & lengthBits
    const stop = length < lengthBits ? start + length : text.indexOf('\0', start)
    if (stop < start || stop > text.length) throw new RangeError('The index ends too soon')
    if (isSaved(words[place + modeAt] as number)) {
      const slash = Math.max(start - 1, text.lastIndexOf('/', stop - 1))
      const directory = text.slice(start, Math.max(start, slash))
      if (directory !== last) files = filesOf(directory)
      last = directory
      files.set(text.slice(slash + 1, stop), file)
    }
    places[file] = place
    plain[file] = isPlain(flags)
    ids.push(hex.slice(2 * (at + statBytes), 2 * (at + flagsAt)))
    at += (stop - at + 8) & ~7
  }
  return { count, byDirectory, words, places, plain, idLines: ids.join('\n'), end: at }
}

/** In the order of this machine; what is left over at the end of the file is no number. */
function wordsOf(bytes: Buffer): Uint32Array {
  const words = new Uint32Array(bytes.length >>> 2)
  const copy = Buffer.from(words.buffer)
  bytes.copy(copy)
  if (isLittleEndian) copy.swap32()
  return words
}

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

/** Version 4: how many bytes of the path before to drop, and what to add. */
function readCompressed({ bytes, count, idSize }: Request): Entries & { end: number } {
  const perFile = statBytes / 4
  const words = new Uint32Array(count * perFile)
  const places = new Uint32Array(count)
  const plain = new Uint8Array(count)
  const ids: string[] = []
  const { byDirectory, filesOf } = openListing()
  let path = ''
  let entry = headBytes
  for (let file = 0; file < count; file += 1) {
    places[file] = file * perFile
    for (let n = 0; n < perFile; n += 1) words[file * perFile + n] = bytes.readUInt32BE(entry + 4 * n)
    const flags = bytes.readUInt16BE(entry + statBytes + idSize)
    let at = entry + statBytes + idSize + (flags & extended ? 4 : 2)
    let drop = (bytes[at] as number) & 127
    while ((bytes[at] as number) & 128) {
      at += 1
      drop = (drop + 1) * 128 + ((bytes[at] as number) & 127)
    }
    const end = bytes.indexOf(0, at + 1)
    path = path.slice(0, path.length - drop) + bytes.toString('latin1', at + 1, end)
    const slash = path.lastIndexOf('/')
    if (isSaved(words[file * perFile + modeAt] as number))
      filesOf(path.slice(0, Math.max(0, slash))).set(path.slice(slash + 1), file)
    plain[file] = isPlain(flags)
    ids.push(bytes.toString('hex', entry + statBytes, entry + statBytes + idSize))
    entry = end + 1
  }
  return { count, byDirectory, words, places, plain, idLines: ids.join('\n'), end: entry }
}

function isPlain(flags: number): 0 | 1 {
  return (flags & (assumeValid | extended | stageBits)) === 0 ? 1 : 0
}

/** A regular file or a link, and no submodule. */
function isSaved(mode: number): boolean {
  const kind = mode >>> 12
  return kind === 0o10 || kind === 0o12
}

function openListing() {
  const byDirectory = new Map<string, Map<string, number>>([['', new Map()]])

  function filesOf(directory: string): Map<string, number> {
    const found = byDirectory.get(directory)
    if (found) return found
    // Those above it first.
    filesOf(directory.slice(0, Math.max(0, directory.lastIndexOf('/'))))
    const files = new Map<string, number>()
    byDirectory.set(directory, files)
    return files
  }

  return { byDirectory, filesOf }
}

/** What comes after the entries. */
function extensionsOf(bytes: Buffer, start: number, idSize: number): Pick<UserIndex, 'trees' | 'rest'> {
  const trees = new Map<string, WholeTree>()
  let rest: string | null = null
  for (let at = start; at + 8 <= bytes.length - idSize; at += 8 + bytes.readUInt32BE(at + 4)) {
    const kind = bytes.toString('latin1', at, at + 4)
    const name = kind === 'link' ? bytes.toString('hex', at + 8, at + 8 + idSize) : ''
    // Without a name there is no other file: all entries are here.
    if (name !== '' && !zeros.test(name)) rest = name
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
  const line = bytes.toString('latin1', nameEnd + 1, lineEnd)
  const space = line.indexOf(' ')
  const [count, below] = [Number(line.slice(0, space)), Number(line.slice(space + 1))]
  state.at = lineEnd + 1
  if (count >= 0) {
    state.trees.set(path, { id: bytes.toString('hex', state.at, state.at + state.idSize), count })
    state.at += state.idSize
  }
  for (let n = 0; n < below; n += 1) readTrees(bytes, state, path === '' ? '' : `${path}/`)
}
