/**
 * Checks what loop needs of the host system: programs, containment and sandboxes of runs, agents; and the commands that it
 * finds for the current project. Each program is started at most once.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { agents } from '../../adapters/agents/agent.ts'
import { olderThan } from '../../adapters/agents/program.ts'
import { containment, maySandbox } from '../../adapters/process/contain.ts'
import { liesIn } from '../../adapters/process/sandbox-layers.ts'
import { secretFiles } from '../../adapters/process/secret-files.ts'
import { safeText } from '../../core/text/plain-text.ts'
import { sandboxCures, sandboxTroubleWords } from '../../failures/machine.ts'
import { type AgentName, agentNames } from '../../model/agent.ts'
import { containments } from '../../model/run.ts'
import { detectProject, listingOf, projectLines } from '../../options/detect/project.ts'
import { exec } from '../../platform/exec.ts'
import { platform } from '../../platform/platform.ts'
import { signIn } from '../../views/words/reasons.ts'
import { systemAt } from '../../wiring/system.ts'
import { directoryHere } from '../find-loop.ts'
import { bad, type Check, good, warn } from './check.ts'

const versionMs = 5_000

/** The name that people use, and its programs. */
const agentPrograms = agentNames.flatMap(name => {
  const { program } = agents[name]
  return program ? [{ name, programs: program.names }] : []
})

export function nodeCheck(): Check[] {
  return [good('node', `${process.version.slice(1)} (${process.execPath})`)]
}

export async function gitCheck(env: NodeJS.ProcessEnv): Promise<Check[]> {
  const git = programOnPath('git', env)
  if (!git) {
    return [
      bad('git', 'not on the PATH', 'Install git; until then only --checkpoint none works.'),
      warn('checkpoints', 'none', 'Without git nothing can be rolled back: install it.'),
    ]
  }
  return [good('git', (await versionOf(git, env)) ?? git), good('checkpoints', 'git, none')]
}

export function toolsCheck(env: NodeJS.ProcessEnv): Check[] {
  const { programs } = platform
  const missing = (names: readonly string[]) =>
    names.filter(name => programOnPath(name, env) === null).join(', ')
  const needed = missing(programs.needed)
  if (needed) {
    return [bad('programs', `not on the PATH: ${needed}`, programs.install.needed)]
  }
  const wanted = missing(programs.wanted)
  if (!wanted) return [good('programs', programs.notable.join(', '))]
  return [warn('programs', `not on the PATH: ${wanted}`, programs.install.wanted)]
}

const contained = {
  namespace: 'a PID namespace of its own for each run',
  'user-namespace': 'a PID namespace of its own for each run, in a user namespace (sudo does not work in it)',
  group: 'process group, session and a mark in the environment',
} as const

export function containmentCheck(env: NodeJS.ProcessEnv): Check[] {
  const asked = env['LOOP_CONTAIN']
  if (asked && !containments.some(mode => mode === asked)) {
    const next = `Set it to one of ${containments.join(', ')}, or unset it.`
    return [warn('containment', `$LOOP_CONTAIN is "${asked}", which is no containment, and is ignored`, next)]
  }
  const mode = containment(env)
  if (asked) return [good('containment', `${mode}, because $LOOP_CONTAIN says so: ${contained[mode]}`)]
  if (mode !== 'group') return [good('containment', `${mode}: ${contained[mode]}`)]
  return [
    warn(
      'containment',
      `${mode}: ${contained[mode]}, because this system permits no PID namespace`,
      'What leaves all three cannot be found again. With --sandbox auto each run has a PID namespace of its own, where the row "sandbox" is well.',
    ),
  ]
}

export async function agentsCheck(env: NodeJS.ProcessEnv): Promise<Check[]> {
  const found = agentPrograms.flatMap(({ name, programs }) => {
    const path = programs.map(program => programOnPath(program, env)).find(place => place !== null)
    return path ? [{ name, path }] : []
  })
  if (found.length === 0) {
    const names = agentPrograms.map(({ name }) => name).join(', ')
    const next = "Install one, or use any program: --agent custom --agent-cmd '<command>'."
    return [warn('agents', `none of ${names} is on the PATH`, next)]
  }
  const checks = await Promise.all(
    found.map(async ({ name, path }) => [await agentCheck(name, path, env), signInCheck(name, env)]),
  )
  return checks.flat()
}

