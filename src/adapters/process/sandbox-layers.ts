/**
 * The file system that a run in a sandbox sees: everything read-only, except its work tree and the files of its agent;
 * keys, sockets and loop's own data are hidden. Later layers cover earlier ones. Only existing paths are used, with
 * links resolved: a link that an agent has planted must not make another place writable.
 */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { basename, delimiter, dirname, extname, join, resolve } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { SandboxLayer } from '../../platform/contract.ts'
import { platform } from '../../platform/platform.ts'
import { type SecretFile, secretFiles } from './secret-files.ts'

/** The files that an agent keeps for itself. */
export type OwnFiles = {
  /** Settings, sessions and caches; created if missing. */
  directories: string[]
  files?: string[]
  /** Directories that the agent only reads. An empty one is replaced by a private one for each run. */
  settings?: string[]
  /**
   * Files in these directories that name programs: a writable one would let the agent run a program later, outside of
   * the sandbox.
   */
  fixed?: string[]
  /** Key files of other programs that the agent signs in with. */
  reads?: string[]
}

type Sandboxed = {
  /**
   * `tree`: the path that the run sees. `onDisk`: the real path, which differs for a working copy that is mounted at
   * the path of its tree.
   */
  tree: string
  onDisk: string
  env: NodeJS.ProcessEnv
  /** The home directory of the user; that of the run, in `env`, may be another one. */
  home: string
  /** Loop's own data, with its token and its socket. */
  data: string
  /** Additional directories that the user permits. */
  writable: readonly string[]
  own: OwnFiles | null
  /** Parts of loop's data that the run may see. */
  files: readonly SandboxLayer[]
}

export function sandboxLayers(run: Sandboxed): Result<SandboxLayer[]> {
  const home = run.env['HOME'] || run.home
  const homes = real([home, run.home, accountHome() ?? home])
  const { directories = [], files = [], settings = [], fixed = [], reads = [] } = run.own ?? {}
  for (const directory of [...directories, ...settings])
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  const permitted = real(run.writable)
  const all = homes.flatMap(at => secretFiles(run.env, at))
  // What the agent keeps or signs in with is shown to it, and a secret that the user permits by its own name.
  const shown = [...real([...reads, ...directories, ...files]), ...signInsIn(permitted, all, homes)]
  const isHidden = (path: string) => !permitted.includes(path) && !shown.some(one => liesIn(path, one))
  const known = all.map(({ path }) => path)
  const inPlace = real(known)
  const secrets = [...inPlace, ...inPlace.flatMap(path => linkedFrom(path))].filter(isHidden)
  const others = [
    ...socketsOf(run.env),
    ...placeOfSocket(run, home),
    ...settings.filter(directory => readdirSync(directory).length === 0),
    run.data,
  ]
  const apart = [...secrets, ...real(others)]
  const hidden = [...new Set([...apart, ...serversOutside(run, [...apart, ...permitted, ...shown])])]
  const above = hidden.find(path => liesIn(run.tree, path))
  if (above !== undefined)
    return fail('step-failed', { kind: 'tree-in-hidden', tree: run.tree, hidden: above })
  const git = repository(run.onDisk).map(at => seenAt(at, run))
  const writable = [run.tree, ...permitted, ...real([...directories, ...files])]
  const mayBeListed = (at: string) => at !== '/' && !writable.some(one => liesIn(at, one))
  const around = listed(
    withSecrets(homes, secrets).filter(mayBeListed),
    new Set([...known.filter(path => isHidden(real([path])[0] ?? path)), ...secrets]),
  )
  return ok([
    ...layers('read-only', seenAnyway(run.env, home)),
    ...around.open,
    ...layers('writable', writable),
    ...layers('hidden', hidden),
    ...layers('read-only', [
      ...real([...fixed, ...permitted.flatMap(guardedIn)]),
      ...git.filter(path => !permitted.includes(path)),
    ]),
    ...run.files,
    ...around.close,
  ])
}

/** Who permits the directory of an agent means its sign-in too; a whole home directory does not say so. */
function signInsIn(
  permitted: readonly string[],
  all: readonly SecretFile[],
  homes: readonly string[],
): string[] {
  const directories = permitted.filter(one => !homes.some(home => liesIn(home, one)))
  const signIns = real(all.flatMap(({ kind, path }) => (kind === 'agents' ? [path] : [])))
  return signIns.filter(path => directories.some(one => liesIn(path, one)))
}

