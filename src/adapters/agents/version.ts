/**
 * The version of an installed agent program, read from its files without starting it: a start takes up to seconds. A
 * program that is installed in another way than by npm has an unknown version. `loop doctor` asks the program itself.
 */
import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent } from './agent.ts'

/** How far above its program the manifest of a package is. */
const mostUp = 4

/** `oldest`: the oldest version whose output loop is known to read. */
type Outdated = { version: string; oldest: string; update: string }

/** Null if the program is recent enough, or of an unknown version. */
export function outdated({ program }: Pick<Agent, 'program'>, path: string): Outdated | null {
  if (!program?.oldest) return null
  const version = packageVersion(path, packageIn(program))
  return version === null ? null : olderThan(program, version)
}

export function olderThan(program: NonNullable<Agent['program']>, version: string): Outdated | null {
  const { oldest, install } = program
  if (!oldest || compare(version, oldest) >= 0) return null
  return { version, oldest, update: packageIn(program) ? `${install}@latest` : install }
}

/** The package that npm installs; empty for another way to install it. */
function packageIn({ install }: NonNullable<Agent['program']>): string {
  return /^npm install -g (\S+)$/.exec(install)?.[1] ?? ''
}

/** Only the manifest of this very package counts: a wrapper can be in a project that has a version of its own. */
function packageVersion(path: string, name: string): string | null {
  try {
    let directory = dirname(realpathSync(path))
    for (let up = 0; up < mostUp; up += 1) {
      const version = versionIn(join(directory, 'package.json'), name)
      if (version !== null) return version
      directory = dirname(directory)
    }
    return null
  } catch {
    return null // not readable: unknown
  }
}

function versionIn(manifest: string, name: string): string | null {
  try {
    const found = JSON.parse(readFileSync(manifest, 'utf8'))
    return found?.name === name && typeof found.version === 'string' ? found.version : null
  } catch {
    return null // none here
  }
}

/** By the numbers of `1.2.3`; negative if `a` is older. Without a number it is not comparable, so not older. */
function compare(a: string, b: string): number {
  const numbers = (version: string) => /\d+(\.\d+)+/.exec(version)?.[0].split('.').map(Number)
  const [x, y] = [numbers(a), numbers(b)]
  const at = y?.findIndex((part, i) => part !== (x?.[i] ?? 0)) ?? -1
  return !x || !y || at === -1 ? 0 : (x[at] ?? 0) - (y[at] ?? 0)
}