/** An agent that is too slow here is slow in a loop too, or waits for an answer. */
async function agentCheck(name: AgentName, path: string, env: NodeJS.ProcessEnv): Promise<Check> {
  const version = await versionOf(path, env)
  const { program } = agents[name]
  const old = version !== null && program ? olderThan(program, version) : null
  if (old) {
    const found = `${version} (${path}), older than ${old.oldest}, which loop supports`
    return warn(`agent ${name}`, found, `Update it with: ${old.update}`)
  }
  const from = program?.oldest ? `, from ${program.oldest} on supported` : ''
  if (version !== null) return good(`agent ${name}`, `${version} (${path})${from}`)
  const found = `does not answer --version within ${versionMs / 1_000}s (${path})`
  return warn(`agent ${name}`, found, `Try it: ${path} --version`)
}

function signInCheck(name: AgentName, env: NodeJS.ProcessEnv): Check {
  const what = `sign-in ${name}`
  const signedIn = agents[name].signedIn({ cwd: directoryHere() ?? '/', env })
  if (signedIn === 'yes') return good(what, 'there is a sign-in, or a key')
  if (signedIn === 'unknown') return good(what, 'cannot be told from outside')
  return warn(what, 'no sign-in and no key were found', `${signIn(name)}.`)
}

/** The full path of a program; null if no executable one is found. */
export function programOnPath(program: string, env: NodeJS.ProcessEnv): string | null {
  if (program.includes('/')) return isProgram(program) ? program : null
  const paths = (env['PATH'] ?? '').split(delimiter).map(place => join(place, program))
  return paths.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // not ours to execute, or in a directory that we may not enter: the shell passes over it too
  }
}

/** Null if it does not answer in time. */
async function versionOf(path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const asked = await exec({
    argv: [path, '--version'],
    cwd: '/',
    env,
    signal: AbortSignal.timeout(versionMs),
    maxBytes: 65_536,
  })
  if (asked.cut === 'stopped') return null
  const said = safeText(`${asked.stdout}\n${asked.stderr}`).trim().split('\n')[0] ?? ''
  return /\d+\.\d+[\w.+-]*/.exec(said)?.[0] ?? (said.slice(0, 60) || 'of an unknown version')
}

export function sandboxCheck(env: NodeJS.ProcessEnv): Check[] {
  const rights = maySandbox(env, { network: false })
  if (rights.works) {
    const found = `files, with bubblewrap (--sandbox auto); ${network(env)}`
    return [good('sandbox', found), good('hidden files', hidden(env))]
  }
  const found = `none: ${sandboxTroubleWords(rights.why, rights.said)}`
  return [warn('sandbox', found, sandboxCures[rights.why])]
}

/** Tried too, since a system can refuse this alone. */
function network(env: NodeJS.ProcessEnv): string {
  const rights = maySandbox(env, { network: true })
  if (rights.works) return 'the network too (--sandbox-network)'
  return `the network cannot be restricted: ${sandboxTroubleWords(rights.why, rights.said)}`
}

/** What of this home directory a sandbox hides, by kind: the names, not what is in them. */
function hidden(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] || homedir()
  const secrets = secretFiles(env, home).filter(({ path }) => existsSync(path))
  const isApart = (path: string) =>
    path.startsWith(`${home}/`) && !secrets.some(one => liesIn(path, one.path))
  const sockets = platform.files.sockets().filter(isApart)
  const found = [...secrets, ...sockets.map(path => ({ kind: 'sockets', path }))]
  if (found.length === 0)
    return 'a sandbox hides keys and passwords; none of the files that loop knows is here'
  const short = (path: string) => (path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path)
  const kinds = Map.groupBy(found, ({ kind }) => kind)
  return [...kinds]
    .map(([kind, files]) => `${kind}: ${files.map(({ path }) => short(path)).join(', ')}`)
    .join('; ')
}

/** Finding nothing is not a problem: then there is no row. */
export function projectCheck(tree: string, env: NodeJS.ProcessEnv): Check[] {
  const found = detectProject(listingOf(tree, systemAt({ cwd: tree, env })))
  return [
    ...projectLines(found),
    ...found.passedOver.map(sentence => `not used: ${sentence.replace(/\.$/, '')}`),
  ].map(line => good('project', line))
}
