/**
 * The script that a command runs, to tell two meanings of exit code 127 apart: a program that the command itself names
 * is missing, or a command inside of its script is. The second is work for the agent. Nothing is run.
 */
import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { onPath } from '../../adapters/steering/fingerprints.ts'
import { callsIn } from '../../core/trust/calls.ts'
import { chainOf, unread } from '../../core/trust/chain.ts'

type Place = { cwd: string; env: NodeJS.ProcessEnv }

const builtins =
  /^(?:\.|:|\[|cd|command|echo|eval|exit|export|false|printf|set|test|true|ulimit|umask|unset)$/

/** Null if it runs none, or if one of the programs on its own line is not found. */
export function ownScript(command: string, { cwd, env }: Place): string | null {
  const isThere = (path: string) => lstatSync(resolve(cwd, path), { throwIfNoEntry: false }) !== undefined
  const isFound = ({ path }: { path: string }) =>
    path.includes('/') ? isThere(path) : builtins.test(path) || onPath(path, env) !== null
  const { scripts } = chainOf([command], unread)
  const isWhole = scripts.every(isThere) && callsIn(command).calls.every(isFound)
  return isWhole ? (scripts[0] ?? null) : null
}
