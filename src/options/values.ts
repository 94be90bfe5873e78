/**
 * The values of options from any source (a command line, the JSON of a request, a configuration file), and which are
 * valid. An option has the value of the first layer that sets it. A layer is a function, so this file knows no files.
 * Valid values go by the placeholder in the help (`takes`), so that every source has the same parsers and messages.
 */

import { invalid, ok, type Result } from '../model/failure.ts'
import { parseNetwork } from '../model/loop/network.ts'
import { parsePrice } from '../model/price.ts'
import { parseBreaker, parseBytes, parseDuration, parseLimit, parseMoney } from '../model/units.ts'
import { nearest } from './nearest.ts'
import type { Flag } from './table/flag.ts'

/**
 * A value as typed; `from` is its source (`--agent`, `$LOOP_AGENT`, `/a/config.yaml:3`, `default`), `subject` starts
 * a sentence about it (`--agent`, `LOOP_AGENT`, `/a/config.yaml:3: agent`).
 */
export type FoundValue = { text: string; from: string; subject: string }

export type Layer = (flag: Flag) => FoundValue | null

const precedence = ['flag', 'env', 'project', 'user', 'template'] as const

export type Layers = Partial<Record<(typeof precedence)[number], Layer>>

export type Environment = Record<string, string | undefined>

export type Values = {
  /**
   * The value of an option: as given, otherwise from the environment, a configuration or the default; null without
   * any.
   */
  value(name: string): string | null
  /** All values given for a repeatable option. */
  values(name: string): string[]
  /** Like `value`, with its source. */
  origin(name: string): FoundValue | null
  /** Whether it was given with the request itself; for a switch, whether it is on, given or configured. */
  given(name: string): boolean
  /** The row of an option. */
  flag(name: string): Flag
  /** The rows of all options that the request can have. */
  flags: readonly Flag[]
  /** The same request on top of these configurations. */
  over(layers: Layers): Values
}

/** The given values by option name; a given switch is `true`. */
export type GivenValues = Map<string, string[]>

type LowerLayers = { env: Environment; layers?: Layers }

/** A request for these options; `env` and `layers` are the lower layers. */
export function valuesOf(flags: Flag[], given: GivenValues, { env, layers: below }: LowerLayers): Values {
  const layers = { ...below, flag: givenLayer(given), env: environment(env) }
  const rows = new Map(flags.map(flag => [flag.name, flag]))
  const flagNamed = (name: string) => {
    const flag = rows.get(name)
    if (!flag) throw new Error(`Internal error: no flag ${name}`)
    return flag
  }
  const origin = (name: string) => effectiveValue(flagNamed(name), layers)
  const isSwitch = (name: string) => rows.has(name) && rows.get(name)?.takes === undefined
  return {
    origin,
    flag: flagNamed,
    flags,
    value: name => origin(name)?.text ?? null,
    values: name => given.get(name) ?? [],
    given: name => (isSwitch(name) ? origin(name)?.text === 'true' : given.has(name)),
    over: others => valuesOf(flags, given, { env, layers: others }),
  }
}

export function effectiveValue(flag: Flag, layers: Layers): FoundValue | null {
  for (const name of precedence) {
    const found = layers[name]?.(flag)
    if (found) return found
  }
  if (flag.default === undefined) return null
  return { text: flag.default, from: 'default', subject: `--${flag.name}` }
}

function givenLayer(given: GivenValues): Layer {
  return ({ name }) => {
    const text = given.get(name)?.at(-1)
    return text === undefined ? null : { text, from: `--${name}`, subject: `--${name}` }
  }
}

/** An empty variable counts as unset. */
export function environment(env: Environment): Layer {
  return flag => {
    const text = flag.env && env[flag.env]
    return text ? { text, from: `$${flag.env}`, subject: flag.env ?? '' } : null
  }
}

/**
 * Valid values of options and keys, by the placeholder in the help (`takes`): flags, variables, files and requests
 * use the same parsers and the same error messages.
 */

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
  hosts: {
    expected:
      'names with a port where it is not the usual one, with commas between them: box.example.org, box:8443',
    fits: text =>
      text.split(',').every(host => /^[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/i.test(host.trim())),
  },
  network: {
    expected:
      'open, none, or hosts with commas between them: example.com, *.example.com, example.com:8443; this machine with a port from 1024 on: localhost:5432',
    fits: text => parseNetwork(text) !== null,
  },
  names: {
    expected: 'names of variables with commas between them: STRIPE_KEY, ACME_*, !NAME',
    fits: text => text.split(',').every(name => /^!?[\w*]+$/.test(name.trim())),
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

/** The expected form, if the text is not a valid value of this flag; null if it is. */
export function expectedInstead(flag: Flag, text: string): string | null {
  return unfitting(flag, text)?.expected ?? null
}

/** The same with the word that was probably meant, where it is one of several. */
export function unfitting(flag: Flag, text: string): { expected: string; near: string | null } | null {
  const { expected, fits } = kindOf(flag)
  return fits(text) ? null : { expected, near: nearest(text, wordsOf(flag)) }
}

function wordsOf({ takes }: Flag): string[] {
  if (takes === undefined) return ['true', 'false']
  return /^[a-z-]+(\|[a-z-]+)+$/.test(takes) ? takes.split('|') : []
}

function kindOf(flag: Flag): Kind {
  const words = wordsOf(flag)
  return words.length > 0 ? oneOf(words) : (kinds[flag.takes ?? ''] ?? anyText)
}

function oneOf(words: string[]): Kind {
  return {
    expected: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
    fits: text => words.includes(text),
  }
}

/** The parsed value of an option; a missing, empty or zero value is refused according to its row. */
export function readAs<T>(values: Values, name: string, parse: (text: string) => T | null): Result<T> {
  const value = parse(values.value(name) ?? '')
  return value ? ok(value) : unfit(values, name)
}

/** Reads one of these words. */
export function readWord<T extends string>(values: Values, name: string, words: readonly T[]): Result<T> {
  return readAs(values, name, text => words.find(word => word === text) ?? null)
}

/** Refuses a value that is not of the form that its option has; one of any text fits. */
export function fitting(values: Values, flag: Flag): Result<null> {
  const text = values.value(flag.name)
  return text === null || kindOf(flag) === anyText || unfitting(flag, text) === null
    ? ok(null)
    : unfit(values, flag.name)
}

/** The failure for an invalid value, with the flag, variable or file line that contains it. */
function unfit(values: Values, name: string): Result<never> {
  const text = values.value(name) ?? ''
  const wrong = unfitting(values.flag(name), text)
  if (!wrong) throw new Error(`Internal error: --${name} ${text} fits`)
  return invalid({ kind: 'unfit-value', subject: subjectOf(values, name), ...wrong, text })
}

export function subjectOf(values: Values, name: string): string {
  return values.origin(name)?.subject ?? `--${name}`
}
