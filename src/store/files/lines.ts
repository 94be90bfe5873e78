/**
 * The lines of an output by number, however large it is. The position of every 512th line is known; a line is reached
 * by reading a little from there. The index grows with the output, in steps, so that nobody waits; it can be kept
 * beside the output (saved). Lines count from 0 here and are bytes: callers that show them make them safe.
 *
 *   places      0          512             1024
 *   file        |--------------|-----===========|---|      read(600): from place 512, at most 64 kB of it
 *                                    ^ a line of 1 MB: the place after it is where it ends
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'
import { sizeOf } from './artifact.ts'
import { type LineStart, type Scanner, scannerFrom } from './line-scan.ts'

/** `bytes`: at most as many of the line as asked for, without its end; `length`: how many it has. */
export type FileLine = LineStart & { bytes: Buffer; length: number }

export type Lines = {
  /** Reads on, at most `mostBytes`. False if there is nothing new. */
  grow(mostBytes?: number): boolean
  /** `lines`: the number of lines, including an unfinished one. `bytes`: how much of `size` was read. */
  count(): { lines: number; bytes: number; size: number }
  /** `many` lines from the line `from` on, each with at most `most` bytes. */
  read(from: number, many: number, most?: number): FileLine[]
  /** The bytes before a line, at most `bytes`, to judge its content. */
  before(line: FileLine, bytes: number): Buffer
  /** The bytes about a line that can be looked at in one step, and the lines they begin with and end before. */
  around(line: number): { first: number; end: number; bytes: Buffer }
  close(): void
}

const stepLines = 512
/**
 * Two places are at least `leastStep` bytes apart, so that the index stays small; no line begins more than about
 * `mostStep` bytes after the place before it.
 */
const leastStep = 1 << 14
const mostStep = 1 << 16
const pieceBytes = 1 << 16
const markBytes = 64
export const longestShown = 8_192
/** An index is worth a file where reading the output again would be felt. */
const worthSaving = 4 << 20

const begin: SavedPlace = { line: 0, at: 0, colour: '', mark: 0 }

/** The index of an output is a file beside it. */
export function indexFile(output: string): string {
  return `${output}.lines`
}

/** The lines of a file. `saved`: the file that keeps the index; null keeps none. */
export function linesOf(file: string, saved: string | null = indexFile(file)): Lines {
  let opened: Opened | null = null
  const open = () => {
    if (opened && !isSame(opened, file)) {
      opened.close()
      opened = null
    }
    opened ??= openLines(file, saved)
    return opened
  }
  return {
    grow: (most = Number.POSITIVE_INFINITY) => open()?.grow(most) ?? false,
    count: () => opened?.count() ?? { lines: 0, bytes: 0, size: sizeOf(file) },
    read: (from, many, most = longestShown) => opened?.read(from, many, most) ?? [],
    before: (line, bytes) => opened?.before(line, bytes) ?? Buffer.alloc(0),
    around: line => opened?.around(line) ?? { first: 0, end: 0, bytes: Buffer.alloc(0) },
    close: () => opened?.close(),
  }
}

type Opened = Lines & { inode: string }

/** Null while the output is empty or is no regular file. */
function openLines(file: string, saved: string | null): Opened | null {
  if (sizeOf(file) === 0) return null
  const fd = openOrNull(file)
  return fd === null ? null : linesIn(fd, saved)
}

/** The lines of an open file; closing them closes the file. */
export function linesIn(fd: number, saved: string | null = null): Opened {
  const inode = inodeOf(fd)
  const index = indexFrom(fd, saved)
  let savedAt = index.scanner.scanned()
  const keep = () => {
    const scanned = index.scanner.scanned()
    if (saved === null || scanned - savedAt < Math.max(worthSaving, savedAt / 4)) return
    saveIndex(saved, { inode, scanned, now: index.scanner.now(), places: index.places })
    savedAt = scanned
  }
  return {
    inode,
    grow(most = Number.POSITIVE_INFINITY) {
      const isMore = growIndex(fd, index, most)
      if (!isMore) keep()
      return isMore
    },
    count: () => countOf(fd, index),
    read: (from, many, most = longestShown) => readLines(fd, index, { from: Math.max(0, from), many, most }),
    before: ({ at }, bytes) => readAt(fd, Math.max(0, at - bytes), Math.min(bytes, at)),
    around(line) {
      const at = placeBefore(fd, index, line)
      const [place = begin, next] = index.places.slice(at, at + 2)
      const { lines, size } = countOf(fd, index)
      // Anything further away is the rest of a very long line, of which only the beginning is shown.
      const length = Math.min((next?.at ?? size) - place.at, mostStep + 2 * longestShown)
      return { first: place.line, end: next?.line ?? lines, bytes: readAt(fd, place.at, length) }
    },
    close() {
      keep()
      closeSync(fd)
    },
  }
}

