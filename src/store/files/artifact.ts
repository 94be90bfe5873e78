/**
 * Artifacts: prompts and outputs, as files in the directory of a loop. Events name them by relative path. Whatever
 * their size, only limited pieces are read into memory.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Artifact } from '../../model/loop/event.ts'
import { fsyncPath } from './directory.ts'

const tailChars = 2_000
/** So much is read in front of the tail, to recognize a secret that begins there. */
const marginBytes = 10_000

/**
 * The size and tail of a file, for the event that names it. The file is made durable first; one that fits into the tail
 * need not be, because the event holds all of it. `clean` removes secrets from the tail.
 */
export function settle(root: string, path: string, clean: (text: string) => string): Artifact {
  const file = join(root, path)
  const bytes = sizeOf(file)
  if (bytes === 0) return { path, bytes, tail: '' }
  if (bytes > tailChars) fsyncPath(file)
  const text = readSlice(file, Math.max(0, bytes - tailChars - marginBytes), bytes)
  return { path, bytes, tail: clean(text).slice(-tailChars) }
}

/** Returns the number of bytes written. */
export function writeDurably(file: string, text: string): number {
  const bytes = Buffer.from(text)
  writeFileSync(file, bytes, { mode: 0o600, flush: true })
  return bytes.length
}

/** 0 for anything but a regular file: an agent may have put something else there. */
export function sizeOf(file: string): number {
  try {
    const stat = lstatSync(file)
    return stat.isFile() ? stat.size : 0
  } catch (error) {
    // It is gone, or a directory above was replaced by a file or a circular link.
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0
    throw error
  }
}

/** Bytes `from` to `to` as text; a character that is cut at either end becomes a replacement character. */
function readSlice(file: string, from: number, to: number): string {
  return readBytes(file, from, to).toString('utf8')
}

export function readBytes(file: string, from: number, to: number): Buffer {
  const fd = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(to - from)
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from))
  } finally {
    closeSync(fd)
  }
}

type Growing = { pieces(): Generator<Buffer>; close(): void }

/**
 * Follows a file that may still grow: each call of `pieces` gives what was added since the last one. It stays with the
 * file it opened, even if another file gets its name: the output of a run is replaced when secrets are removed.
 */
export function growing(file: string, pieceBytes: number): Growing {
  let fd: number | null = null
  let at = 0
  return {
    *pieces() {
      if (fd === null && sizeOf(file) === 0) return
      fd ??= openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
      for (const { size } = fstatSync(fd); at < size; ) {
        const buffer = Buffer.alloc(Math.min(pieceBytes, size - at))
        const bytes = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, at))
        if (bytes.length === 0) return
        at += bytes.length
        yield bytes
      }
    },
    close() {
      if (fd !== null) closeSync(fd)
    },
  }
}

/** Head and tail of a file, each at most `most` bytes. */
export function excerpt(file: string, most: number): { head: string; tail: string; omittedBytes: number } {
  const bytes = sizeOf(file)
  if (bytes === 0) return { head: '', tail: '', omittedBytes: 0 }
  if (bytes <= 2 * most) return { head: readSlice(file, 0, bytes), tail: '', omittedBytes: 0 }
  return {
    head: readSlice(file, 0, most),
    tail: readSlice(file, bytes - most, bytes),
    omittedBytes: bytes - 2 * most,
  }
}
