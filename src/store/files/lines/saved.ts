/**
 * The line index of an output, kept beside it so that the next reader need not read the output again. It is a cache
 * that an agent can reach: a file that is not exactly in loop's format is ignored, and every position is checked
 * against the output before use. A reader that cannot write it continues without.
 *
 *   LOOPLINES1 | inode | bytes scanned | places, one in a line: line at colour mark | checksum of all before it
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'
import type { LineStart } from './scan.ts'

/** `mark`: a checksum of the bytes before it, so that another file, or another text in it, is noticed. */
export type SavedPlace = LineStart & { mark: number }

/** `scanned`: the number of bytes read so far. `now`: the start of the line that was being read at that point. */
type SavedIndex = { inode: string; scanned: number; now: LineStart; places: SavedPlace[] }

const version = 'LOOPLINES1'
/** The index of ten gigabytes of short lines; a larger file is not ours. */
const mostBytes = 64 << 20

export function loadIndex(file: string): SavedIndex | null {
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

export function saveIndex(file: string, { inode, scanned, now, places }: SavedIndex): void {
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
