/**
 * Reading a command line by the flags of a command: an unknown flag is refused with a suggestion, one that
 * comes later by name, a missing value too. Nothing that was typed is ignored.
 */
import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '../model/failure.ts'
import { nearest } from '../options/nearest.ts'
import { commonFlags } from '../options/table/command.ts'
import type { Flag } from '../options/table/flag.ts'
import { laterFlags, untilThen } from '../options/table/later.ts'
import { type GivenValues, valuesOf } from '../options/values.ts'
import type { CommandRow, Input } from './command-table.ts'

export function readFlags(command: CommandRow, args: string[], env: NodeJS.ProcessEnv): Result<Input> {
  const flags = [...command.flags, ...commonFlags]
  const { tokens } = parseArgs({
    args,
    options: Object.fromEntries(flags.map(flag => [flag.name, option(flag)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const given: GivenValues = new Map()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const flag = flags.find(({ name }) => name === token.name)
    const value = token.inlineValue || !isFlag(token.value) ? token.value : undefined
    const wrong = problem(command, flag, { typed: token.rawName, value })
    if (wrong) return wrong
    const known = given.get(token.name) ?? []
    if (known.length > 0 && !flag?.repeat) {
      return fail('invalid-arguments', `${token.rawName} is given twice. Give it once.`)
    }
    given.set(token.name, [...known, token.value ?? 'true'])
  }
  return ok({ ...valuesOf(flags, given, { env }), positionals, env })
}

/** A flag where a value should stand: the value was forgotten. One that begins so is given as --flag=value. */
function isFlag(value: string | undefined): boolean {
  return value !== undefined && /^--?[a-z]/i.test(value)
}

function problem(
  command: CommandRow,
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
    const hint = near ? `Did you mean --${near}?` : `See: ${program} ${command.name} --help`
    return fail('invalid-arguments', `${program} ${command.name} has no flag ${typed}. ${hint}`)
  }
  if (flag.takes && value === undefined) {
    return fail('invalid-arguments', `${typed} needs a value: ${typed} <${flag.takes}>`)
  }
  if (!flag.takes && value !== undefined && !(flag.config && /^(true|false)$/.test(value))) {
    const but = flag.config ? ' but =true and =false' : ''
    return fail('invalid-arguments', `${typed} takes no value${but}.`)
  }
  return null
}

/** `command`: where it is a command that is missing. */
export function notYet(what: string, command = ''): Result<never> {
  const instead = untilThen[command] ? ` Until then: ${untilThen[command]}` : ''
  return fail(
    'not-available-yet',
    `${what} is not available in this version of loop yet; nothing was done.${instead}`,
  )
}

function option(flag: Flag) {
  return {
    type: flag.takes ? ('string' as const) : ('boolean' as const),
    ...(flag.short && { short: flag.short }),
  }
}
