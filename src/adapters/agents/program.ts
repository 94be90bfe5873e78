/** The program of an agent: the one given with --agent-cmd, otherwise the first of its names on the PATH; and its version. */
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Agent, AgentPlace } from './agent.ts'

export function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
  const places = (env['PATH'] ?? '').split(delimiter).filter(place => place !== '')
  return places.map(place => join(place, name)).find(isProgram) ?? null
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The check for an agent that is an installed program. */
export function programCheck(names: string[]): Agent['check'] {
  return (agentCmd: string | undefined, { cwd, env }: AgentPlace): Result<string> => {
    if (agentCmd !== undefined) {
      const given = agentCmd.includes('/') ? resolve(cwd, agentCmd) : findProgram(agentCmd, env)
      if (given && isProgram(given)) return ok(given)
      return fail('invalid-arguments', { kind: 'agent-cmd-no-program', agentCmd })
    }
    const found = names.map(name => findProgram(name, env)).find(path => path !== null)
    return found ? ok(found) : fail('agent-missing', { kind: 'agent-not-on-path', program: names[0] ?? '' })
  }
}

/**
 * Tells whether the program at the start of a shell command exists, so that a typing mistake is found before any
 * run. Only a command that starts with a plain word is judged; everything else (assignments, quotes, expansions,
 * groups, builtins) is left to the shell.
 */

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

/**
 * The version of an installed agent program, read from its files without starting it: a start takes up to seconds. A
 * program that is installed in another way than by npm has an unknown version. `loop doctor` asks the program itself.
 */

/** How far above its program the manifest of a package is. */
const mostUp = 4

/** `oldest`: the oldest version whose output loop is known to read. */
type Outdated = { version: string; oldest: string; update: string }

/** Null if the program is recent enough, or of an unknown version. */
export function outdated({ program }: Pick<Agent, 'program'>, path: string): Outdated | null {
  if (!program?.oldest) return null
  const version = packageVersion(path, packageIn(program))
  return version === null ? null : olderThan(program, version)
}

export function olderThan(program: NonNullable<Agent['program']>, version: string): Outdated | null {
  const { oldest, install } = program
  if (!oldest || compare(version, oldest) >= 0) return null
  return { version, oldest, update: packageIn(program) ? `${install}@latest` : install }
}

/** The package that npm installs; empty for another way to install it. */
function packageIn({ install }: NonNullable<Agent['program']>): string {
  return /^npm install -g (\S+)$/.exec(install)?.[1] ?? ''
}

/** Only the manifest of this very package counts: a wrapper can be in a project that has a version of its own. */
function packageVersion(path: string, name: string): string | null {
  try {
    let directory = dirname(realpathSync(path))
    for (let up = 0; up < mostUp; up += 1) {
      const version = versionIn(join(directory, 'package.json'), name)
      if (version !== null) return version
      directory = dirname(directory)
    }
    return null
  } catch {
    return null // not readable: unknown
  }
}

function versionIn(manifest: string, name: string): string | null {
  try {
    const found = JSON.parse(readFileSync(manifest, 'utf8'))
    return found?.name === name && typeof found.version === 'string' ? found.version : null
  } catch {
    return null // none here
  }
}

/** By the numbers of `1.2.3`; negative if `a` is older. Without a number it is not comparable, so not older. */
function compare(a: string, b: string): number {
  const numbers = (version: string) => /\d+(\.\d+)+/.exec(version)?.[0].split('.').map(Number)
  const [x, y] = [numbers(a), numbers(b)]
  const at = y?.findIndex((part, i) => part !== (x?.[i] ?? 0)) ?? -1
  return !x || !y || at === -1 ? 0 : (x[at] ?? 0) - (y[at] ?? 0)
}
