/**
 * What a program printed, as plain lines: terminal escapes dropped, a carriage return ends a line like a
 * newline. A line is cut after a bound, so that reading it costs the same whatever it holds.
 */

const longestLine = 1_000

export function printedLines(text: string): string[] {
  return withoutEscapes(text)
    .split(/\r\n|\n|\r/)
    .map(line => line.slice(0, longestLine))
}

function withoutEscapes(text: string): string {
  const [before = '', ...pieces] = text.split('\u001B')
  return before + pieces.map(afterEscape).join('')
}

/** A piece begins where an ESC was: a colour or movement, a title or link, or a short one. */
function afterEscape(piece: string): string {
  if (piece.startsWith('[')) return piece.replace(/^\[[0-?]{0,64}[ -/]{0,8}[@-~]?/, '')
  if (!piece.startsWith(']')) return piece.replace(/^[ -/]{0,8}[0-~]?/, '')
  const bell = piece.indexOf('\u0007')
  const line = piece.indexOf('\n')
  // It ends with BEL, or with the ESC that cut this piece; never later than its line.
  if (bell !== -1 && (line === -1 || bell < line)) return piece.slice(bell + 1)
  return line === -1 ? '' : piece.slice(line)
}
