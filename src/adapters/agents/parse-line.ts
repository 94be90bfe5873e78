/**
 * Reads fields from a line of JSON without trusting it: a missing field, or one of another type, gives an empty
 * string, zero or null. Nothing throws.
 */

export type Fields = Record<string, unknown>

/** The object on this line; null for anything else, including a cut line. */
export function fieldsOf(line: string): Fields | null {
  if (!line.trimStart().startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(line)
    return isFields(value) ? value : null
  } catch {
    return null // a cut line, an HTML page, a progress bar
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value under these nested names. */
export function at(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isFields(inner) ? inner[name] : undefined), value)
}

export function text(value: unknown, ...names: string[]): string {
  const found = at(value, ...names)
  return typeof found === 'string' ? found : ''
}

export function listIn(value: unknown, ...names: string[]): unknown[] {
  const found = at(value, ...names)
  return Array.isArray(found) ? found : []
}

export function values(value: unknown, ...names: string[]): unknown[] {
  const found = at(value, ...names)
  return isFields(found) ? Object.values(found) : []
}

/** A count or an amount: finite and not negative, otherwise 0. */
export function amount(value: unknown, ...names: string[]): number {
  return amountOr(null, value, ...names) ?? 0
}

export function amountOr<T>(otherwise: T, value: unknown, ...names: string[]): number | T {
  const found = at(value, ...names)
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : otherwise
}

/** The text as one line of at most this many characters, for a tool's argument. */
export function clipped(value: string, most = 160): string {
  const line = value.trim().split('\n')[0] ?? ''
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
