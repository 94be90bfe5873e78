/**
 * Reading a command line by the flags of a command: an unknown flag is refused with a suggestion, one that
 * comes later by name, a missing value too. Nothing that was typed is ignored.
 */
import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '../../model/failure.ts'
import { commonFlags, type Flag, laterFlags } from '../../model/flag.ts'
import type { Command, Input } from '../command.ts'

export function readFlags(command: Command, args: string[], env: NodeJS.ProcessEnv): Result<Input> {
  const flags = [...command.flags, ...commonFlags]
  const { tokens } = parseArgs({
    args,
    options: Object.fromEntries(flags.map(flag => [flag.name, option(flag)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const values: Values = new Map()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const flag = flags.find(({ name }) => name === token.name)
    const value = token.inlineValue || !isFlag(token.value) ? token.value : undefined
    const wrong = problem(command, flag, { typed: token.rawName, value })
    if (wrong) return wrong
    const known = values.get(token.name) ?? []
    if (known.length > 0 && !flag?.repeat) {
      return fail('invalid-arguments', `${token.rawName} is given twice. Give it once.`)
    }
    values.set(token.name, [...known, token.value ?? ''])
  }
  return ok(inputOf(flags, values, { positionals, env }))
}

/** A flag where a value should stand: the value was forgotten. One that begins so is given as --flag=value. */
function isFlag(value: string | undefined): boolean {
  return value !== undefined && /^--?[a-z]/i.test(value)
}

function problem(
  command: Command,
  flag: Flag | undefined,
  token: { typed: string; value: string | undefined },
) {
  const { typed, value } = token
  const bare = typed.replace(/^-+/, '')
  if (!flag) {
    if (laterFlags[command.name]?.includes(bare)) return notYet(`loop ${command.name} ${typed}`)
    const names = [...command.flags, ...commonFlags].map(({ name }) => name)
    const near = nearest(bare, names)
    const hint = near ? `Did you mean --${near}?` : `See: loop ${command.name} --help`
    return fail('invalid-arguments', `loop ${command.name} has no flag ${typed}. ${hint}`)
  }
  if (flag.takes && value === undefined) {
    return fail('invalid-arguments', `${typed} needs a value: ${typed} <${flag.takes}>`)
  }
  if (!flag.takes && value !== undefined) return fail('invalid-arguments', `${typed} takes no value.`)
  return null
}

export function notYet(what: string): Result<never> {
  return fail('not-available-yet', `${what} is not available in this version of loop yet; nothing was done.`)
}

/** The name with the smallest edit distance, if it is near enough to be what was meant. */
export function nearest(typed: string, names: readonly string[]): string | null {
  const ranked = names.map(name => ({ name, away: distance(typed, name) })).sort((a, b) => a.away - b.away)
  const best = ranked[0]
  return best && best.away <= Math.min(typed.length - 1, Math.max(2, Math.floor(typed.length / 3)))
    ? best.name
    : null
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

function option(flag: Flag) {
  return {
    type: flag.takes ? ('string' as const) : ('boolean' as const),
    ...(flag.short && { short: flag.short }),
  }
}

/** What was typed, by flag; a switch has an empty text. */
export type Values = Map<string, string[]>

export function inputOf(flags: Flag[], values: Values, rest: Pick<Input, 'positionals' | 'env'>): Input {
  return {
    ...rest,
    given: name => values.has(name),
    values: name => values.get(name) ?? [],
    value(name) {
      const flag = flags.find(candidate => candidate.name === name)
      if (!flag) throw new Error(`Internal error: no flag ${name}`)
      const typed = values.get(name)?.at(-1)
      if (typed !== undefined) return typed
      return (flag.env && rest.env[flag.env]) || (flag.default ?? null)
    },
  }
}