function countOf(fd: number, { scanner }: Index): ReturnType<Lines['count']> {
  const { size } = fstatSync(fd)
  const { line, at } = scanner.now()
  return { lines: line + (size > at ? 1 : 0), bytes: scanner.scanned(), size }
}

type Index = { places: SavedPlace[]; scanner: Scanner }

/** The saved index, if it belongs to this file as it is now; otherwise an empty one. */
function indexFrom(fd: number, saved: string | null): Index {
  const known = saved === null ? null : loadIndex(saved)
  const nothing = { places: [begin], scanner: scannerFrom(begin) }
  if (!known || known.inode !== inodeOf(fd) || known.scanned > fstatSync(fd).size) return nothing
  const last = known.places.at(-1)
  if (!last || last.at > known.now.at || last.line > known.now.line || !isTrue(fd, last)) return nothing
  return { places: known.places, scanner: scannerFrom(known.now, known.scanned) }
}

/** At the place a line begins, and the text before it is the same as when it was found. */
function isTrue(fd: number, { at, mark }: SavedPlace): boolean {
  return at === 0 || markAt(fd, at) === mark
}

function markAt(fd: number, at: number): number {
  return crc32(readAt(fd, Math.max(0, at - markBytes), Math.min(at, markBytes)))
}

function growIndex(fd: number, { places, scanner }: Index, most: number): boolean {
  const { size } = fstatSync(fd)
  const until = Math.min(size, scanner.scanned() + most)
  const onLine = (start: LineStart) => {
    const last = places.at(-1) ?? begin
    const bytes = start.at - last.at
    if (bytes < mostStep && (bytes < leastStep || start.line - last.line < stepLines)) return
    places.push({ ...start, mark: markAt(fd, start.at) })
  }
  while (scanner.scanned() < until) {
    const from = scanner.scanned()
    const bytes = readAt(fd, from, Math.min(pieceBytes * 4, size - from))
    if (scanner.read(bytes, onLine) === 0) return false
  }
  return scanner.scanned() < size
}

type LineRange = { from: number; many: number; most: number }

function readLines(fd: number, index: Index, { from, many, most }: LineRange): FileLine[] {
  const { size } = fstatSync(fd)
  const lines: FileLine[] = []
  let start: LineStart = index.places[placeBefore(fd, index, from)] ?? begin
  let scanner = scannerFrom(start)
  const take = (end: number) => {
    if (start.line < from || lines.length === many) return
    const raw = readAt(fd, start.at, Math.min(most, end - start.at))
    lines.push({ ...start, bytes: withoutEnd(raw, end - start.at <= most), length: end - start.at })
  }
  while (lines.length < many) {
    const at = scanner.scanned()
    const read = scanner.read(readAt(fd, at, Math.min(pieceBytes, size - at)), next => {
      take(next.at)
      start = next
    })
    const after = scanner.scanned() - start.at < mostStep ? null : lineAfter(index, start)
    if (after) {
      take(after.at)
      start = after
      scanner = scannerFrom(after)
    } else if (read === 0) {
      if (size > start.at) take(size)
      break
    }
  }
  return lines
}

/** The nearest place that is still true. */
function placeBefore(fd: number, { places }: Index, line: number): number {
  let at = lastPlace(places, line)
  while (at > 0 && !isTrue(fd, places[at] ?? begin)) at -= 1
  return at
}

/** The last place at a line up to this one. */
function lastPlace(places: SavedPlace[], line: number): number {
  let low = 0
  let high = places.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((places[middle]?.line ?? 0) <= line) low = middle
    else high = middle - 1
  }
  return low
}

/** The end of the very long line that begins there; null if it has not ended. */
function lineAfter({ places, scanner }: Index, { line }: LineStart): LineStart | null {
  const next = places[lastPlace(places, line) + 1]
  if (next?.line === line + 1) return next
  const now = scanner.now()
  return now.line === line + 1 ? now : null
}