/** The home directory of the account, where keys are whatever HOME says. Null for a user without an account. */
function accountHome(): string | null {
  try {
    return userInfo().homedir
  } catch {
    return null
  }
}

/**
 * The files that links in a directory of keys, and in those right below it, lead to; none where it cannot be read, by a
 * run neither.
 */
function linkedFrom(path: string, depth = 2): string[] {
  try {
    if (!statSync(path).isDirectory()) return []
    return readdirSync(path, { withFileTypes: true }).flatMap(entry => {
      const at = join(path, entry.name)
      if (entry.isDirectory()) return depth > 1 ? linkedFrom(at, depth - 1) : []
      return entry.isSymbolicLink() ? real([at]).filter(one => statSync(one).isFile()) : []
    })
  } catch {
    return []
  }
}

/** The home directories, and those directories in them that hold a secret file. */
function withSecrets(homes: readonly string[], secrets: readonly string[]): string[] {
  const inHome = secrets.filter(path => homes.some(at => liesIn(path, at)) && isFile(path))
  return [...new Set([...homes, ...inHome.map(path => dirname(path))])]
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false
}

function layers(as: Exclude<SandboxLayer['as'], 'link'>, paths: readonly string[]): SandboxLayer[] {
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

/** Needed paths below a directory that is private to the run: programs, the home directory. */
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

/**
 * Servers of this machine that are reached by a file, wherever it is: one of an engine of containers is a way out. What
 * lies in the tree, or in what the user permits, is meant for the run.
 */
function serversOutside({ tree, onDisk }: Sandboxed, decided: readonly string[]): string[] {
  const places = [tree, onDisk, ...platform.runs.ownPlaces, ...decided]
  return real(platform.files.sockets()).filter(path => !places.some(place => liesIn(path, place)))
}

/**
 * loopd creates its socket again at each start, which would make a hidden socket visible: so its directory is hidden,
 * if nothing needed is in it.
 */
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
 * Git would run hooks and programs named in the configuration for the next person who works in the tree; a file
 * `commondir` can name another configuration. So the whole .git is read-only and cannot be moved away.
 */
function repository(onDisk: string): string[] {
  const git = join(onDisk, '.git')
  const stat = lstatSync(git, { throwIfNoEntry: false })
  return stat?.isDirectory() || stat?.isFile() ? [git] : []
}

/** The files to protect in a repository that the user permits to be written. */
function guardedIn(path: string): string[] {
  if (basename(path) !== '.git') return []
  return ['config', 'config.worktree', 'hooks', 'info'].map(name => join(path, name))
}

/**
 * A directory of which a run sees what was there when the run began, and no secret. A secret file that is only covered
 * by a mount is seen again once its owner replaces it by rename, which git, npm and shells do, and one that is made
 * later was never covered. So such a directory is an empty one, with each other entry put into it.
 */

/** Read-only only after all layers: those in between make their own entries in it. */
type ListedLayers = { open: SandboxLayer[]; close: SandboxLayer[] }

/** `hidden`: paths that are left out, whether they exist or not. */
function listed(directories: readonly string[], hidden: ReadonlySet<string>): ListedLayers {
  const byDepth = directories.filter(isOwnDirectory).toSorted((a, b) => a.length - b.length)
  return {
    open: byDepth.flatMap(at => [{ at, as: 'hidden' }, ...entriesOf(at, hidden)] as const),
    close: byDepth.map(at => ({ at, as: 'closed' })),
  }
}

/** A directory of somebody else is no home: some accounts have one of the system's. */
function isOwnDirectory(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK)
    return statSync(directory).uid === process.getuid?.()
  } catch {
    return false
  }
}

function entriesOf(directory: string, hidden: ReadonlySet<string>): SandboxLayer[] {
  return readdirSync(directory)
    .map(name => join(directory, name))
    .filter(path => !hidden.has(path))
    .flatMap(layerOf)
}

/** None for what is gone or cannot be reached, such as a mount whose server is away: the sandbox would not begin. */
function layerOf(at: string): SandboxLayer[] {
  try {
    if (lstatSync(at).isSymbolicLink()) return [{ at, as: 'link', to: readlinkSync(at) }]
    statSync(at)
    return [{ at, as: 'shown' }]
  } catch {
    return []
  }
}
