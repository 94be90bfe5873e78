/**
 * The values of options, whoever gives them: a command line, the JSON of a request, a configuration file. The
 * value of an option is that of the first layer that has one. A layer is a question, so that this knows no files;
 * a template will be one more.
 */
import type { Flag } from './table/flag.ts'

/**
 * A value as a person would type it; `from` is where it stands (`--agent`, `$LOOP_AGENT`, `/a/config.yaml:3`,
 * `default`), `subject` begins a sentence about it (`--agent`, `LOOP_AGENT`, `/a/config.yaml:3: agent`).
 */
export type FoundValue = { text: string; from: string; subject: string }

export type Layer = (flag: Flag) => FoundValue | null

const precedence = ['flag', 'env', 'project', 'user', 'template'] as const

export type Layers = Partial<Record<(typeof precedence)[number], Layer>>

export type Environment = Record<string, string | undefined>

export type Values = {
  /** The value of an option: as given, else from the environment, a configuration, or the default; null without any. */
  value(name: string): string | null
  /** All values that were given for an option that may be repeated. */
  values(name: string): string[]
  /** The same as `value`, with where it comes from. */
  origin(name: string): FoundValue | null
  /** Was it given with the request itself? Of a switch: is it on, whether given or configured. */
  given(name: string): boolean
  /** The row of an option. */
  flag(name: string): Flag
  /** The same request over these configurations. */
  over(layers: Layers): Values
}

/** What was given for each option, by its name; a switch that was given is `true`. */
export type GivenValues = Map<string, string[]>

type Below = { env: Environment; layers?: Layers }

/** A request about these options; `env` and `layers` are what stands below it. */
export function valuesOf(flags: Flag[], given: GivenValues, { env, layers: below }: Below): Values {
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

/** A variable that is empty is none. */
export function environment(env: Environment): Layer {
  return flag => {
    const text = flag.env && env[flag.env]
    return text ? { text, from: `$${flag.env}`, subject: flag.env ?? '' } : null
  }
}
