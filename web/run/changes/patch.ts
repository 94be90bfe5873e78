/**
 * Parses the unified diff of one file into hunks of numbered lines, and marks the changed part of each changed line.
 */

export type DiffLine = {
  kind: 'same' | 'add' | 'del'
  /** The line number before and after the change; null on the side that lacks the line. */
  before: number | null
  after: number | null
  text: string
  /** The part that differs from the line on the other side. */
  changed: { from: number; to: number } | null
}

export type Hunk = { head: string; lines: DiffLine[] }

const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/

export function hunksOf(patch: string): Hunk[] {
  const hunks: Hunk[] = []
  let before = 0
  let after = 0
  for (const row of patch.split('\n')) {
    const found = header.exec(row)
    if (found) {
      before = Number(found[1])
      after = Number(found[2])
      hunks.push({ head: row, lines: [] })
      continue
    }
    const lines = hunks.at(-1)?.lines
    if (!lines) continue
    const text = row.slice(1)
    if (row.startsWith('+')) lines.push({ kind: 'add', before: null, after: after++, text, changed: null })
    else if (row.startsWith('-'))
      lines.push({ kind: 'del', before: before++, after: null, text, changed: null })
    else if (row.startsWith(' '))
      lines.push({ kind: 'same', before: before++, after: after++, text, changed: null })
  }
  for (const { lines } of hunks) markChanges(lines)
  return hunks
}

/** If as many lines were added as removed, the lines are compared in pairs. */
function markChanges(lines: DiffLine[]): void {
  for (let i = 0; i < lines.length; i += 1) {
    if (lines[i]?.kind !== 'del') continue
    const firstAdd = indexFrom(lines, i, 'del')
    const end = indexFrom(lines, firstAdd, 'add')
    const many = firstAdd - i
    if (end - firstAdd === many) {
      for (let k = 0; k < many; k += 1) markPair(lines[i + k], lines[firstAdd + k])
    }
    i = Math.max(i, end - 1)
  }
}

/** The first index from here on whose line is of another kind. */
function indexFrom(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let at = from
  while (lines[at]?.kind === kind) at += 1
  return at
}

const longest = 2_000

function markPair(one: DiffLine | undefined, other: DiffLine | undefined): void {
  if (!one || !other || one.text.length > longest || other.text.length > longest) return
  const shorter = Math.min(one.text.length, other.text.length)
  let from = 0
  while (from < shorter && one.text[from] === other.text[from]) from += 1
  let tail = 0
  while (tail < shorter - from && one.text.at(-1 - tail) === other.text.at(-1 - tail)) tail += 1
  // If hardly anything is the same, a mark says nothing.
  if (from + tail < Math.max(one.text.length, other.text.length) * 0.3) return
  one.changed = { from, to: one.text.length - tail }
  other.changed = { from, to: other.text.length - tail }
}
