/**
 * What an agent printed, as text that is safe to show: terminal escapes are dropped except colour, other
 * control characters too except newline and tab. Works on a stream: what may be half an escape is kept back.
 */

const colour = /\u001B\[[\d;:]*m/y
// An escape of any other kind: CSI, OSC and the like up to their end, or a single character after ESC.
const otherEscape =
  /\u001B(?:\[[\x30-\x3F]*[\x20-\x2F]*[\x40-\x7E]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)|[^[\]PX^_])/y
const halfEscape = /\u001B(?:\[[\x30-\x3F]*[\x20-\x2F]*|[\]PX^_][^\u0007\u001B]*\u001B?)?$/
const longestHalf = 4_096

export function plainText(): (chunk: string) => string {
  let carry = ''
  return chunk => {
    const text = carry + chunk
    const half = halfEscape.exec(text)
    const cut = half && text.length - half.index <= longestHalf ? half.index : text.length
    carry = text.slice(cut)
    return clean(text.slice(0, cut))
  }
}

function clean(text: string): string {
  let out = ''
  let at = 0
  for (let esc = text.indexOf('\u001B'); esc !== -1; esc = text.indexOf('\u001B', at)) {
    out += printable(text.slice(at, esc))
    at = esc + escapeLength(text, esc)
    if (matchAt(colour, text, esc) > 0) out += text.slice(esc, at)
  }
  return out + printable(text.slice(at))
}

function escapeLength(text: string, at: number): number {
  return matchAt(colour, text, at) || matchAt(otherEscape, text, at) || 1
}

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

function printable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\x00-\x08\x0B-\x1F\x7F-\x9F]/g, '')
}
