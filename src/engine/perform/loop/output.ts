/**
 * The output of a run as items, read while it grows, in constant memory whatever the size of a file or line. Each
 * listener reads from the beginning, so one that starts late, after a crash, gets the same items.
 */
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { lineSplitter, longestLine } from '../../../adapters/agents/stream.ts'
import type { Item, OutputReader } from '../../../model/agent.ts'
import { growing } from '../../../store/files/artifact.ts'

const pieceBytes = 1 << 16
/** At most this many pieces at a time: a flood of output must not block the program's other work. */
const mostPieces = 64

export type Listener = {
  /** The items since the last call; if there are very many, only some, and `atEnd` is false. */
  next(): { items: Item[]; atEnd: boolean }
  /** Hands over everything up to the end of the files, including a last line without a newline. */
  finish(take: (item: Item) => void): Promise<void>
  /** Releases the files; can be called twice. */
  close(): void
}

export function listenTo(dir: string, read: OutputReader): Listener {
  const sources = (['out', 'err'] as const).map(name =>
    source(join(dir, name), line => guarded(read, line, name)),
  )
  return {
    next() {
      const parts = sources.map(one => one.next(false))
      return { items: parts.flatMap(({ items }) => items), atEnd: parts.every(({ atEnd }) => atEnd) }
    },
    async finish(take) {
      for (const one of sources) {
        for (let isOver = false; !isOver; await breathe()) {
          const { items, atEnd } = one.next(true)
          items.forEach(take)
          isOver = atEnd
        }
        one.close()
      }
    },
    close() {
      for (const one of sources) one.close()
    },
  }
}

/** A reader must not throw, and a hostile line must not cost a loop. */
function guarded(read: OutputReader, line: string, from: 'out' | 'err'): Item[] {
  try {
    return read(line, from)
  } catch {
    return [{ kind: 'warning', text: 'a line of its output could not be read' }]
  }
}

function source(file: string, read: (line: string) => Item[]) {
  const split = lineSplitter(longestLine)
  const decoder = new TextDecoder()
  const bytes = growing(file, pieceBytes)
  let isClosed = false
  return {
    /** `isLast`: a line without a newline counts too. */
    next(isLast: boolean): { items: Item[]; atEnd: boolean } {
      const items: Item[] = []
      let pieces = 0
      for (const piece of bytes.pieces()) {
        items.push(...split.add(decoder.decode(piece, { stream: true })).flatMap(read))
        pieces += 1
        if (pieces === mostPieces) return { items, atEnd: false }
      }
      if (isLast) items.push(...split.rest().flatMap(read))
      return { items, atEnd: true }
    },
    close() {
      if (!isClosed) bytes.close()
      isClosed = true
    },
  }
}
