/** Processes, as /proc shows them, and the files that a new one inherits. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { ChildFile, Proc, Processes } from '../contract.ts'

export const processes: Processes = {
  here: () => ({
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    ns: readlinkSync('/proc/self/ns/pid'),
  }),
  find,
  all: () =>
    readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(name => find(Number(name)))
      .filter(proc => proc !== null && !proc.dead) as Proc[],
  variable(pid, name) {
    const environ = readOrNull(`/proc/${pid}/environ`)?.split('\0') ?? []
    return environ.find(entry => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? null
  },
  argv: pid => readOrNull(`/proc/${pid}/cmdline`)?.split('\0').slice(0, -1) ?? [],
  cwd(pid) {
    try {
      return readlinkSync(`/proc/${pid}/cwd`)
    } catch (error) {
      return gone(error)
    }
  },
  withoutInherited,
  uptimeMs: () => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1_000,
}

/** From `/proc/<pid>/stat`: `pid (command) state ppid …`, where the command may hold spaces and brackets itself. */
function find(pid: number): Proc | null {
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

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return gone(error)
  }
}

/** A process may end, or turn out to be another user's, at any moment: both mean that there is nothing to see. */
function gone(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException
  if (code && ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL'].includes(code)) return null
  throw error
}

/** Node's module for child processes, loaded by whoever starts one: loading it takes longer than most commands work. */
export function childProcesses(): typeof import('node:child_process') {
  return process.getBuiltinModule('node:child_process')
}

/**
 * What a child gets as its files. Whoever started this program may have had others open, which its children would have
 * too: a directory among them leads out of every sandbox, and a pipe that a program of the background keeps open makes
 * its reader wait. Node keeps the first sixteen from its children, and all that it opens itself; the others are replaced
 * in the child. They stay open here: an argument may name one (`<(…)` of a shell).
 */
export function withoutInherited(stdio: readonly ChildFile[], nothing: number): ChildFile[] {
  const inherited = new Set(openFiles().filter(file => file >= stdio.length && isInherited(file)))
  const places = Math.max(stdio.length, ...Array.from(inherited, file => file + 1))
  return Array.from(
    { length: places },
    (_, file) => stdio[file] ?? (inherited.has(file) ? nothing : 'ignore'),
  )
}

function openFiles(): number[] {
  return readdirSync('/proc/self/fdinfo').map(Number)
}

const closedInChildren = 0o2000000

/** False for one that was closed meanwhile. */
function isInherited(file: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, 'utf8')) ?? []
    return (Number.parseInt(flags, 8) & closedInChildren) === 0
  } catch {
    return false
  }
}
