/**
 * Finds the command and runs it; turns a failure into words and an exit code. Commands are loaded on demand:
 * `status` must not pay for `start`.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onStray } from '../adapters/process/stray.ts'
import { jsonText } from '../core/text/plain-text.ts'
import { exitCodeOf, type Failure, fail, invalid, ok, type Result } from '../model/failure.ts'
import { version } from '../model/version.ts'
import { nearest } from '../options/nearest.ts'
import { laterCommands } from '../options/table/flag.ts'
import { unsupportedSystem } from '../platform/supported.ts'
import { isStoreError } from '../store/failures.ts'
import { withSecretNames } from '../wiring/secret-names.ts'
import { type CommandDefinition, commands, type Input, tasks } from './command-table.ts'
import { notYet, readFlags } from './flags.ts'
import { helpFor, helpForAll } from './help.ts'
import { programCommands } from './table/programs.ts'
import { err, out, outputWidth } from './terminal.ts'

/** A program of this package; `later` are commands of a later version. */
type Program = {
  name: 'loop' | 'loopd'
  commands: CommandDefinition[]
  later: readonly string[]
  help(): string
}

const loop: Program = {
  name: 'loop',
  commands,
  later: laterCommands,
  help: () => helpForAll(tasks, programCommands),
}

export async function main(args: string[], program: Program = loop): Promise<number> {
  const [name = '', ...rest] = args
  const say = async (failure: Failure) => {
    // Only a failing command loads the sentences.
    const { failureJson, failureWords } = await import('../failures/words.ts')
    err(
      rest.includes('--json')
        ? jsonText({ error: failureJson(failure) })
        : `${program.name}: ${failureWords(failure)}`,
    )
    return exitCodeOf(failure.reason)
  }
  onStray(error => {
    failureOf(error)
      .then(say)
      .then(code => process.exit(code))
      .catch(() => process.exit(exitCodeOf('internal')))
  })
  try {
    const result = await dispatch(program, name, rest)
    return result.ok ? result.value : await say(result.failure)
  } catch (error) {
    return await say(await failureOf(error))
  }
}

/** An uncaught error: the store is damaged or out of reach, or it is a bug. */
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
    return { reason: 'invalid-arguments', facts: { kind: 'no-directory' } }
  }
  if (error instanceof Error && code && syscall) {
    return { reason: 'system', facts: { kind: 'system-refused', why: error.message } }
  }
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { reason: 'internal', facts: { kind: 'bug', why } }
}

async function dispatch(program: Program, name: string, args: string[]): Promise<Result<number>> {
  const known = program.commands
  const asked = name === 'help' ? known.find(command => command.name === args[0]) : undefined
  if (asked) return help(asked, program)
  if (name === '' || name === 'help' || name === '--help' || name === '-h') return print(program.help())
  if (name === '--version' || name === '-V') return print(versionLine())
  if (name === '__complete') {
    const { complete } = await import('./completion/complete.ts')
    return print((await complete(args, { commands: known, readFlags })).join('\n'))
  }
  const command = known.find(candidate => candidate.name === name)
  if (!command) return unknownCommand(program, name)
  const input = readFlags(command, args, await withSecretNames(process.env))
  if (!input.ok) return input
  // Any process of the user can read the arguments of this one, and no agent is to see the hold-out.
  if (input.value.given('holdout')) process.title = `${program.name} ${name}`
  if (input.value.given('help')) return help(command, program)
  const system = unsupportedSystem()
  if (system !== null) return fail('system', { kind: 'unsupported-system', system })
  const may = await permitted(program, command, input.value)
  if (!may.ok) return may
  const { default: run } = await command.load()
  return run(input.value)
}

async function permitted({ name }: Program, command: CommandDefinition, input: Input): Promise<Result<null>> {
  const { forPeople = () => false } = command
  if (forPeople !== true && !forPeople(input)) return ok(null)
  const { outsideOfRuns } = await import('./run-here.ts')
  return outsideOfRuns(`${name} ${command.name}`, input.env)
}

/** The number, and what the build left beside the program; the sources alone have no build. */
function versionLine(): string {
  try {
    const { build, commit } = JSON.parse(readFileSync(join(import.meta.dirname, 'build.json'), 'utf8'))
    return `${version} (build ${build}, commit ${commit ?? 'unknown'})`
  } catch {
    return version
  }
}

function help(command: CommandDefinition, { name }: Program): Result<number> {
  return print(helpFor(command, { program: name, columns: outputWidth() }))
}

function print(text: string): Result<number> {
  out(text)
  return ok(0)
}

function unknownCommand(program: Program, name: string): Result<never> {
  if (program.later.includes(name)) return notYet(`${program.name} ${name}`)
  const near = nearest(
    name,
    program.commands.map(command => command.name),
  )
  return invalid({ kind: 'unknown-command', program: program.name, name, near })
}
