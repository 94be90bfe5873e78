/**
 * What the value of an option or key may be, by the word that stands for it in the help (`takes`): flags,
 * variables, files and requests are judged by the same parsers and refused with the same sentence.
 */
import { fail, ok, type Result } from '../model/failure.ts'
import { parsePrice } from '../model/price.ts'
import { parseBreaker, parseBytes, parseDuration, parseLimit, parseMoney } from '../model/units.ts'
import type { Flag } from './table/flag.ts'
import type { Values } from './values.ts'

type Kind = { expected: string; fits(text: string): boolean }

const kinds: Record<string, Kind> = {
  N: { expected: 'a whole number of at least 1, or unlimited', fits: text => parseLimit(text) !== null },
  'N|off': { expected: 'a whole number of at least 1, or off', fits: text => parseBreaker(text) !== null },
  count: { expected: 'a whole number of at least 1', fits: text => Boolean(parseLimit(text)?.limit) },
  time: { expected: 'a time like 90s, 5m or 1h30m', fits: text => Boolean(parseDuration(text)) },
  size: { expected: 'a size like 500MB or 2GB', fits: text => Boolean(parseBytes(text)) },
  USD: { expected: 'an amount in dollars like 25 or 2.50, or none', fits: text => parseMoney(text) !== null },
  'USD/USD': {
    expected: 'dollars for a million tokens: input/output or input/output/cached, like 1.25/10',
    fits: text => parsePrice(text) !== null,
  },
  url: {
    expected: 'an address that begins with http:// or https://',
    fits: text => /^https?:\/\/[^\s/]+/.test(text),
  },
  port: {
    expected: 'a port from 1 to 65535',
    fits: text => /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536,
  },
}

const anyText: Kind = {
  expected: 'a text, not empty',
  fits: text => text.trim() !== '' && !text.includes('\0'),
}

/** What was expected of the value of this flag, when the text is not it; null when it is. */
export function expectedInstead(flag: Flag, text: string): string | null {
  const { expected, fits } = kindOf(flag)
  return fits(text) ? null : expected
}

function kindOf({ takes }: Flag): Kind {
  if (takes === undefined) return oneOf(['true', 'false'])
  if (/^[a-z-]+(\|[a-z-]+)+$/.test(takes)) return oneOf(takes.split('|'))
  return kinds[takes] ?? anyText
}

function oneOf(words: string[]): Kind {
  return {
    expected: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
    fits: text => words.includes(text),
  }
}

/** The value of an option as its parser reads it; what is missing, empty or zero is refused by the kind of its row. */
export function readAs<T>(values: Values, name: string, parse: (text: string) => T | null): Result<T> {
  const value = parse(values.value(name) ?? '')
  return value ? ok(value) : unfit(values, name)
}

/** One of these words. */
export function readWord<T extends string>(values: Values, name: string, words: readonly T[]): Result<T> {
  return readAs(values, name, text => words.find(word => word === text) ?? null)
}

/** The sentence for a value that does not fit, with the flag, variable or line of a file it stands in. */
function unfit(values: Values, name: string): Result<never> {
  const text = values.value(name) ?? ''
  const expected = expectedInstead(values.flag(name), text)
  if (!expected) throw new Error(`Internal error: --${name} ${text} fits`)
  return invalid(`${subjectOf(values, name)} is ${expected}; not "${text}".`)
}

export function subjectOf(values: Values, name: string): string {
  return values.origin(name)?.subject ?? `--${name}`
}

/** A request that cannot be done as it is. */
export function invalid(message: string): Result<never> {
  return fail('invalid-arguments', message)
}
