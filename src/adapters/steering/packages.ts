/**
 * Packages that are installed in the tree and ignored (node_modules, .venv): which of those that were there have files
 * that were changed since a moment. By the time of the last change of status, which nobody but root can set, so nothing
 * has to be read or kept when a loop begins. Bounded; what runners and compilers write there by themselves is left out.
 */
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const mostEntries = 200_000
const written =
  /^(?:\.cache|\.vite|\.vite-temp|\.vitest|\.nyc_output|__pycache__|\.pytest_cache|\.package-lock\.json|\.modules\.yaml|\.yarn-state\.yml|\.bin)$|\.py[co]$/

type Walk = { tree: string; sinceMs: number; packageOf(path: string): string }

/** The packages below this directory of the tree that have such a file. */
export function packagesTouched(directory: string, { tree, sinceMs, packageOf }: Walk): string[] {
  const found = new Set<string>()
  const open = [directory]
  let seen = 0
  for (let next = open.pop(); next !== undefined && seen < mostEntries; next = open.pop()) {
    for (const entry of entriesOf(join(tree, next))) {
      seen += 1
      const path = join(next, entry.name)
      if (written.test(entry.name) || found.has(packageOf(path))) continue
      if (entry.isDirectory()) open.push(path)
      else if (changedAt(join(tree, path)) > sinceMs) found.add(packageOf(path))
    }
  }
  return [...found].sort()
}

/** The names of the packages right below; of a scope each of its packages. */
export function packageNames(directory: string): string[] {
  return entriesOf(directory).flatMap(({ name }) =>
    name.startsWith('@') ? entriesOf(join(directory, name)).map(one => `${name}/${one.name}`) : name,
  )
}

function changedAt(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return [] // not there, or closed: then the promise cannot use it either
  }
}
