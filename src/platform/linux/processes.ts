/** Processes, as /proc shows them. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Proc, Processes } from '../contract.ts'
import { withoutInherited } from './inherited-files.ts'

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
