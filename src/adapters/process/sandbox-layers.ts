/**
 * What a run in a sandbox sees: everything read-only, its work tree and what its agent keeps writable, and nothing of
 * keys, sockets and loop's own data. Later layers lie over earlier ones. Only paths that are there, by their real
 * names: a link that an agent has planted is no way to make another place writable.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, extname, join, resolve } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { SandboxLayer } from '../../platform/contract.ts'
import { platform } from '../../platform/platform.ts'

/** What an agent keeps for itself. */
export type OwnFiles = {
  /** Its settings, sessions and caches; made where they are missing. */
  directories: string[]
  files?: string[]
  /** Directories that it reads; where there is nothing in one yet, each run has one of its own. */
  settings?: string[]
  /** Of these, what makes programs run: it could have them run later, without a sandbox. */
  fixed?: string[]
  /** Keys of others that it signs in with. */
  reads?: string[]
}

type Sandboxed = {
  /** As the run sees it, and where it is: not the same for a working copy that is mounted at the path of its tree. */
  tree: string
  onDisk: string
  env: NodeJS.ProcessEnv
  /** Loop's own data, with its token and its socket. */
  data: string
  /** What the user permits besides. */
  writable: readonly string[]
  own: OwnFiles | null
  /** What it is to see of the data all the same. */
  files: readonly SandboxLayer[]
}

/** Below the home directory. */
const secrets = [
  '.ssh',
  '.aws',
  '.gnupg',
  '.config/gh',
  '.netrc',
  '.docker',
  '.azure',
  '.config/gcloud',
  '.kube',
  '.git-credentials',
  '.config/git/credentials',
  '.password-store',
  '.local/share/keyrings',
  '.Xauthority',
]

export function sandboxLayers(run: Sandboxed): Result<SandboxLayer[]> {
  const home = run.env['HOME'] || homedir()
  const { directories = [], files = [], settings = [], fixed = [], reads = [] } = run.own ?? {}
  for (const directory of [...directories, ...settings])
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  const readable = real(reads)
  const hidden = real([
    ...secrets.map(name => join(home, name)),
    ...socketsOf(run.env),
    ...placeOfSocket(run, home),
    ...settings.filter(directory => readdirSync(directory).length === 0),
    run.data,
  ]).filter(path => !readable.includes(path))
  const above = hidden.find(path => liesIn(run.tree, path))
  if (above !== undefined)
    return fail('step-failed', { kind: 'tree-in-hidden', tree: run.tree, hidden: above })
  const permitted = real(run.writable)
  const git = repository(run.onDisk).map(at => seenAt(at, run))
  return ok([
    ...layers('read-only', seenAnyway(run.env, home)),
    ...layers('writable', [run.tree, ...permitted, ...real([...directories, ...files])]),
    ...layers('hidden', hidden),
    ...layers('read-only', [
      ...real([...fixed, ...permitted.flatMap(guardedIn)]),
      ...git.filter(path => !permitted.includes(path)),
    ]),
    ...run.files,
  ])
}

function layers(as: SandboxLayer['as'], paths: readonly string[]): SandboxLayer[] {
  return paths.map(at => ({ at, as }))
}

function real(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap(path => (existsSync(path) ? [realpathSync(path)] : [])))]
}

export function liesIn(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`)
}

/** Agents are started by programs of loop itself. */
const ownProgram = resolve(import.meta.dirname, extname(import.meta.filename) === '.ts' ? '../../..' : '..')

/** What is below a directory that the run has for itself, and is needed: programs, the home directory. */
function seenAnyway(env: NodeJS.ProcessEnv, home: string): string[] {
  const programs = (env['PATH'] ?? '').split(delimiter).filter(place => place.startsWith('/'))
  const own = [ownProgram, dirname(process.execPath)]
  const { ownPlaces } = platform.runs
  const needed = real([home, ...programs, ...own]).filter(path =>
    ownPlaces.some(place => path !== place && liesIn(path, place)),
  )
  return needed.toSorted((a, b) => a.length - b.length)
}

/** Sockets that the environment names: who can talk to these needs no file. */
function socketsOf(env: NodeJS.ProcessEnv): string[] {
  const named = ['SSH_AUTH_SOCK', 'DOCKER_HOST', 'CONTAINER_HOST', 'DBUS_SESSION_BUS_ADDRESS', 'LOOPD_SOCKET']
  return named.flatMap(name => /(?:^|path=|unix:\/\/)(\/[^,;]+)/.exec(env[name] ?? '')?.[1] ?? [])
}

/** A socket of loopd is made anew at each start, which uncovers it: its directory is hidden, where it may be. */
function placeOfSocket({ env, tree, own }: Sandboxed, home: string): string[] {
  const socket = env['LOOPD_SOCKET']
  if (!socket?.startsWith('/')) return []
  const place = dirname(socket)
  const needed = [home, tree, ...(own?.directories ?? []), ...platform.runs.ownPlaces]
  return needed.some(path => liesIn(path, place)) ? [] : [place]
}

function seenAt(path: string, { tree, onDisk }: Sandboxed): string {
  return liesIn(path, onDisk) ? `${tree}${path.slice(onDisk.length)}` : path
}

/**
 * What git would run for whoever works in the tree next: hooks, and what its configuration names, which is also found
 * by a file `commondir`. So all of it is read-only, and cannot be moved away.
 */
function repository(onDisk: string): string[] {
  const git = join(onDisk, '.git')
  const stat = lstatSync(git, { throwIfNoEntry: false })
  return stat?.isDirectory() || stat?.isFile() ? [git] : []
}

/** Of a repository that the user permits to be written. */
function guardedIn(path: string): string[] {
  if (basename(path) !== '.git') return []
  return ['config', 'config.worktree', 'hooks', 'info'].map(name => join(path, name))
}
