/**
 * The sandbox of a run: bubblewrap between shim and command. Everything is read-only but what the layers say, in a
 * mount namespace of the run's own, so that nothing is left to clean up. The shim stays outside: its files are no
 * business of the command.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { childProcesses } from '../child-processes.ts'
import type { RunContainment, RunSandbox, SandboxLayer, SandboxNetwork, SandboxRights } from '../contract.ts'
import { entering } from './namespaces.ts'
import { systemCallFilter } from './system-calls.ts'

/** Names of sockets and devices of others, and places that everybody may write to. */
const privatePlaces = ['/run', '/tmp', '/var/tmp']

/** The capabilities that root needs for files of other owners; none of them leads out of a mount namespace. */
const rightsOfRoot = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER']

/** The kernel asks who owns them, not for a right: core_pattern is run as root, outside of every namespace. */
const settings = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi'].map(name => `/proc/${name}`)

type Inside = RunSandbox & {
  cwd: string
  argv: readonly string[]
  /** The PATH on which bubblewrap is looked for. */
  path: string
  /** The file that becomes the standard input of the command. */
  input: string
  /** A directory outside of the sandbox, for the filter of system calls. */
  dir: string
}

/**
 * The command line that runs `argv` in the sandbox. bubblewrap would die of INT and TERM, and kill everything inside
 * before an agent could report its cost: so bubblewrap ignores both signals, and the command does not. The standard
 * input is opened inside the sandbox: an inherited open file could be opened again for writing.
 */
export function sandboxing({ layers, network, cwd, argv, path, input, dir }: Inside): string[] {
  const root = process.getuid?.() === 0
  // Opened here: the guard of the network would not pass an inherited file on.
  const open = `trap '' INT TERM; exec "$@" </dev/null ${filterFd}<"$0"`
  const shell = ['/bin/sh', '-c', open, filterIn(dir)]
  const apart = [
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    ...(network ? ['--unshare-net'] : []),
    '--die-with-parent',
    '--seccomp',
    filterFd,
  ]
  const rights = root ? ['--cap-drop', 'ALL', ...rightsOfRoot.flatMap(right => ['--cap-add', right])] : []
  const system = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc']
  const fixed = root ? settings.filter(existsSync).flatMap(readOnly) : []
  const own = privatePlaces.filter(isRealDirectory).flatMap(place => ['--tmpfs', place])
  const seen = [
    ...system,
    ...fixed,
    ...own,
    ...resolverBelow('/run').flatMap(readOnly),
    ...layers.flatMap(mounted),
  ]
  const reset = [...env(network), '/bin/sh', '-c', 'exec "$@" <"$0"', input]
  const program = programOn(path) ?? 'bwrap'
  const outside = network?.outside ?? []
  const inside = [...through(network), ...reset, ...argv]
  return [...outside, ...shell, program, ...apart, ...rights, ...seen, '--chdir', cwd, '--', ...inside]
}

const filterFd = '9'

/** Written whole before it has its name: another host may start the same run. */
function filterIn(dir: string): string {
  const filter = systemCallFilter(process.arch)
  if (!filter) throw new Error(`Internal error: a sandbox without a filter for ${process.arch}`)
  const file = join(dir, 'seccomp')
  writeFileSync(`${file}.${process.pid}`, filter, { mode: 0o600 })
  renameSync(`${file}.${process.pid}`, file)
  return file
}

function env(network: SandboxNetwork | null): string[] {
  const changed = Object.entries(network?.env ?? {})
  const removed = changed.flatMap(([name, value]) => (value === undefined ? ['-u', name] : []))
  const set = changed.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return ['env', '--default-signal=INT,TERM', ...removed, ...set]
}

/** The program that opens the way out comes first, alone; the command has nothing of the channel. */
function through(network: SandboxNetwork | null): string[] {
  if (!network) return []
  const opens = network.inside.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  return ['/bin/sh', '-c', `${opens} || exit; exec 3>&-; exec "$@"`, 'network']
}

function readOnly(path: string): string[] {
  return ['--ro-bind', path, path]
}

function mounted(layer: SandboxLayer): string[] {
  const { at, as } = layer
  if (as === 'writable') return ['--bind', at, at]
  if (as === 'read-only') return readOnly(at)
  if (as === 'shown') return ['--ro-bind-try', at, at]
  if (as === 'link') return ['--symlink', layer.to, at]
  if (as === 'closed') return ['--remount-ro', at]
  const stat = statSync(at, { throwIfNoEntry: false })
  if (!stat) return []
  // A file that is hidden is there, and empty.
  return stat.isDirectory() ? ['--tmpfs', at] : ['--ro-bind', '/dev/null', at]
}

/** Without this file no host name resolves: /etc/resolv.conf is often a link to a file below /run. */
function resolverBelow(place: string): string[] {
  try {
    const directory = dirname(realpathSync('/etc/resolv.conf'))
    return directory.startsWith(`${place}/`) ? [directory] : []
  } catch {
    return [] // there is none
  }
}

function isRealDirectory(path: string): boolean {
  try {
    return realpathSync(path) === path && statSync(path).isDirectory()
  } catch {
    return false
  }
}

const probeMs = 10_000
const restriction = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'

/** Stands for the real way out, which needs no right of its own. */
const noWayOut: SandboxNetwork = { outside: [], inside: ['true'], env: {} }

export function sandboxRights(
  mode: RunContainment,
  { path, network }: { path: string; network: boolean },
): SandboxRights {
  if (programOn(path) === null) return { works: false, why: 'no-program', said: '' }
  if (!systemCallFilter(process.arch)) {
    return { works: false, why: 'refused', said: `system calls of ${process.arch} are unknown to loop` }
  }
  const tried = trySandbox(mode, { path, network: network ? noWayOut : null })
  if (tried.status === 0) return { works: true }
  const said = (tried.stderr ?? '').trim().split('\n').at(-1) || `exit ${tried.status ?? 'none'}`
  return { works: false, why: isRestricted() ? 'apparmor' : 'refused', said: said.slice(0, 300) }
}

function trySandbox(mode: RunContainment, { path, network }: Pick<Inside, 'path' | 'network'>) {
  const dir = mkdtempSync(join(process.env['TMPDIR'] || '/tmp', 'loop-sandbox-'))
  try {
    const inside = sandboxing({
      layers: [],
      network,
      cwd: '/',
      argv: ['true'],
      path,
      input: '/dev/null',
      dir,
    })
    const [program = '', ...args] = [...entering(mode), ...inside]
    const options = { encoding: 'utf8', timeout: probeMs, env: { PATH: path } } as const
    return childProcesses().spawnSync(program, args, options)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function isRestricted(): boolean {
  try {
    return readFileSync(restriction, 'utf8').trim() === '1'
  } catch {
    return false // a kernel without it
  }
}

function programOn(path: string): string | null {
  const places = path.split(delimiter).filter(place => place.startsWith('/'))
  return places.map(place => join(place, 'bwrap')).find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/**
 * Directories that are private to a sandboxed run: their content from outside is invisible, unless a layer shows it.
 */
export const ownPlaces: readonly string[] = privatePlaces
