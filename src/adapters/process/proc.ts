/**
 * Looking at processes through /proc. A process is (pid, start time) within one boot and PID namespace;
 * a pid alone is never believed, since pids are used again.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { ProcessIdentity } from '../../model/run.ts'

export type Proc = ProcessIdentity & {
  ppid: number
  group: number
  session: number
  /** The group that has the terminal of its session; -1 without one. */
  foreground: number
  dead: boolean
  /** By SIGSTOP or a debugger: it is there and does nothing. */
  stopped: boolean
  command: string
}

/** The boot of the machine and the PID namespace this program can see. */
export type Here = { boot: string; ns: string }

export function here(): Here {
  return {
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    ns: readlinkSync('/proc/self/ns/pid'),
  }
}

export function procOf(pid: number): Proc | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  if (stat === null) return null
  const open = stat.indexOf('(')
  const close = stat.lastIndexOf(')')
  const fields = stat.slice(close + 2).split(' ')
  return {
    pid,
    command: stat.slice(open + 1, close),
    dead: fields[0] === 'Z' || fields[0] === 'X',
    stopped: fields[0] === 'T' || fields[0] === 't',
    ppid: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    foreground: Number(fields[5]),
    start: Number(fields[19]),
  }
}

export function isAlive(identity: ProcessIdentity): boolean {
  const proc = procOf(identity.pid)
  return proc !== null && proc.start === identity.start && !proc.dead
}

export function allProcs(): Proc[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => procOf(Number(name)))
    .filter(proc => proc !== null && !proc.dead) as Proc[]
}

/** The value of a variable in the environment the process was started with; unreadable counts as unset. */
export function variableOf(pid: number, name: string): string | null {
  const environ = readOrNull(`/proc/${pid}/environ`)?.split('\0') ?? []
  return environ.find(entry => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
}

/** Whether this program was started, by however many others, by one with such an argument. */
export function hasAncestorWith(argument: (text: string) => boolean): boolean {
  for (let pid = process.ppid; pid > 1; pid = procOf(pid)?.ppid ?? 0) {
    const given = readOrNull(`/proc/${pid}/cmdline`)?.split('\0') ?? []
    if (given.some(argument)) return true
  }
  return false
}

export function cwdOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch (error) {
    return gone(error)
  }
}

export function argvOf(pid: number): string[] {
  return readOrNull(`/proc/${pid}/cmdline`)?.split('\0').slice(0, -1) ?? []
}

/** True when the signal was sent to exactly this process. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false
  try {
    return process.kill(identity.pid, signal)
  } catch (error) {
    return gone(error) !== null
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return gone(error)
  }
}

/** A process may end, or turn out to be another user's, at any moment: both mean "nothing to see". */
function gone(error: unknown): null {
  const code = (error as NodeJS.ErrnoException).code
  if (code && ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL'].includes(code)) return null
  throw error
}
