/**
 * The width of a text on a terminal, and text made to fit: cut with a mark, or padded with spaces. A grapheme (a
 * letter with its marks, a family emoji) counts as one character; East Asian characters and pictures are two columns
 * wide. Colour is kept, takes no room, and ends where a text is cut. Narrow text, which is nearly all, takes a fast
 * path.
 */

/**
 * Characters that are wide in most terminals: East Asian scripts, and symbols shown as pictures. This pattern and the
 * next are in functions, since Node looks up every character of a property when it meets the pattern.
 */
const isWide = (character: string) =>
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1F200}-\u{1F265}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u.test(
    character,
  )
const isJoined = (character: string) =>
  /^(?:\p{M}|[\u200B-\u200D]|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}])$/u.test(character)
/** The variation selector that turns a text character into a picture. */
const asPicture = '\uFE0F'
const colour = /\u001B\[[\d;:]*m/g
const colourEnd = '\u001B[0m'

/** Anything but ASCII, Latin letters, punctuation, arrows, lines, blocks and ticks: these are one column wide each. */
const notNarrow =
  /[^ -~\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u2190-\u21FF\u2500-\u25CF\u2713\u2717\u2800-\u28FF]/

function isNarrow(text: string): boolean {
  return !notNarrow.test(text)
}

let segmenter: Intl.Segmenter | null = null

/** Created on first use: that takes longer than most commands need altogether. */
function* graphemesOf(text: string): Iterable<string> {
  if (isNarrow(text)) return yield* text
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** The width of one code point. */
export function columnsOf(character: string): number {
  if (character < '\u0300') return 1
  if (isJoined(character)) return 0
  return isWide(character) ? 2 : 1
}

/** The width of one grapheme. */
function columnsOfGrapheme(grapheme: string): number {
  const [first = ''] = grapheme
  if (grapheme.length > first.length && grapheme.includes(asPicture)) return 2
  return columnsOf(first)
}

/** Of safe text on one line. */
export function textWidth(text: string): number {
  const plain = text.includes('\u001B') ? text.replaceAll(colour, '') : text
  if (isNarrow(plain)) return plain.length
  let width = 0
  for (const grapheme of graphemesOf(plain)) width += columnsOfGrapheme(grapheme)
  return width
}

/** The text in at most this width, with a mark at the end if something is cut. */
export function cutTo(text: string, width: number, mark = '…'): string {
  if (width <= 0) return ''
  if (textWidth(text) <= width) return text
  const room = width - textWidth(mark)
  if (isNarrow(text)) return text.slice(0, Math.max(0, room)) + mark
  let out = ''
  let used = 0
  let isColoured = false
  for (const part of text.split(/(\u001B\[[\d;:]*m)/)) {
    if (part.startsWith('\u001B')) {
      isColoured = !/^\u001B\[[0;]*m$/.test(part)
      out += part
      continue
    }
    for (const grapheme of graphemesOf(part)) {
      used += columnsOfGrapheme(grapheme)
      if (used > room) return `${out}${mark}${isColoured ? colourEnd : ''}`
      out += grapheme
    }
  }
  return out
}

/** The text in exactly this width. */
export function fitTo(text: string, width: number, mark = '…'): string {
  const cut = cutTo(text, width, mark)
  return cut + ' '.repeat(Math.max(0, width - textWidth(cut)))
}

/** The same, right-aligned. */
export function fitRight(text: string, width: number): string {
  const cut = cutTo(text, width)
  return ' '.repeat(Math.max(0, width - textWidth(cut))) + cut
}

/** One text at each end of a row, with at least a space between; if there is no room, the left one is cut. */
export function bothEnds(left: string, right: string, width: number): string {
  const room = width - textWidth(right) - (right === '' ? 0 : 1)
  if (room < 8) return fitTo(left, width)
  return fitTo(left, room) + (right === '' ? '' : ' ') + right
}

const tabColumns = 8

/** Replaces tabs by spaces: a tab would leave the old characters of the screen visible. */
export function withoutTabs(text: string): string {
  if (!text.includes('\t')) return text
  let column = 0
  return text.replaceAll(/\t|[^\t]+/g, part => {
    const shown = part === '\t' ? ' '.repeat(tabColumns - (column % tabColumns)) : part
    column += textWidth(shown)
    return shown
  })
}
