/**
 * Parses a command line by the flags of a command: an unknown flag is refused with a suggestion, a flag of a later
 * version by name, and a missing value too. Nothing that was typed is ignored.
 */
import { parseArgs } from 'node:util'
import { fail, invalid, ok, type Result } from '../model/failure.ts'
import { nearest } from '../options/nearest.ts'
import { commonFlags } from '../options/table/command.ts'
import { type Flag, laterFlags } from '../options/table/flag.ts'
import { type GivenValues, valuesOf } from '../options/values.ts'
import type { CommandDefinition, Input } from './command-table.ts'

export function readFlags(command: CommandDefinition, args: string[], env: NodeJS.ProcessEnv): Result<Input> {
  const flags = [...command.flags, ...commonFlags]
  const given: GivenValues = new Map()
  const positionals: string[] = []
  for (const token of wordsAndSwitches(args, flags) ?? parsed(args, flags)) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const flag = flags.find(({ name }) => name === token.name)
    const value = token.inlineValue || !isFlag(token.value) ? token.value : undefined
    const wrong = problem(command, flag, { typed: token.rawName, value })
    if (wrong) return wrong
    const known = given.get(token.name) ?? []
    if (known.length > 0 && !flag?.repeat) {
      return invalid({ kind: 'flag-twice', flag: token.rawName })
    }
    given.set(token.name, [...known, token.value ?? 'true'])
  }
  return ok({ ...valuesOf(flags, given, { env }), positionals, env })
}

function parsed(args: string[], flags: Flag[]) {
  return parseArgs({
    args,
    options: Object.fromEntries(flags.map(flag => [flag.name, option(flag)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  }).tokens
}

type Tokens = ReturnType<typeof parsed>

/**
 * Most command lines are words and whole names of switches: nothing to parse. Node loads its parser on first use,
 * which takes longer than reading the list of loops. Null for any other command line.
 */
function wordsAndSwitches(args: string[], flags: Flag[]): Tokens | null {
  const tokens: Tokens = []
  for (const [index, arg] of args.entries()) {
    const flag = flags.find(({ name, takes }) => !takes && arg === `--${name}`)
    if (flag) {
      tokens.push({
        kind: 'option',
        index,
        name: flag.name,
        rawName: arg,
        value: undefined,
        inlineValue: undefined,
      })
    } else if (!arg.startsWith('-')) tokens.push({ kind: 'positional', index, value: arg })
    else return null
  }
  return tokens
}

/** A flag in the place of a value: the value was forgotten. A value that starts with a dash is given as --flag=value. */
function isFlag(value: string | undefined): boolean {
  return value !== undefined && /^--?[a-z]/i.test(value)
}

function problem(
  command: CommandDefinition,
  flag: Flag | undefined,
  token: { typed: string; value: string | undefined },
) {
  const { typed, value } = token
  const bare = typed.replace(/^-+/, '')
  if (!flag) {
    const program = command.program ?? 'loop'
    if (program === 'loop' && laterFlags[command.name]?.includes(bare))
      return notYet(`loop ${command.name} ${typed}`)
    const names = [...command.flags, ...commonFlags].map(({ name }) => name)
    const near = nearest(bare, names)
    return invalid({
      kind: 'unknown-flag',
      command: `${program} ${command.name}`,
      flag: typed,
      near,
    })
  }
  if (flag.takes && value === undefined) {
    return invalid({ kind: 'value-missing', flag: typed, takes: flag.takes })
  }
  if (!flag.takes && value !== undefined && !(flag.config && /^(true|false)$/.test(value))) {
    return invalid({ kind: 'value-not-taken', flag: typed, yesNo: flag.config === true })
  }
  return null
}

export function notYet(what: string): Result<never> {
  return fail('not-available-yet', { kind: 'not-yet', what })
}

function option(flag: Flag) {
  return {
    type: flag.takes ? ('string' as const) : ('boolean' as const),
    ...(flag.short && { short: flag.short }),
  }
}
