/**
 * Mounts for a run: a working copy that is seen at the path of its tree. They are made inside the mount namespace of
 * the run, by mount.sh between shim and command, so that no host ever has a mount to clean up.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { childProcesses } from '../child-processes.ts'
import type { MountRights, RunContainment, RunMount } from '../contract.ts'
import { entering } from './namespaces.ts'

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
export function prepareOverlay({ lower, upper, work }: RunMount): void {
  const home = dirname(work)
  mkdirSync(work, { mode: 0o700 })
  if (join(home, 'upper') !== upper) symlinkSync(relativeTo(home, upper), join(home, 'upper'))
  for (const [n, path] of lower.entries()) symlinkSync(path, join(home, layer(n)))
}

function relativeTo(home: string, path: string): string {
  return dirname(path) === home ? basename(path) : path
}

export function mountRights(place: string, mode: RunContainment): MountRights {
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
