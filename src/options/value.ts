/**
 * What the value of a flag or key may be, by the word that stands for it in the help (`takes`): flags,
 * variables and files are judged by the same parsers and refused with the same sentence.
 */

import { parsePrice } from '../model/price.ts'
import { parseBreaker, parseBytes, parseDuration, parseLimit, parseMoney } from '../model/units.ts'
import type { Flag } from './table/flag.ts'

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
