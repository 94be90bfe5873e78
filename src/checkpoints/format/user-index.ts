/**
 * Parses the index file of the user's repository (versions 2 to 4): which files are tracked, the id of each, the stat
 * that each had when git last saw it unchanged, and the tree objects that git has written for whole directories.
 */
import { hash } from 'node:crypto'
import { isLink, isRegular } from './file.ts'
import {
  type Entries,
  endOfEntry,
  extended,
  headBytes,
  modeAt,
  openEntries,
  openRuns,
  statBytes,
  type Table,
} from './user-index-entries.ts'

/** Only what is in the tree, with paths from there: regular files and links, and the directories that have any. */
export type UserIndex = Entries &
  Extensions & {
    table: Table
    directoryAt(path: string): number | undefined
    filesIn(directory: string): ReadonlyMap<string, number> | null
    idOf(file: number): string
    /** The ids of all files, as input for git. */
    idLines(): Buffer
    /** The files named .gitattributes. */
    attributes: number[]
  }

type Ids = 'sha1' | 'sha256'

/** `prefix`: the path of the tree in the repository, with a slash at its end; empty where the tree is the root. */
type IndexFile = { content: SharedArrayBuffer; ids: Ids; prefix: string; writtenMs: number }

const idSizes: Record<Ids, number> = { sha1: 20, sha256: 32 }
const slash = 47
const dot = 46
/** An index of some eight million files. */
export const mostIndexBytes = 1_000_000_000
/** PATH_MAX of Linux. */
const longestPath = 4_096
const zeros = /^0+$/

/** Null for a file that is no index, or whose checksum is wrong. Throws RangeError for one that does not parse. */
export function parseIndex({ content, ids, prefix, writtenMs }: IndexFile): UserIndex | null {
  const bytes = Buffer.from(content)
  const idSize = idSizes[ids]
  if (bytes.length < headBytes + idSize || bytes.toString('latin1', 0, 4) !== 'DIRC') return null
  const sum = bytes.toString('hex', bytes.length - idSize)
  // With `index.skipHash` there is no checksum. A file is compared with its own stat anyway, but nothing else proves
  // that a tree object belongs to the directory it is named for: then no tree object is believed.
  const isSummed = !zeros.test(sum)
  if (isSummed && sum !== hash(ids, bytes.subarray(0, -idSize), 'hex')) return null
  const version = bytes.readUInt32BE(4)
  if (version < 2 || version > 4) return null
  // No more entries than fit into the file, whatever a damaged one says.
  if (bytes.readUInt32BE(8) * (statBytes + idSize) > bytes.length) return null
  const expanded = version === 4 ? expand(bytes, idSize) : null
  const { end, ...read } = readEntries({ content: expanded?.content ?? content, idSize, prefix, writtenMs })
  const extensions = extensionsOf({ bytes, start: expanded?.end ?? end, idSize, prefix })
  return openIndex(read, isSummed ? extensions : { ...extensions, trees: () => noTrees })
}

type ReadEntries = { table: Table; numbers: Map<string, number>; attributes: number[] }

type ToRead = { content: SharedArrayBuffer; idSize: number; prefix: string; writtenMs: number }

function readEntries({ content, idSize, prefix, writtenMs }: ToRead): ReadEntries & { end: number } {
  const bytes = Buffer.from(content)
  const view = new DataView(content)
  const listing = openRuns()
  const attributes: number[] = []
  const total = view.getUint32(8)
  const places = new Uint32Array(new SharedArrayBuffer(4 * total))
  /** The directory of the previous file; a length of -1 is the tree itself, -2 none yet. */
  const last = { start: 0, length: -2 }
  let count = 0
  let at = headBytes
  for (let left = total; left > 0; left -= 1) {
    const place = at
    const flags = view.getUint16(at + statBytes + idSize)
    const start = at + statBytes + idSize + (flags & extended ? 4 : 2)
    const stop = endOfEntry(bytes, start, flags)
    if (stop < start || stop > bytes.length) throw new RangeError('The index ends too soon')
    at += (stop - at + 8) & ~7
    if (!isSaved(view.getUint32(place + modeAt))) continue
    if (prefix !== '' && bytes.toString('latin1', start, start + prefix.length) !== prefix) continue
    const from = start + prefix.length
    let name = stop
    while (name > from && bytes[name - 1] !== slash) name -= 1
    const special = bytes[name] === dot ? bytes.toString('latin1', name, stop) : ''
    // Nothing with this name is ever saved.
    if (special === '.git') continue
    if (special === '.gitattributes') attributes.push(count)
    const length = name - 1 - from
    if (length === 0) throw new RangeError('A path of the index begins with a slash')
    if (length !== last.length || !isSameText(bytes, from, last))
      listing.begin(bytes.toString('latin1', from, Math.max(from, from + length)), count)
    last.start = from
    last.length = length
    places[count] = place
    count += 1
  }
  const { numbers, ...listed } = listing.end(count)
  const known = { bytes: content, idSize, prefix: prefix.length, writtenMs }
  return { table: { ...known, places: places.subarray(0, count), ...listed }, numbers, attributes, end: at }
}

