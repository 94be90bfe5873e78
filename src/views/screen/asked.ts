/**
 * The question of a dialog, as every frame shows it. Its rows take the place of the window's; long questions are paged.
 */
import { folded } from '../layout/columns.ts'
import { ink, type Look } from './look.ts'

export type ScreenQuestion = {
  /** The rows that explain the question. Without any, the window keeps its own text. */
  rows: string[]
  /** How far they are scrolled: rows, and whole pages of the window. */
  top: number
  pages: number
  message: { text: string; cursor: number | null }
  keys: [string, string][]
}

/** The rows of the question for the window; null if the window keeps its own text. */
export function askedRows(
  asked: ScreenQuestion | null,
  look: Look,
  { width, height }: { width: number; height: number },
): string[] | null {
  if (!asked || asked.rows.length === 0) return null
  const rows = asked.rows.flatMap(row => folded(row, width))
  if (rows.length <= height) return rows
  const page = Math.max(1, height - 1)
  const from = Math.max(0, Math.min(asked.top + asked.pages * page, rows.length - page))
  if (height === 1) return rows.slice(from, from + 1)
  const left = rows.length - from - height + 1
  const more = left > 0 ? `${left} more rows: pgdn` : 'the end: pgup'
  return [...rows.slice(from, from + height - 1), ink(look, 'dim', `-- ${more} --`)]
}
