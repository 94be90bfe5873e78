/**
 * The output of a program as plain lines, the JSON values among them, and the numbers in a line. Terminal escapes
 * are removed, and a carriage return ends a line like a newline. Lines are cut at a limit, so that the cost of
 * reading one is bounded. A script around a tool can add lines of its own.
 */

const longestLine = 1_000

export type Printed = { lines: readonly string[]; json: readonly unknown[] }

export function printed(text: string): Printed {
  return { lines: printedLines(text), json: jsonValues(text) }
}

export function printedLines(text: string): string[] {
  const [before = '', ...pieces] = text.split('\u001B')
  const plain = before + pieces.map(afterEscape).join('')
  return plain.split(/\r\n|\n|\r/).map(line => line.slice(0, longestLine))
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

/** Values on lines of their own; a value over several lines must be the last bracketed text. */
function jsonValues(text: string): unknown[] {
  const lines = text.split(/\r?\n/)
  const starts = lines.flatMap((line, index) => (/^\s*[[{]/.test(line) ? [index] : []))
  const alone = starts.flatMap(index => parsed(lines[index] ?? ''))
  if (alone.length > 0) return alone
  const [first] = starts
  const last = lines.findLastIndex(line => /[\]}]\s*$/.test(line))
  return first === undefined || last <= first ? [] : parsed(lines.slice(first, last + 1).join('\n'))
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return [] // a line of a program, such as `{`
  }
}

/** The value of a key, for any parsed value. */
export function keyOfValue(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
  return isObject ? (value as Record<string, unknown>)[key] : undefined
}

/** The count under a key, or 0. */
export function countAt(value: unknown, key: string): number {
  const count = keyOfValue(value, key)
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : 0
}

/** The sum of the counts; null if there are none, which means that the tool reported nothing. */
export function sumOrNull(counts: readonly number[]): number | null {
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}

/** The sum of the numbers before these kinds in a summary such as `2 failed, 3 passed`. */
export function numberOf(summary: string, ...kinds: string[]): number {
  return groupSum(summary, ...kinds.map(kind => new RegExp(`(\\d{1,9}) ${kind}\\b`)))
}

/** The sum of the numbers after these names in a summary such as `failures=2, errors=1` or `Failed: 2, Passed: 3`. */
export function numberAfter(summary: string, ...names: string[]): number {
  return groupSum(summary, ...names.map(name => new RegExp(`(?:^|, |[-{] )${name}[:=] *(\\d{1,9})`)))
}

/** The sum of the numbers in the groups of the forms. */
export function groupSum(line: string, ...forms: RegExp[]): number {
  const groups = forms.flatMap(form => form.exec(line)?.slice(1) ?? [])
  return groups.reduce((sum, number) => sum + Number(number ?? 0), 0)
}

/** The number of lines of this form. */
export function matching(lines: readonly string[], form: RegExp): number {
  return lines.filter(line => form.test(line)).length
}