/** Compares from the end, where paths differ first. */
function isSameText(bytes: Buffer, start: number, other: { start: number; length: number }): boolean {
  for (let n = other.length - 1; n >= 0; n -= 1) if (bytes[start + n] !== bytes[other.start + n]) return false
  return true
}

function openIndex({ table, numbers, attributes }: ReadEntries, extensions: Extensions): UserIndex {
  const { places, runs, nextRuns, firstRuns, lengths, idSize } = table
  const entries = openEntries(table)
  const bytes = Buffer.from(table.bytes)
  const known = new Map<number, ReadonlyMap<string, number>>()
  const idAt = (file: number) => (places[file] as number) + statBytes

  function filesOf(directory: number): ReadonlyMap<string, number> {
    const files = new Map<string, number>()
    const length = lengths[directory] as number
    for (let run = firstRuns[directory] as number; run >= 0; run = nextRuns[run] as number) {
      for (let file = runs[run] as number; file < (runs[run + 1] as number); file += 1)
        files.set(entries.pathOf(file).slice(length === 0 ? 0 : length + 1), file)
    }
    known.set(directory, files)
    return files
  }

  return {
    ...entries,
    ...extensions,
    table,
    attributes,
    directoryAt: path => numbers.get(path),
    filesIn(path) {
      const directory = numbers.get(path)
      return directory === undefined ? null : (known.get(directory) ?? filesOf(directory))
    },
    idOf: file => bytes.toString('hex', idAt(file), idAt(file) + idSize),
    idLines: () => idLines({ bytes, places, shift: statBytes, idSize }),
  }
}

/** An index of version 4, in which a path is stored as a difference from the previous one, in the layout of version 2. */
function expand(bytes: Buffer, idSize: number): { content: SharedArrayBuffer; end: number } {
  const pieces = [bytes.subarray(0, headBytes)]
  let path = Buffer.alloc(0)
  let entry = headBytes
  let size = headBytes
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flags = bytes.readUInt16BE(entry + statBytes + idSize)
    const head = bytes.subarray(entry, entry + statBytes + idSize + (flags & extended ? 4 : 2))
    let at = entry + head.length
    let drop = bytes.readUInt8(at) & 127
    while (bytes.readUInt8(at) & 128) {
      at += 1
      drop = (drop + 1) * 128 + (bytes.readUInt8(at) & 127)
    }
    const end = bytes.indexOf(0, at + 1)
    if (end < 0 || drop > path.length) throw new RangeError('The index ends too soon')
    path = Buffer.concat([path.subarray(0, path.length - drop), bytes.subarray(at + 1, end)])
    const padding = 8 - ((head.length + path.length) % 8)
    size += head.length + path.length + padding
    if (path.length > longestPath || size > mostIndexBytes) throw new RangeError('The index has too much')
    pieces.push(head, path, Buffer.alloc(padding))
    entry = end + 1
  }
  const content = new SharedArrayBuffer(size)
  Buffer.concat(pieces).copy(Buffer.from(content))
  return { content, end: entry }
}

/** Regular files and links; not submodules. */
function isSaved(mode: number): boolean {
  return isRegular(mode) || isLink(mode)
}

/**
 * The extensions of an index file, which follow its entries. `TREE` names the tree objects that git has written for
 * whole directories; `link` names the shared file of a split index.
 */

type Extensions = {
  trees(): Trees
  /** In a split index: the name of the shared file with most of the entries. This file has only the changes to it. */
  rest: string | null
}

/** Tree objects, numbered depth first: a tree is followed by all trees below it. */
type Trees = {
  count: number
  idOf(tree: number): string
  /** The ids of all, as input for git. */
  idLines(): Buffer
  /** The tree object of a directory. */
  at(path: string): number | null
  /** How many files are below it, at any depth; -1 where git does not know. */
  countOf(tree: number): number
  /** The number of the first tree entry after all the subtrees of this one. */
  after(tree: number): number
}

const noTrees: Trees = {
  count: 0,
  idOf: () => '',
  idLines: () => Buffer.alloc(0),
  at: () => null,
  countOf: () => 0,
  after: () => 0,
}

const [newline, space, minus, zero] = [10, 32, 45, 48]
const none = -1
type ExtensionsToRead = { bytes: Buffer; start: number; idSize: number; prefix: string }

