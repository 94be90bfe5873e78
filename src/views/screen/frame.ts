/**
 * A frame: all rows of a screen, and where the cursor is. What is on a screen is a pure function of what is known, so
 * that it can be tested without a terminal; how it gets there is src/tui. A row holds text and colour, nothing else.
 */

export type ScreenFrame = { rows: string[]; cursor: { row: number; column: number } | null }

export type Size = { columns: number; rows: number }

/** The rows that differ from what stands there; all of them where the screen is new or has another size. */
export function changedRows(before: ScreenFrame | null, frame: ScreenFrame): { row: number; text: string }[] {
  const isNew = before?.rows.length !== frame.rows.length
  return frame.rows.flatMap((text, row) => (isNew || before?.rows[row] !== text ? { row, text } : []))
}

/** Exactly so many rows: the rest is empty, or left out. */
export function filledTo(rows: readonly string[], height: number): string[] {
  return Array.from({ length: Math.max(0, height) }, (_, i) => rows[i] ?? '')
}
