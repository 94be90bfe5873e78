/**
 * The one contract for what loop needs of the operating system beyond POSIX and Node. Linux is the only implementation
 * (platform/linux); another system would be a second one, chosen in platform/platform. No function here throws because
 * of another process: a process that has ended, or a file that is gone, is an ordinary answer. Types that journals
 * record are repeated here, because platform imports nothing.
 */
import type { ChildProcess } from 'node:child_process'

export type Platform = {
  processes: Processes
  runs: Runs
  locks: Locks
  files: FileSystems
  desktop: Desktop
  services: Services
  programs: Programs
}

/** A process is its pid and its start time, within one boot and one PID namespace: pids are used again. */
export type ProcessId = { pid: number; start: number }

export type Proc = ProcessId & {
  ppid: number
  group: number
  session: number
  /** The process group that has the terminal of its session; -1 without a terminal. */
  foreground: number
  dead: boolean
  /** Stopped by SIGSTOP or a debugger: it is there and does nothing. */
  stopped: boolean
  command: string
}

/** The boot of this machine, and the set of processes this program can see: a PID namespace where there are any. */
export type Here = { boot: string; ns: string }

/** As Node takes it: no file, a pipe to this program, or an open file of this program. */
export type ChildFile = 'ignore' | 'pipe' | number

export type Processes = {
  here(): Here
  /** Null for a process that is not there. One that has ended and was not waited for is there, and `dead`. */
  find(pid: number): Proc | null
  /** Every process that can be seen and is not dead. */
  all(): Proc[]
  /** A variable of the environment the process was started with; null where it is unset or cannot be read. */
  variable(pid: number, name: string): string | null
  /** Empty where it cannot be read. */
  argv(pid: number): string[]
  /** Null where it cannot be read. */
  cwd(pid: number): string | null
  /**
   * The files of a child to be started: those that whoever started this program had open, and that the child would have
   * too, are replaced by `nothing`, an open file.
   */
  withoutInherited(stdio: readonly ChildFile[], nothing: number): ChildFile[]
  /** Since boot, suspended time included: a clock that nobody can set. */
  uptimeMs(): number
}

/**
 * How the processes of a run are kept together. `namespace`, `user-namespace`: in a PID namespace, which the kernel
 * ends with its first process. `group`: only by process group, session and a mark in the environment.
 */
export type RunContainment = 'namespace' | 'user-namespace' | 'group'

/** `lower` empty: `upper` is bound to `at`. Else an overlay: `work` is its work directory. */
export type RunMount = { at: string; lower: string[]; upper: string; work: string }

/** What can be mounted for a run. `bind`: a directory at another path; `overlay`: layers, the upper one on this disk. */
export type MountRights = { bind: boolean; overlay: boolean }

/**
 * One path in the sandbox of a run; later layers cover earlier ones. `writable`, `read-only`: the content from outside;
 * `shown`: the same as `read-only`, if it is still there; `hidden`: an empty directory, in which the run may create files
 * until it is `closed`, or an empty file. Without layers the whole file system is read-only, and temporary and runtime
 * directories are private to the run.
 */
export type SandboxLayer =
  | { at: string; as: 'writable' | 'read-only' | 'shown' | 'hidden' | 'closed' }
  | { at: string; as: 'link'; to: string }

/**
 * The way out of a sandbox whose network has nothing in it. `outside` is around the sandbox: it starts the command
 * line that follows its own, with a channel to itself as file 3, and ends with it. `inside` runs before the command and
 * is the only one to have that channel. `env`: variables of the command; undefined ones are removed.
 */