function extensionsOf({ bytes, start, idSize, prefix }: ExtensionsToRead): Extensions {
  let treesAt: { start: number; end: number } | null = null
  let rest: string | null = null
  for (let at = start; at + 8 <= bytes.length - idSize; at += 8 + bytes.readUInt32BE(at + 4)) {
    const kind = bytes.toString('latin1', at, at + 4)
    const name = kind === 'link' ? bytes.toString('hex', at + 8, at + 8 + idSize) : ''
    // A name of zeros: there is no shared file, all entries are here.
    if (name !== '' && !zeros.test(name)) rest = name
    if (kind === 'TREE') treesAt = { start: at + 8, end: at + 8 + bytes.readUInt32BE(at + 4) }
  }
  let trees: Trees | null = null
  return {
    trees() {
      trees ??= treesAt
        ? readIfWhole({ bytes: bytes.subarray(0, treesAt.end), start: treesAt.start, idSize, prefix })
        : noTrees
      return trees
    },
    rest,
  }
}

function readIfWhole(request: ExtensionsToRead): Trees {
  try {
    return readTrees(request)
  } catch (error) {
    if (error instanceof RangeError) return noTrees
    throw error
  }
}

function readTrees({ bytes, start, idSize, prefix }: ExtensionsToRead): Trees {
  const names: number[] = []
  const counts: number[] = []
  const ids: number[] = []
  const afters: number[] = []

  /** `name NUL files SPACE subtrees NEWLINE id`, then the subtrees. With -1 files the tree is out of date and has no id. */
  function read(at: number): number {
    const tree = names.push(at) - 1
    const filesAt = bytes.indexOf(0, at) + 1
    const isKnown = bytes[filesAt] !== minus
    const belowAt = afterDigits(bytes, isKnown ? filesAt : filesAt + 1, space)
    let next = afterDigits(bytes, belowAt, newline)
    counts.push(isKnown ? numberAt(bytes, filesAt) : none)
    ids.push(isKnown ? next : -idSize)
    afters.push(0)
    if (isKnown) next += idSize
    for (let left = numberAt(bytes, belowAt); left > 0; left -= 1) next = read(next)
    afters[tree] = names.length
    return next
  }
  if (read(start) !== bytes.length) throw new RangeError('The trees of an index end elsewhere')
  const known = new Map<number, Map<string, number>>()

  function treesIn(tree: number): Map<string, number> {
    const found = known.get(tree)
    if (found) return found
    const inside = new Map<string, number>()
    for (let child = tree + 1; child < (afters[tree] as number); child = afters[child] as number) {
      const at = names[child] as number
      inside.set(bytes.toString('latin1', at, bytes.indexOf(0, at)), child)
    }
    known.set(tree, inside)
    return inside
  }

  return {
    count: names.length,
    idOf: tree => bytes.toString('hex', ids[tree], (ids[tree] as number) + idSize),
    idLines: () => idLines({ bytes, places: ids, shift: 0, idSize }),
    at(path) {
      let tree: number | undefined = 0
      for (const name of `${prefix}${path}`.split('/')) {
        if (name === '' || tree === undefined) continue
        tree = treesIn(tree).get(name)
      }
      return tree ?? null
    },
    countOf: tree => counts[tree] as number,
    after: tree => afters[tree] as number,
  }
}

/** Where the text after a number goes on. Throws where there is no number, or another byte than `end` follows. */
function afterDigits(bytes: Buffer, start: number, end: number): number {
  let at = start
  while (isDigit(bytes[at])) at += 1
  if (at === start || bytes[at] !== end) throw new RangeError('The trees of an index have no such number')
  return at + 1
}

function numberAt(bytes: Buffer, start: number): number {
  let number = 0
  for (let at = start; isDigit(bytes[at]); at += 1) number = number * 10 + (bytes[at] as number) - zero
  return number
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= zero + 9
}

/** Ids as input for git: in hex, one on each line. */

/** `places`, moved by `shift`: where each id begins in `bytes`. A negative place stands for no id, and gives zeros. */
type IdsAt = { bytes: Buffer; places: ArrayLike<number>; shift: number; idSize: number }

/** Two characters at a time, which is three times as fast as strings; therefore a space stands before each line end. */
export function idLines({ bytes, places, shift, idSize }: IdsAt): Buffer {
  const lines = new Uint16Array(places.length * (idSize + 1))
  let to = 0
  for (let n = 0; n < places.length; n += 1) {
    const first = (places[n] as number) + shift
    for (let at = first; at < first + idSize; at += 1, to += 1) lines[to] = hex[bytes[at] ?? 0] as number
    lines[to] = lineEnd
    to += 1
  }
  return Buffer.from(lines.buffer)
}

/** For each byte its two hex digits as one number. */
const hex = pairsOf(Buffer.from(Uint8Array.from({ length: 256 }, (_, n) => n)).toString('hex'))
const [lineEnd = 0] = pairsOf(' \n')

function pairsOf(text: string): Uint16Array {
  return new Uint16Array(Uint8Array.from(Buffer.from(text)).buffer)
}
