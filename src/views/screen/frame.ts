/**
 * A frame: all rows of a screen, and the position of the cursor. Frames are made by pure functions, so that screens can
 * be tested without a terminal; src/tui draws them. A row holds text and colour, nothing else.
 */

export type ScreenFrame = { rows: string[]; cursor: { row: number; column: number } | null }

export type Size = { columns: number; rows: number }

/** The rows that differ from the previous frame; all rows if there is none or its height was another. */
export function changedRows(before: ScreenFrame | null, frame: ScreenFrame): { row: number; text: string }[] {
  const isNew = before?.rows.length !== frame.rows.length
  return frame.rows.flatMap((text, row) => (isNew || before?.rows[row] !== text ? { row, text } : []))
}

/** Exactly `height` rows: missing ones are empty, surplus ones are dropped. */
export function filledTo(rows: readonly string[], height: number): string[] {
  return Array.from({ length: Math.max(0, height) }, (_, i) => rows[i] ?? '')
}
