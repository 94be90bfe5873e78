/**
 * Whether the program that a shell command begins with is there, so that a mistyped one is found before any run. Only
 * what can be judged without a shell: a command that begins with a plain word. Everything else (assignments, quotes,
 * expansions, groups, builtins) is left to the shell.
 */
import { delimiter, resolve } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { AgentPlace } from './agent.ts'
import { isProgram } from './program.ts'

/** The command as it is, or a failure that names the program that is not there. */
export function orMissing(command: string, place: AgentPlace): Result<string> {
  const word = firstWord(command)
  if (word === null || isThere(word, place)) return ok(command)
  const where = word.includes('/') ? `is no program: ${resolve(place.cwd, word)}` : 'is not on the PATH'
  return fail('agent-missing', `${word} ${where}. Check --agent-cmd, or install it.`)
}

/** Null where it takes a shell to know what it means. */
function firstWord(command: string): string | null {
  const [, word] = /^\s*([\w./+:@%,-]+)(?=$|[\s;&|])/.exec(command) ?? []
  return word ?? null
}

function isThere(word: string, { cwd, env }: AgentPlace): boolean {
  if (word.includes('/')) return isProgram(resolve(cwd, word))
  const path = env['PATH']
  // Without a PATH a shell looks in places of its own; bash finds functions in the environment.
  if (!path || ofShell.has(word) || env[`BASH_FUNC_${word}%%`] !== undefined) return true
  // An empty place is the current directory.
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