function withoutEnd(bytes: Buffer, isWhole: boolean): Buffer {
  if (!isWhole) return bytes
  let { length } = bytes
  if (bytes[length - 1] === 10) length -= 1
  if (bytes[length - 1] === 13) length -= 1
  return bytes.subarray(0, length)
}

function readAt(fd: number, at: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, length))
  return buffer.subarray(0, length > 0 ? readSync(fd, buffer, 0, length, at) : 0)
}

function openOrNull(file: string): number | null {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (fstatSync(fd).isFile()) return fd
    closeSync(fd)
    return null
  } catch {
    return null // replaced by something else since it was looked at
  }
}

function inodeOf(fd: number): string {
  const { dev, ino } = fstatSync(fd, { bigint: true })
  return `${dev}:${ino}`
}

/** The output of a run is replaced when secrets are removed from it, and its writer may truncate it. */
function isSame({ inode, count }: Opened, file: string): boolean {
  const { bytes, size } = count()
  const now = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return size >= bytes && (!now?.isFile() || `${now.dev}:${now.ino}` === inode)
}

/**
 * The line index of an output, kept beside it so that the next reader need not read the output again. It is a cache
 * that an agent can reach: a file that is not exactly in loop's format is ignored, and every position is checked
 * against the output before use. A reader that cannot write it continues without.
 *
 *   LOOPLINES1 | inode | bytes scanned | places, one in a line: line at colour mark | checksum of all before it
 */

/** `mark`: a checksum of the bytes before it, so that another file, or another text in it, is noticed. */
type SavedPlace = LineStart & { mark: number }

/** `scanned`: the number of bytes read so far. `now`: the start of the line that was being read at that point. */
type SavedIndex = { inode: string; scanned: number; now: LineStart; places: SavedPlace[] }

const version = 'LOOPLINES1'
/** The index of ten gigabytes of short lines; a larger file is not ours. */
const mostBytes = 64 << 20

function loadIndex(file: string): SavedIndex | null {
  const text = readWhole(file)
  if (text === null) return null
  const end = text.lastIndexOf('\n', text.length - 2) + 1
  if (Number(text.slice(end)) !== crc32(text.slice(0, end))) return null
  const [head = '', ...rows] = text.slice(0, end).split('\n')
  const [word, inode = '', scanned = '', ...current] = head.split(' ')
  const now = placeOf(current)
  const places = rows.slice(0, -1).map(row => placeOf(row.split(' ')))
  if (word !== version || now === null || !areInOrder(places)) return null
  if (!isCount(scanned) || now.at > Number(scanned)) return null
  return { inode, scanned: Number(scanned), now, places }
}

function saveIndex(file: string, { inode, scanned, now, places }: SavedIndex): void {
  const rows = [[version, inode, scanned, wordsOf({ ...now, mark: 0 })].join(' '), ...places.map(wordsOf)]
  const text = `${rows.join('\n')}\n`
  const temporary = `${file}.${process.pid}`
  try {
    rmSync(temporary, { force: true })
    // Created exclusively, so that nothing is written through a planted link.
    writeFileSync(temporary, `${text}${crc32(text)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, file)
  } catch {
    // A full or a read-only disk: the next reader reads the output again.
    rmSync(temporary, { force: true })
  }
}

function readWhole(file: string): string | null {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile() || stat.size > mostBytes) return null
      const bytes = Buffer.alloc(stat.size)
      return bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(fd)
    }
  } catch {
    return null // there is none, or it is something that cannot be read
  }
}

function wordsOf({ line, at, colour, mark }: SavedPlace): string {
  return `${line} ${at} ${colour || '-'} ${mark}`
}

function placeOf([line = '', at = '', colour = '', mark = '', ...more]: string[]): SavedPlace | null {
  if (more.length > 0 || ![line, at, mark].every(isCount) || !/^(?:-|[\d;:]{1,100})$/.test(colour))
    return null
  return { line: Number(line), at: Number(at), colour: colour === '-' ? '' : colour, mark: Number(mark) }
}

function isCount(text: string): boolean {
  return /^\d{1,15}$/.test(text)
}

/** Each line has its own byte, and the first is the beginning of the file. */
function areInOrder(places: (SavedPlace | null)[]): places is SavedPlace[] {
  let before: SavedPlace | null = null
  for (const place of places) {
    if (place === null) return false
    if (before ? place.line <= before.line || place.at <= before.at : place.line !== 0 || place.at !== 0)
      return false
    before = place
  }
  return before !== null
}
