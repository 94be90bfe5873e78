/**
 * The output of a program as plain lines: terminal escapes are removed, and a carriage return ends a line like
 * a newline. Lines are cut at a limit, so that the cost of reading one is bounded.
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

/** The piece starts after an ESC character: a colour, a movement, a title, a link or a short escape. */
function afterEscape(piece: string): string {
  if (piece.startsWith('[')) return piece.replace(/^\[[0-?]{0,64}[ -/]{0,8}[@-~]?/, '')
  if (!piece.startsWith(']')) return piece.replace(/^[ -/]{0,8}[0-~]?/, '')
  const bell = piece.indexOf('\u0007')
  const line = piece.indexOf('\n')
  // The escape ends with BEL or with the ESC that ended this piece, and never after its line.
  if (bell !== -1 && (line === -1 || bell < line)) return piece.slice(bell + 1)
  return line === -1 ? '' : piece.slice(line)
}