export type SandboxNetwork = {
  outside: readonly string[]
  inside: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

/** `network` null: it is that of the machine. */
export type RunSandbox = { layers: readonly SandboxLayer[]; network: SandboxNetwork | null }

/** `apparmor`: the system restricts it, and has a cure of its own. `said`: by the program that was tried. */
export type SandboxRights =
  | { works: true }
  | { works: false; why: 'no-program' | 'apparmor' | 'refused'; said: string }

export type ShimStart = {
  mode: RunContainment
  here: Here
  /** The directory of the run: its files are the protocol between shim and host. */
  dir: string
  argv: readonly string[]
  /** What the command can read from its file 4: arguments can be seen by every process. Null: it has no such file. */
  passed: string | null
  /** As the command sees it, once the mounts are made. */
  cwd: string
  mounts: readonly RunMount[] | null
  /** Between shim and command, after the mounts; null: the command sees and may do what the user may. */
  sandbox: RunSandbox | null
  env: NodeJS.ProcessEnv
  timeoutMs: number
  /** Between TERM and KILL. */
  graceMs: number
  /** An open file, for what the shim itself has to say. */
  log: number
}

export type Runs = {
  /** The strongest containment that this system permits. Starts programs to find out: ask once. */
  strongest(): RunContainment
  /**
   * Starts the shim of a run: it claims the run, starts the command, enforces its timeout and writes how it ended
   * (platform/linux/README.md lists the files). In a session of its own; it outlives this program.
   */
  spawnShim(start: ShimStart): ChildProcess
  /** Tried below `place`, where upper layers are to be. Starts programs, leaves nothing behind. */
  mountRights(place: string, mode: RunContainment): MountRights
  /** Makes the directory `work` of an overlay, and what else the shim needs beside it. */
  prepareOverlay(mount: RunMount): void
  /** Can a run be put into a sandbox here, with a network of its own or without? Tried, with the programs of this PATH. */
  sandboxRights(mode: RunContainment, asked: { path: string; network: boolean }): SandboxRights
  /**
   * Directories that are private to a sandboxed run: their content from outside is invisible, unless a layer shows it.
   */
  ownPlaces: readonly string[]
}

export type Locks = {
  /** Does any process hold a lock on this file? Seen across PID namespaces. */
  isHeld(file: string): boolean
}

/** What is mounted below a directory: path relative to it, one character per byte (latin1). */
export type MountedPath = { path: string; isReadOnly: boolean }

export type FileSystems = {
  /** For this user. Throws what the system says where there is no such path. */
  freeBytes(path: string): number
  /** May two files share blocks until one is written? A file system of the kind may still refuse. */
  sharesBlocks(path: string): boolean
  /** Do the times of a directory change with every name that comes or goes? */
  keepsDirectoryTimes(path: string): boolean
  /** Can the directory be snapshot as a whole by btrfs? */
  isSubvolume(path: string): boolean
  /** An entry by which an overlay says that a file of its lower layer is deleted. */
  isWhiteout(stat: { mode: number; rdev: number }): boolean
  mountedBelow(directory: string): MountedPath[]
  /**
   * The inodes of all files that some process has mapped so that it can write them without a system call. Those of
   * other users' processes cannot be seen. Null where the system does not tell.
   */
  mappedForWriting(): Promise<ReadonlySet<number> | null>
  /** The files by which a process can be talked to: sockets with a path, of every process of this machine's network. */
  sockets(): string[]
  /** A path to what has this name in an open directory, whatever is put in the place of that directory meanwhile. */
  within(directory: number, name: string): string
  /** The command that copies with permissions, times, links and owners. */
  copyCommand(copy: CopyCommand): [string, ...string[]]
  /** The command that waits until everything written to the file system of this path is on the disk. */
  syncCommand(path: string): [string, ...string[]]
}

/** May a copy share blocks with the original until one of them is written? `always` fails where that is impossible. */
export type BlockSharing = 'always' | 'auto' | 'never'

/**
 * `to`: an existing directory that each of `from` is put into, or the new name of the only one.
 * `how`: `link` makes hard links of files, and directories of its own.
 */
export type CopyCommand = {
  from: readonly string[]
  to: { into: string } | { as: string }
  how: { reflink: BlockSharing } | 'link'
}

export type Desktop = {
  /** The program that opens an address in the user's browser; null where there is no display. */
  openCommand(url: string, env: NodeJS.ProcessEnv): [string, ...string[]] | null
}

/** A program that runs from login on, and is started again when it dies. */
export type UserService = {
  name: string
  description: string
  program: readonly string[]
  env: Readonly<Record<string, string>>
}

export type Services = {
  /** Who runs services on this system, for people. */
  manager: string
  /** The file that describes a service. `config`: the directory of the user's configuration files. */
  file(config: string, name: string): string
  /** Its content. A stopped service leaves the processes that it has started alone. */
  text(service: UserService): string
  /** Starts the service now and at every login; its file is written. False where the manager cannot be asked. */
  enable(name: string): boolean
  /** Stops it; to be called before its file is removed by `remove`. */
  disable(name: string, remove: () => void): void
  /** The command by which a person enables it. */
  byHand(name: string): string
}

/** Programs that must be on the PATH, beside a POSIX shell. */
export type Programs = {
  /** Without these nothing can be started. */
  needed: readonly string[]
  /** Without these a run is contained less well. */
  wanted: readonly string[]
  /** Those that the doctor names where all is well. */
  notable: readonly string[]
  /** Where they come from, and what they are for: sentences for the user. */
  install: { needed: string; wanted: string }
}
