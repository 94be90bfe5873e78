/**
 * The output of a run as items, read as it grows: whatever the size of the file or of a line, the same memory.
 * Each listener reads from the beginning, so one that comes late, after a crash, learns the same.
 */
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { lineSplitter, longestLine } from '../../../adapters/agents/lines.ts'
import type { Item, OutputReader } from '../../../model/agent.ts'
import { growing } from '../../../store/files/artifact.ts'

const pieceBytes = 1 << 16
/** At most this many pieces at once: a flood must not keep the program from its other work. */
const mostPieces = 64

export type Listener = {
  /** The items since last asked; if there are very many, not all of them, and it is not the end yet. */
  next(): { items: Item[]; atEnd: boolean }
  /** Hands over everything there is, to the end of the files; a last line without an end counts too. */
  finish(take: (item: Item) => void): Promise<void>
  /** Nothing more will be asked; may be said twice. */
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

/** A reader must not throw; what it makes of a line that is hostile is not worth a loop. */
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
    /** `isLast`: a line without an end counts too. */
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
