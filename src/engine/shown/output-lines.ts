/**
 * Lines of an output for a single request, and the lines that contain a text. An output that nobody has read yet is
 * indexed in steps, with turns for other work in between.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Secret } from '../../secrets/redact.ts'
import { linesOf } from '../../store/files/lines/lines.ts'
import { type OutputLines, type ShownLine, shownLines } from '../feed/lines.ts'

const stepBytes = 4 << 20
/** The limit for one request. */
const searchedBytes = 256 << 20

type Wanted = { from: number | null; tail: number | null; count: number }

/** `total`: the number of lines so far. */
export function someLinesOf(
  file: string,
  secrets: readonly Secret[],
  { from, tail, count }: Wanted,
): Promise<{ from: number; lines: ShownLine[]; total: number }> {
  return reading(file, secrets, async output => {
    const { lines: total } = output.count()
    const many = Math.min(count, tail ?? count)
    const first = tail === null ? (from ?? 0) : Math.max(0, total - many)
    return { from: first, lines: output.read(first, many), total }
  })
}

type Search = { text: string; from: number | null; back: boolean; limit: number }

export function matchesIn(
  file: string,
  secrets: readonly Secret[],
  { text, from, back, limit }: Search,
): Promise<{ matches: ShownLine[]; next: number | null }> {
  return reading(file, secrets, async output => {
    const matches: ShownLine[] = []
    let at: number | null = from ?? (back ? output.count().lines - 1 : 0)
    for (let left = searchedBytes; at !== null && matches.length < limit && left > 0; await breathe()) {
      const found = output.find({ text, from: at, back, mostBytes: stepBytes })
      left -= stepBytes
      if (found.line === null) at = found.next
      else {
        matches.push(...output.read(found.line, 1))
        at = found.line + (back ? -1 : 1)
      }
    }
    const isOver = at === null || at < 0 || at >= output.count().lines
    return { matches, next: isOver ? null : at }
  })
}

async function reading<T>(
  file: string,
  secrets: readonly Secret[],
  work: (output: OutputLines) => Promise<T>,
): Promise<T> {
  const output = shownLines(linesOf(file), secrets)
  try {
    while (output.grow(stepBytes)) await breathe()
    return await work(output)
  } finally {
    output.close()
  }
}
