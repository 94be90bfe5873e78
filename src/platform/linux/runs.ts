/**
 * Starts the shim of a run, in a PID namespace wherever the system permits one: nothing a process does takes it out
 * of its namespace, so that with the first process of the namespace all others are gone. What is permitted cannot be
 * known without trying.
 */
import type { ChildProcess } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import type { MountRights, RunContainment, RunMount, RunSandbox, Runs, ShimStart } from '../contract.ts'
import { childProcesses, withoutInherited } from './processes.ts'
import { entering, ownPlaces, sandboxing, sandboxRights } from './sandbox.ts'

const shim = join(import.meta.dirname, 'shim.sh')

export const runs: Runs = {
  strongest,
  spawnShim,
  mountRights,
  prepareOverlay,
  sandboxRights,
  ownPlaces,
}

function strongest(): RunContainment {
  const works = (mode: RunContainment) => {
    const [program = '', ...args] = [...entering(mode), 'true']
    return childProcesses().spawnSync(program, args, { stdio: 'ignore' }).status === 0
  }
  if (process.getuid?.() === 0 && works('namespace')) return 'namespace'
  return works('user-namespace') ? 'user-namespace' : 'group'
}

function spawnShim(start: ShimStart): ChildProcess {
  const { mode, here, mounts, sandbox, log } = start
  const seconds = (ms: number) => (ms / 1_000).toFixed(3)
  const limits = [seconds(start.timeoutMs), seconds(start.graceMs)]
  const argv = sandbox ? inSandbox({ ...start, sandbox }) : start.argv
  const command = mounts ? mounting(mode, { ...start, argv, mounts }) : argv
  const args = [shim, mode, start.dir, ...limits, here.boot, here.ns, '--', ...command]
  const [program = '', ...rest] = [...entering(mode, mounts !== null), '/bin/sh', ...args]
  // The shim gets this as its file 3: inside a namespace it cannot see its own pid outside.
  const proc = openSync('/proc', 'r')
  const nothing = openSync('/dev/null', 'r')
  try {
    const child = childProcesses().spawn(program, rest, {
      cwd: mounts ? '/' : start.cwd,
      env: start.env,
      detached: true,
      stdio: withoutInherited(
        ['ignore', 'ignore', log, proc, ...(start.passed === null ? [] : ['pipe' as const])],
        nothing,
      ),
    })
    if (start.passed !== null) pass(child, start.passed)
    return child
  } finally {
    for (const file of [proc, nothing]) closeSync(file)
  }
}

function pass(child: ChildProcess, text: string): void {
  const file = child.stdio[4] as Writable
  file.on('error', () => undefined) // the shim has ended: its exit says so
  // Closed as soon as the system has it: the shim keeps its end open, and this program would wait for it.
  file.end(text, () => file.destroy())
}

function inSandbox({ sandbox, dir, cwd, argv }: ShimStart & { sandbox: RunSandbox }): string[] {
  const prompt = join(dir, 'prompt')
  const input = existsSync(prompt) ? prompt : '/dev/null'
  return sandboxing({ ...sandbox, cwd, argv, path: process.env['PATH'] ?? '', input, dir })
}

/**
 * Mounts for a run: a working copy that is seen at the path of its tree. They are made inside the mount namespace of
 * the run, by mount.sh between shim and command, so that no host ever has a mount to clean up.
 */
const script = join(import.meta.dirname, 'mount.sh')

type Mounting = { mounts: readonly RunMount[]; cwd: string; argv: readonly string[] }

/** The command line that makes the mounts and then becomes `argv`, in `cwd`. */
export function mounting(mode: RunContainment, { mounts, cwd, argv }: Mounting): string[] {
  const each = mounts.flatMap(({ at, lower, upper, work }) =>
    lower.length === 0 ? [at, upper, '-'] : [at, dirname(work), lower.map((_, n) => layer(n)).join(':')],
  )
  return ['/bin/sh', script, mode, cwd, ...each, '--', ...argv]
}

const layer = (n: number) => `lower-${n}`

/** Layers are named by links beside `work`: the options of an overlay cannot hold every path. */
function prepareOverlay({ lower, upper, work }: RunMount): void {
  const home = dirname(work)
  mkdirSync(work, { mode: 0o700 })
  if (join(home, 'upper') !== upper) symlinkSync(relativeTo(home, upper), join(home, 'upper'))
  for (const [n, path] of lower.entries()) symlinkSync(path, join(home, layer(n)))
}

function relativeTo(home: string, path: string): string {
  return dirname(path) === home ? basename(path) : path
}

function mountRights(place: string, mode: RunContainment): MountRights {
  if (mode === 'group') return { bind: false, overlay: false }
  const home = mkdtempSync(join(place, '.probe-'))
  try {
    return tryMounts(home, mode)
  } finally {
    // The kernel makes a directory without any permissions in the work directory: it could not be removed.
    childProcesses().spawnSync('chmod', ['-R', 'u+rwx', home], { stdio: 'ignore' })
    rmSync(home, { recursive: true, force: true })
  }
}

function tryMounts(home: string, mode: RunContainment): MountRights {
  const [at, lower, upper, work] = [
    join(home, 'at'),
    join(home, 'low'),
    join(home, 'upper'),
    join(home, 'work'),
  ]
  for (const path of [at, lower, upper]) mkdirSync(path)
  writeFileSync(join(lower, 'below'), '')
  writeFileSync(join(upper, 'above'), '')
  prepareOverlay({ at, lower: [lower], upper, work })
  const works = (mount: RunMount, command: string) => {
    const argv = ['/bin/sh', '-c', command]
    const line = [...entering(mode, true), ...mounting(mode, { mounts: [mount], cwd: at, argv })]
    const [program = '', ...args] = line
    return childProcesses().spawnSync(program, args, { stdio: 'ignore' }).status === 0
  }
  const bind = works({ at, lower: [], upper, work: '' }, 'test -f above')
  // An overlay that can be mounted may still refuse to change what is in its lower layer.
  const writes = 'test -f above && echo x >>below && rm below && mkdir d && mv d e && rmdir e'
  return { bind, overlay: bind && works({ at, lower: [lower], upper, work }, writes) }
}
