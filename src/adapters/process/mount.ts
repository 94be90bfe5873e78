/**
 * Mounts for a run: a working copy that is seen at the path of its tree. They are made inside the mount namespace of
 * the run, so that no host ever has a mount to clean up. Whether they are permitted is tried once for each place.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Mount } from '../../model/loop/spec.ts'
import type { Containment } from '../../model/run.ts'
import { containment, entering } from './contain.ts'

const script = join(import.meta.dirname, 'mount.sh')

/** The command line that makes the mounts and then is `argv`, in `cwd`. */
export function mounting(
  mode: Containment,
  { mounts, cwd, argv }: { mounts: readonly Mount[]; cwd: string; argv: readonly string[] },
): string[] {
  const each = mounts.flatMap(({ at, lower, upper, work }) =>
    lower.length === 0 ? [at, upper, '-'] : [at, dirname(work), lower.map((_, n) => layer(n)).join(':')],
  )
  return ['/bin/sh', script, mode, cwd, ...each, '--', ...argv]
}

const layer = (n: number) => `lower-${n}`

/** Makes what `mounting` needs of an overlay, where its `work` is to be. */
export function prepareOverlay({ lower, upper, work }: Mount): void {
  const home = dirname(work)
  mkdirSync(work, { mode: 0o700 })
  if (join(home, 'upper') !== upper) symlinkSync(relativeTo(home, upper), join(home, 'upper'))
  for (const [n, path] of lower.entries()) symlinkSync(path, join(home, layer(n)))
}

function relativeTo(home: string, path: string): string {
  return dirname(path) === home ? basename(path) : path
}

/** `bind`: a copy can be seen at the path of its tree; `overlay`: it can have layers, with its upper one below `place`. */
type Mounting = { bind: boolean; overlay: boolean }

const known = new Map<string, Mounting>()

export function mayMount(place: string, env: NodeJS.ProcessEnv): Mounting {
  const mode = containment(env)
  if (mode === 'group') return { bind: false, overlay: false }
  const before = known.get(place)
  if (before) return before
  const found = probe(place, mode)
  known.set(place, found)
  return found
}

function probe(place: string, mode: Containment): Mounting {
  const home = mkdtempSync(join(place, '.probe-'))
  try {
    const [at, lower, upper, work] = ['at', 'low', 'upper', 'work'].map(name => join(home, name)) as [
      string,
      string,
      string,
      string,
    ]
    for (const path of [at, lower, upper]) mkdirSync(path)
    writeFileSync(join(lower, 'below'), '')
    writeFileSync(join(upper, 'above'), '')
    prepareOverlay({ at, lower: [lower], upper, work })
    const works = (mount: Mount, command: string) => {
      const argv = ['/bin/sh', '-c', command]
      const line = [...entering(mode, true), ...mounting(mode, { mounts: [mount], cwd: at, argv })]
      const [program = '', ...args] = line
      return spawnSync(program, args, { stdio: 'ignore' }).status === 0
    }
    const bind = works({ at, lower: [], upper, work: '' }, 'test -f above')
    const writes = 'test -f above && echo x >>below && rm below && mkdir d && mv d e && rmdir e'
    return { bind, overlay: bind && works({ at, lower: [lower], upper, work }, writes) }
  } finally {
    // What an overlay leaves in its work directory may not be listed, only removed.
    spawnSync('chmod', ['-R', 'u+rwx', home], { stdio: 'ignore' })
    rmSync(home, { recursive: true, force: true })
  }
}
