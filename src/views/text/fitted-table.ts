/** A table that fits the terminal: columns that say the least are left out, and what is still too wide is cut. */
import { cutTo } from '../layout/width.ts'
import { align } from './status.ts'

type TableWish = {
  /** Of the terminal; null: as wide as it is. */
  width: number | null
  /** The columns that may be missing, the first to go first. */
  spare: readonly string[]
  gap?: number
}

/** The first row has the names of the columns. */
export function fittedTable(
  rows: readonly (readonly string[])[],
  { width, spare, gap = 3 }: TableWish,
): string[] {
  const lines = align(rows, gap)
  if (width === null || widest(lines) <= width) return lines
  if (gap > narrowGap) return fittedTable(rows, { width, spare, gap: narrowGap })
  const [name, ...rest] = spare
  if (name === undefined) return lines.map(line => cutTo(line, width))
  const at = rows[0]?.indexOf(name) ?? -1
  const fewer = at === -1 ? rows : rows.map(row => row.toSpliced(at, 1))
  return fittedTable(fewer, { width, spare: rest, gap })
}

const narrowGap = 2

function widest(lines: readonly string[]): number {
  return lines.reduce((most, { length }) => Math.max(most, length), 0)
}
