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
import type { RunContainment, RunSandbox, SandboxLayer, SandboxNetwork, SandboxRights } from '../contract.ts'
import { childProcesses } from './processes.ts'

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

/**
 * The filter of system calls of a sandbox, as the bytes that bubblewrap hands to the kernel (classic BPF). A namespace
 * of the network holds IP, but not every address family: vsock reaches the host of a virtual machine from any of them.
 * So a socket is of a family that namespaces and permissions hold, or there is none. Keyrings of the kernel belong to
 * the user in no namespace: a run would read the keys of other programs. Everything else is permitted: this closes ways
 * past the sandbox, it is no list of what a program may do.
 */

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. */
const families = [1, 2, 10, 16]

/**
 * The numbers of system calls in one ABI, and its AUDIT_ARCH. `socketcall`: takes its arguments from memory, where a
 * filter cannot see the family; `foreign`: the bit of numbers that belong to another ABI. `keys`: the first of three in
 * a row: add_key, request_key, keyctl.
 */
type Abi = {
  arch: number
  socket: number
  socketpair: number
  ptrace: number
  keys: number
  socketcall?: number
  foreign?: number
}

/** The ABIs that a kernel for this processor (as Node names it) may run: its own, and the one for 32 bits. */
const abis: Record<string, readonly Abi[]> = {
  x64: [
    { arch: 0xc000003e, socket: 41, socketpair: 53, ptrace: 101, keys: 248, foreign: 0x40000000 },
    { arch: 0x40000003, socket: 359, socketpair: 360, ptrace: 26, keys: 286, socketcall: 102 },
  ],
  arm64: [
    { arch: 0xc00000b7, socket: 198, socketpair: 199, ptrace: 117, keys: 217 },
    { arch: 0x40000028, socket: 281, socketpair: 288, ptrace: 26, keys: 309, socketcall: 102 },
  ],
}

/** The same number everywhere. Its operations open sockets that no filter sees. */
const ioUringSetup = 425

/** Offsets in struct seccomp_data; of an argument the low half, which is all that the kernel reads of these. */
const at = { number: 0, arch: 4, argument: [16, 24] } as const

const permit = 0x7fff0000
const refuse = (errno: number) => 0x00050000 | errno
const [notPermitted, noSuchCall, noSuchFamily] = [refuse(1), refuse(38), refuse(97)]

/** Process 1 of a sandbox is bubblewrap, and ends everything with it: nobody debugs it. */
const firstProcess = 1

/** `to`: the label to jump to if the condition holds; otherwise the next line is executed. */
type Line =
  | { load: number }
  | { when: 'is' | 'has'; value: number; to: string }
  | { return: number }
  | { label: string }

const codes = { load: 0x20, is: 0x15, has: 0x45, return: 0x06 } as const

/** Null if nothing is known of this processor. */
export function systemCallFilter(processor: string): Buffer | null {
  const known = abis[processor]
  return known ? assembled(filterLines(known)) : null
}

function filterLines(known: readonly Abi[]): Line[] {
  return [
    { load: at.arch },
    ...known.map(({ arch }) => ({ when: 'is', value: arch, to: `abi ${arch}` }) as const),
    { return: noSuchCall },
    ...known.flatMap(inAbi),
    { label: 'socket' },
    { load: at.argument[0] },
    ...families.map(value => ({ when: 'is', value, to: 'permit' }) as const),
    { return: noSuchFamily },
    { label: 'ptrace' },
    { load: at.argument[1] },
    { when: 'is', value: firstProcess, to: 'refuse' },
    { label: 'permit' },
    { return: permit },
    { label: 'refuse' },
    { return: notPermitted },
    { label: 'absent' },
    { return: noSuchCall },
  ]
}

function inAbi({ arch, socket, socketpair, ptrace, keys, socketcall, foreign }: Abi): Line[] {
  return [
    { label: `abi ${arch}` },
    { load: at.number },
    ...(foreign ? [{ when: 'has', value: foreign, to: 'absent' } as const] : []),
    { when: 'is', value: socket, to: 'socket' },
    { when: 'is', value: socketpair, to: 'socket' },
    { when: 'is', value: ptrace, to: 'ptrace' },
    // Programs that are newer than the call have the two above.
    ...(socketcall ? [{ when: 'is', value: socketcall, to: 'absent' } as const] : []),
    ...[keys, keys + 1, keys + 2].map(value => ({ when: 'is', value, to: 'absent' }) as const),
    { when: 'is', value: ioUringSetup, to: 'absent' },
    { return: permit },
  ]
}

/** Each line that is no label is a struct sock_filter: code, two distances forward, a value. */
function assembled(lines: readonly Line[]): Buffer {
  const places = new Map<string, number>()
  const instructions = lines.flatMap((line, index) => {
    if (!('label' in line)) return [line]
    places.set(line.label, index - places.size)
    return []
  })
  return Buffer.concat(
    instructions.map((line, index) => {
      if ('load' in line) return instruction(codes.load, line.load)
      if ('return' in line) return instruction(codes.return, line.return)
      return instruction(codes[line.when], line.value, (places.get(line.to) ?? 0) - index - 1)
    }),
  )
}

/** In the byte order of the processor, which is little endian for all of them. */
function instruction(code: number, value: number, ifTrue = 0): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt32LE(value, 4)
  return bytes
}

/** The command line by which a program becomes the first process of a PID namespace of its own. */

/**
 * To be put before the command. `mounts`: the program may mount in its namespace; a plain user needs the rights of
 * the user namespace for that, which mount.sh gives up before the command.
 */
export function entering(mode: RunContainment, mounts = false): string[] {
  if (mode === 'group') return []
  const rights = mounts ? ['--keep-caps'] : []
  const user = mode === 'user-namespace' ? ['--user', '--map-current-user', ...rights] : []
  return ['unshare', ...user, '--pid', '--fork', '--kill-child', '--propagation', 'slave', '--mount-proc']
}
