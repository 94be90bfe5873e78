/**
 * The limit on the output of a run (--max-output). Output goes straight from the command to its files, so a fast one
 * gets past the limit before it is stopped; afterwards the middle is cut out of the file, in place, because the disk may
 * be full. The beginning and the end stay, with a line between them that says how much is missing.
 */
import { closeSync, constants, ftruncateSync, lstatSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { formatBytes } from '../../model/units.ts'

const tailBytes = 1_000_000
/** Faster than a program prints to a disk: how soon to look again follows from it. */
const bytesPerMs = 1_000_000
const soonestMs = 5

/** What a run has printed so far, of both streams. */
export function printedBytes(dir: string): number {
  return sizeOf(join(dir, 'out')) + sizeOf(join(dir, 'err'))
}

/** In how many milliseconds to look at the size again: the nearer the limit, the sooner. */
export function nextLookMs(printed: number, mostBytes: number, usualMs: number): number {
  return Math.max(soonestMs, Math.min(usualMs, (mostBytes - printed) / bytesPerMs))
}

/** Cuts the outputs of a run that has ended down to the limit. True where there was more. */
export function cutOutput(dir: string, mostBytes: number): boolean {
  const [out, err] = ['out', 'err'].map(name => sizeOf(join(dir, name))) as [number, number]
  if (out + err <= mostBytes) return false
  const half = Math.floor(mostBytes / 2)
  cutMiddle(join(dir, 'out'), Math.max(half, mostBytes - err), mostBytes)
  cutMiddle(join(dir, 'err'), Math.max(half, mostBytes - out), mostBytes)
  return true
}

/** `most`: what this file may keep; `limit`: what is said. */
function cutMiddle(path: string, most: number, limit: number): void {
  const size = sizeOf(path)
  if (size <= most) return
  const words = `\n[loop: about ${formatBytes(size - most)} are cut out here: more than ${formatBytes(limit)} was printed (--max-output)]\n`
  const note = Buffer.from(words)
  const tail = Math.max(0, Math.min(tailBytes, Math.floor(most / 4)))
  const head = Math.max(0, most - tail - note.length)
  const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW)
  try {
    const last = Buffer.alloc(tail)
    const end = Buffer.concat([note, last.subarray(0, readSync(file, last, 0, tail, size - tail))])
    for (let at = 0; at < end.length; ) at += writeSync(file, end, at, end.length - at, head + at)
    ftruncateSync(file, head + end.length)
  } finally {
    closeSync(file)
  }
}

/** 0 for anything but a regular file: the command may have put something else there. */
function sizeOf(path: string): number {
  try {
    const stat = lstatSync(path)
    return stat.isFile() ? stat.size : 0
  } catch {
    return 0 // gone, or out of reach: an exception in a timer would end the host
  }
}
