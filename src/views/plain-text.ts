/**
 * What an agent printed, as text that is safe to show: terminal escapes are dropped except colour, other
 * control characters too except newline and tab. Works on a stream: however the text is cut into chunks, what
 * comes out is the same, and what is kept back between two of them is bounded.
 */

// ESC and as much of an escape as follows it: CSI, the opening of a string (OSC, DCS and the like), or a short
// one. Without its last character (the group) at the end of a chunk, it may go on in the next.
const escape =
  /\u001B(?:\[[\x30-\x3F]{0,256}[\x20-\x2F]{0,16}([\x40-\x7E])?|([\]PX^_])|[\x20-\x2F]{0,16}([\x30-\x7E])?)/y
const colour = /^\u001B\[[\d;:]*m$/
const colours = /\u001B\[[\d;:]*m/g
// A string ends with BEL, or is cut short by CAN, SUB or the ESC of the next escape, which may be its proper end.
const stringEnd = /[\u0007\u0018\u001A\u001B]/g
/** A string that does not end is text again after this many characters: a stray ESC must not hide the rest. */
const longestString = 4_096

export function plainText(): (chunk: string) => string {
  let carry = ''
  let inString = 0
  let afterReturn = false
  return chunk => {
    if (chunk === '') return ''
    // Its carriage return was shown as a newline at the end of the chunk before.
    const text = carry + (afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk)
    carry = ''
    afterReturn = false
    let out = ''
    let at = 0
    while (at < text.length) {
      if (inString > 0) {
        const end = endOfString(text, at, inString)
        inString = end.closed ? 0 : inString - (end.at - at)
        at = end.at
        continue
      }
      const esc = text.indexOf('\u001B', at)
      out += printable(esc === -1 ? text.slice(at) : text.slice(at, esc))
      if (esc === -1) {
        afterReturn = text.endsWith('\r')
        break
      }
      const found = escapeAt(text, esc)
      if (!found.complete) {
        carry = text.slice(esc)
        break
      }
      if (found.opensString) inString = longestString
      if (colour.test(found.whole)) out += found.whole
      at = esc + found.whole.length
    }
    return out
  }
}

/** A whole text as it may be shown. */
export function safeText(text: string): string {
  // Nearly always there is nothing to take out, and a table may have a thousand of these.
  return control.test(text) ? plainText()(text) : text
}

/** As a cell of a table. Without colour: cut off before its end, it would go on in the rest of the table. */
export function oneLine(text: string): string {
  return safeText(text)
    .replaceAll(colours, '')
    .replaceAll(/[\n\t]/g, ' ')
}

/** `complete` unless more of the text could still belong to it. */
function escapeAt(text: string, at: number): { whole: string; complete: boolean; opensString: boolean } {
  escape.lastIndex = at
  const [whole = '\u001B', csi, string, short] = escape.exec(text) ?? []
  const complete = Boolean(csi ?? string ?? short) || at + whole.length < text.length
  return { whole, complete, opensString: string !== undefined }
}

function endOfString(text: string, at: number, left: number): { at: number; closed: boolean } {
  stringEnd.lastIndex = at
  const found = stringEnd.exec(text)
  const limit = Math.min(text.length, at + left)
  if (!found || found.index >= limit) return { at: limit, closed: false }
  return { at: found.index + (found[0] === '\u001B' ? 0 : 1), closed: true }
}

const control = /[\x00-\x08\x0B-\x1F\x7F-\x9F]/
const controls = new RegExp(control, 'g')

function printable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(controls, '')
}
