/**
 * The commands of `loop`, by task, as data for help, completion and the reference. A command is one value in
 * cli/table/<task>; its code, commands/<name>, is loaded when it is used.
 */
import type { DocumentName } from '../documents/documents.ts'
import type { Result } from '../model/failure.ts'
import type { Setting } from '../options/setting.ts'
import type { Flag } from '../options/table/flag.ts'
import type { Values } from '../options/values.ts'
import { lookCommands } from './table/look.ts'
import { planCommands } from './table/plan.ts'
import { programCommands } from './table/programs.ts'
import { runCommands } from './table/run.ts'
import { setupCommands } from './table/setup.ts'
import { steerCommands } from './table/steer.ts'
import { undoCommands } from './table/undo.ts'

/** A command line: the values of its flags, and its arguments. */
export type Input = Values & { positionals: string[]; env: NodeJS.ProcessEnv }

/** Runs the command: returns the exit code, or a failure that main prints. */
export type CommandRun = (input: Input) => Promise<Result<number>>

/** By each form of the command: what it prints with `--json`. `a|b` is either word, `<…>` any one, `…` any number. */
type PrintedForms = Record<string, DocumentName | DocumentName[] | { lines: DocumentName } | { none: string }>

/** A command: everything about it but its code. Help, completion, reference and checks are made from it. */
export type CommandDefinition = {
  /** The program; loop if absent. */
  program?: 'loopd'
  name: string
  usage: string
  summary: string
  /** The same for `loop --help`, in at most 24 characters; absent for commands that are not for people. */
  words?: string
  flags: Flag[]
  /** The configuration keys that its help mentions. */
  keys?: Setting[]
  /** Whether only a person may give it: an agent in its run is not the user. What an agent may still do is recorded as the agent's. */
  forPeople?: true | ((input: Input) => boolean)
  /** With the name of the command, of `loopd` also that of the program. */
  json: PrintedForms
  examples: string[]
  load(): Promise<{ default: CommandRun }>
}

/** `loop --help` shows them in this order, on one screen. */
export const tasks: [task: string, commands: CommandDefinition[]][] = [
  ['run', runCommands],
  ['look', lookCommands],
  ['steer', steerCommands],
  ['undo', undoCommands],
  ['plan', planCommands],
  ['set up', setupCommands],
]

export const commands: CommandDefinition[] = [...tasks.flatMap(([, rows]) => rows), ...programCommands]
