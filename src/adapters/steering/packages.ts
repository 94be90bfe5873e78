/**
 * Finds ignored packages in the tree (node_modules, .venv) with files that were changed since a moment. The ctime
 * decides, which only root can set, so nothing has to be read or stored when a loop begins. The walk is bounded; caches
 * of runners and compilers are left out.
 */
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const mostEntries = 200_000
const written =
  /^(?:\.cache|\.vite|\.vite-temp|\.vitest|\.nyc_output|__pycache__|\.pytest_cache|\.package-lock\.json|\.modules\.yaml|\.yarn-state\.yml|\.bin)$|\.py[co]$/

type Walk = { tree: string; sinceMs: number; packageOf(path: string): string }

/** The packages below this directory of the tree that have a changed file. */
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

/** The names of the packages in this directory; for a scope, those of its packages. */
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
    return [] // missing or unreadable: the promise cannot use it either
  }
}
