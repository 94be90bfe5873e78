/**
 * A line cut into pieces that fit a width, so that each can have a mark before it. Counts columns as terminals do:
 * wide characters two, marks that join the one before them none. Colour goes on in the next piece and ends with each.
 */

const token = /\u001B\[[\d;:]*m|[^]/gu
const colourEnd = '\u001B[0m'
const tabColumns = 8

/** Of safe text on one line. At least one piece. */
export function wrapped(line: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let column = 0
  let colour = ''
  for (const [text] of line.matchAll(token)) {
    if (text.startsWith('\u001B')) {
      colour = /^\u001B\[[0;]*m$/.test(text) ? '' : colour + text
      piece += text
      continue
    }
    const shown = text === '\t' ? ' '.repeat(tabColumns - (column % tabColumns)) : text
    const columns = text === '\t' ? shown.length : columnsOf(text)
    if (column > 0 && column + columns > width) {
      pieces.push(colour === '' ? piece : piece + colourEnd)
      piece = colour
      column = 0
    }
    piece += shown
    column += columns
  }
  return [...pieces, piece]
}

/** What is wide in most terminals: East Asian scripts, and symbols that are shown as pictures. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u
const joined = /\p{M}|[\u200C\u200D]|[\uFE00-\uFE0F]/u

function columnsOf(character: string): number {
  if (character < '\u0300') return 1
  if (joined.test(character)) return 0
  return wide.test(character) ? 2 : 1
}
