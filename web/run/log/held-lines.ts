/** Lines by number, in pieces of 500. The pieces farthest from the visible lines are dropped. */

export type LogLine = { n: number; text: string; colour: string; cut: number }

export type HeldLines = {
  at(line: number): LogLine | null
  /** Live lines are kept only if they follow the last kept piece; others can be fetched later. */
  put(from: number, lines: readonly LogLine[], isLive?: boolean): void
  /** The numbers of the pieces between two lines that are not complete. */
  missing(first: number, last: number, total: number): number[]
  forgetFar(middle: number): void
}

export const linesInPiece = 500
const mostPieces = 10

export function heldLines(): HeldLines {
  const pieces = new Map<number, (LogLine | undefined)[]>()
  return {
    at: line => pieces.get(pieceOf(line))?.[line % linesInPiece] ?? null,
    put(from, lines, isLive = false) {
      for (const [i, line] of lines.entries()) {
        const number = from + i
        let held = pieces.get(pieceOf(number))
        if (!held && isLive && number % linesInPiece !== 0) continue
        if (!held) pieces.set(pieceOf(number), (held = []))
        held[number % linesInPiece] = line
      }
    },
    missing(first, last, total) {
      const wanted: number[] = []
      for (let index = pieceOf(first); index <= pieceOf(Math.min(last, total - 1)); index += 1) {
        const many = Math.min(linesInPiece, total - index * linesInPiece)
        const held = pieces.get(index)
        if (held?.[0] === undefined || held[many - 1] === undefined) wanted.push(index)
      }
      return wanted
    },
    forgetFar(middle) {
      const far = (index: number) => Math.abs(index - pieceOf(middle))
      const sorted = [...pieces.keys()].sort((a, b) => far(a) - far(b))
      for (const index of sorted.slice(mostPieces)) pieces.delete(index)
    },
  }
}

function pieceOf(line: number): number {
  return Math.floor(Math.max(0, line) / linesInPiece)
}
