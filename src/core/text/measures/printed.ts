/**
 * A tool's output in two forms: plain lines, and the JSON values among them. A script around the tool can add
 * lines of its own.
 */
import { printedLines } from '../failing/lines.ts'

export type Printed = { lines: readonly string[]; json: readonly unknown[] }

export function printed(text: string): Printed {
  return { lines: printedLines(text), json: jsonValues(text) }
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

export function listAt(value: unknown, key: string): readonly unknown[] {
  const list = keyOfValue(value, key)
  return Array.isArray(list) ? list : []
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

/** For each matching line, the sum of the numbers in the groups of the pattern. */
export function countsIn(lines: readonly string[], pattern: RegExp): number[] {
  return lines.flatMap(line => {
    const found = pattern.exec(line)
    return found ? [found.slice(1).reduce((sum, count) => sum + Number(count ?? 0), 0)] : []
  })
}
