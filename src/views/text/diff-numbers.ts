/**
 * The line numbers of a patch, for people: where each line stands before and after the change. It reads the heads of
 * hunks and counts, so that a line of a file that looks like a head is not taken for one.
 */

type Hunk = { before: number; after: number; beforeLeft: number; afterLeft: number }

const columns = 5
const nothing = ' '.repeat(columns)

/** Asked for each line in order: what is to stand before it; empty for the lines between hunks. */
export function diffNumbers(): (line: string) => string {
  let hunk: Hunk = { before: 0, after: 0, beforeLeft: 0, afterLeft: 0 }
  return line => {
    if (hunk.beforeLeft <= 0 && hunk.afterLeft <= 0) {
      hunk = hunkOf(line) ?? hunk
      return ''
    }
    // `\ No newline at end of file` is of no line.
    if (line.startsWith('\\')) return `${nothing}${nothing} `
    const [isBefore, isAfter] = [!line.startsWith('+'), !line.startsWith('-')]
    const numbers = `${isBefore ? numbered(hunk.before) : nothing}${isAfter ? numbered(hunk.after) : nothing} `
    hunk = moved(hunk, Number(isBefore), Number(isAfter))
    return numbers
  }
}

/** Enough of a line to tell what it is. */
const begins = 200

/** For a patch that comes in pieces: one line of numbers for each of its lines that are whole. */
export function numbersBeside(): (piece: string) => string {
  const numbers = diffNumbers()
  let held = ''
  return piece => {
    const lines = (held + piece).split('\n')
    held = (lines.pop() ?? '').slice(0, begins)
    return lines.map(line => `${numbers(line)}\n`).join('')
  }
}

/** For a narrow window, one number: after the change, or before it for a line that was taken out. */
export function narrowNumbers(both: string): string {
  const [before, after] = [both.slice(0, columns), both.slice(columns, 2 * columns)]
  return both === '' ? '' : `${after.trim() === '' ? before : after} `
}

/** `@@ -12,7 +12,9 @@`; of one line, its count is left out. */
function hunkOf(line: string): Hunk | null {
  const [, before, beforeLeft = '1', after, afterLeft = '1'] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
  if (before === undefined || after === undefined) return null
  return {
    before: Number(before),
    after: Number(after),
    beforeLeft: Number(beforeLeft),
    afterLeft: Number(afterLeft),
  }
}

function moved({ before, after, beforeLeft, afterLeft }: Hunk, old: number, young: number): Hunk {
  return {
    before: before + old,
    after: after + young,
    beforeLeft: beforeLeft - old,
    afterLeft: afterLeft - young,
  }
}

function numbered(line: number): string {
  return String(line).padStart(columns)
}
