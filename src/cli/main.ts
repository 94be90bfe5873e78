/**
 * Finds the command that was asked for and runs it; turns a failure into words and an exit code.
 * Commands are loaded when they are used: `status` must not pay for `start`.
 */
import { onStray } from '../adapters/process/stray.ts'
import { exitCodeOf, type Failure, fail, ok, type Result } from '../model/failure.ts'
import { version } from '../model/version.ts'
import { nearest } from '../options/nearest.ts'
import { laterCommands } from '../options/table/later.ts'
import { isStoreError } from '../store/failures.ts'
import { type CommandRow, commands } from './command-table.ts'
import { notYet, readFlags } from './flags.ts'
import { helpFor, helpForAll } from './help.ts'
import { out, printFailure } from './terminal.ts'
import { permitted } from './who/for-people.ts'

/** A program of this package; `later` are the commands that come with a later version. */
type Program = {
  name: 'loop' | 'loopd'
  commands: CommandRow[]
  later: readonly string[]
  help(): string
}

const loop: Program = {
  name: 'loop',
  commands,
  later: laterCommands,
  help: () => helpForAll(commands),
}

export async function main(args: string[], program: Program = loop): Promise<number> {
  const [name = '', ...rest] = args
  const say = (failure: Failure) => {
    printFailure(failure, rest.includes('--json'), program.name)
    return exitCodeOf(failure.reason)
  }
  onStray(error => {
    failureOf(error)
      .then(failure => process.exit(say(failure)))
      .catch(() => process.exit(exitCodeOf('internal')))
  })
  try {
    const result = await dispatch(program, name, rest)
    return result.ok ? result.value : say(result.failure)
  } catch (error) {
    return say(await failureOf(error))
  }
}

/** What nobody else has caught: the store is damaged or out of reach, or it is a bug. */
async function failureOf(error: unknown): Promise<Failure> {
  if (isStoreError(error)) {
    const [{ unusable }, { pathsFrom }] = await Promise.all([
      import('../store/failures.ts'),
      import('../store/files/paths.ts'),
    ])
    return unusable(pathsFrom(process.env), error).failure
  }
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (syscall === 'uv_cwd') {
    const message =
      'The directory you stand in is gone, or closed to you. Go to one that is there, then try again.'
    return { reason: 'invalid-arguments', message }
  }
  if (error instanceof Error && code && syscall) {
    return { reason: 'system', message: `The system refused: ${error.message}. Nothing recorded is lost.` }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { reason: 'internal', message: `${message}\nThis is a bug in loop. Nothing recorded is lost.` }
}

async function dispatch(program: Program, name: string, args: string[]): Promise<Result<number>> {
  const known = program.commands
  const asked = name === 'help' ? known.find(command => command.name === args[0]) : undefined
  if (asked) return print(helpFor(asked, program.name))
  if (name === '' || name === 'help' || name === '--help' || name === '-h') return print(program.help())
  if (name === '--version' || name === '-V') return print(version)
  const command = known.find(candidate => candidate.name === name)
  if (!command) return unknownCommand(program, name)
  const input = readFlags(command, args, process.env)
  if (!input.ok) return input
  if (input.value.given('help')) return print(helpFor(command, program.name))
  const may = permitted(`${program.name} ${name}`, input.value)
  if (!may.ok) return may
  const { default: run } = await command.load()
  return run(input.value)
}

function print(text: string): Result<number> {
  out(text)
  return ok(0)
}

function unknownCommand(program: Program, name: string): Result<never> {
  if (program.later.includes(name)) return notYet(`${program.name} ${name}`, name)
  const near = nearest(
    name,
    program.commands.map(command => command.name),
  )
  return fail(
    'invalid-arguments',
    `There is no command ${name}. ${near ? `Did you mean: ${program.name} ${near}` : `See: ${program.name} --help`}`,
  )
}
