/**
 * The script that a command runs, to tell two meanings of exit code 127 apart: a program that the command itself names
 * is missing, or a command inside of its script is. The second is work for the agent. Nothing is run.
 */
import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { onPath } from '../../adapters/steering/fingerprints.ts'
import { scriptsRunBy, shellWords, withoutPrefix } from '../../core/trust/steering.ts'

type Place = { cwd: string; env: NodeJS.ProcessEnv }

const builtins =
  /^(?:\.|:|\[|cd|command|echo|eval|exit|export|false|printf|set|test|true|ulimit|umask|unset)$/

/** Null if it runs none, or if one of the programs on its own line is not found. */
export function ownScript(command: string, { cwd, env }: Place): string | null {
  const isThere = (path: string) => lstatSync(resolve(cwd, path), { throwIfNoEntry: false }) !== undefined
  const isFound = ([program = '']: string[]) =>
    program.includes('/')
      ? isThere(program)
      : program === '' || builtins.test(program) || onPath(program, env) !== null
  const scripts = scriptsRunBy(command)
  const isWhole = scripts.every(isThere) && shellWords(command).map(withoutPrefix).every(isFound)
  return isWhole ? (scripts[0] ?? null) : null
}
