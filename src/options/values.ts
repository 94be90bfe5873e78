/**
 * The values of options from any source: a command line, the JSON of a request, a configuration file. An option has
 * the value of the first layer that sets it. A layer is a function, so this file knows no files.
 */
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
