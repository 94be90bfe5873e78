/**
 * Tells whether the program at the start of a shell command exists, so that a typing mistake is found before any
 * run. Only a command that starts with a plain word is judged; everything else (assignments, quotes, expansions,
 * groups, builtins) is left to the shell.
 */
import { delimiter, resolve } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { AgentPlace } from './agent.ts'
import { isProgram } from './program.ts'

/** The command unchanged, or a failure that names the missing program. */
export function orMissing(command: string, place: AgentPlace): Result<string> {
  const word = firstWord(command)
  if (word === null || isThere(word, place)) return ok(command)
  return fail('agent-missing', {
    kind: 'command-not-there',
    word,
    path: word.includes('/') ? resolve(place.cwd, word) : null,
  })
}

/** Null if only a shell can tell. */
function firstWord(command: string): string | null {
  const [, word] = /^\s*([\w./+:@%,-]+)(?=$|[\s;&|])/.exec(command) ?? []
  return word ?? null
}

function isThere(word: string, { cwd, env }: AgentPlace): boolean {
  if (word.includes('/')) return isProgram(resolve(cwd, word))
  const path = env['PATH']
  // Without a PATH a shell uses its own defaults; bash finds functions in the environment.
  if (!path || ofShell.has(word) || env[`BASH_FUNC_${word}%%`] !== undefined) return true
  // An empty entry means the current directory.
  return path.split(delimiter).some(place => isProgram(resolve(cwd, place, word)))
}

/** Reserved words and builtins of sh, dash and bash. */
const ofShell = new Set(
  `. : alias bg bind break builtin caller case cd chdir command compgen complete compopt continue coproc declare
  dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help
  history if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select set
  shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while`.split(
    /\s+/,
  ),
)
