/**
 * Finds ignored packages in the tree (node_modules, .venv) with files that were changed since a moment. The ctime
 * decides, which only root can set. Installing packages again changes every ctime but no content, so checksums of their
 * content are kept when the loop begins. The walk is bounded; caches of runners and compilers are left out.
 */
import { createHash } from 'node:crypto'
import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'

const mostEntries = 200_000
const written =
  /^(?:\.cache|\.vite|\.vite-temp|\.vitest|\.nyc_output|__pycache__|\.pytest_cache|\.package-lock\.json|\.modules\.yaml|\.yarn-state\.yml|\.bin)$|\.py[co]$/

type Walk = { tree: string; sinceMs: number; packageOf(path: string): string }

const holders = /(?:^|\/)(?:node_modules|site-packages|vendor|@[^/]+)$/

/** The packages below this directory of the tree that have a changed file, or lost one. */
export function packagesTouched(directory: string, { tree, sinceMs, packageOf }: Walk): string[] {
  const found = new Set<string>()
  // Nothing more is looked at in a package that is found.
  for (const { path } of entriesBelow(directory, tree, one => found.has(packageOf(one))))
    if (!holders.test(path) && changedAt(join(tree, path)) > sinceMs) found.add(packageOf(path))
  return [...found].sort()
}

/** What is below this directory of the tree, by its path in the tree; `isLeftOut`: neither it nor what is below it. */
function* entriesBelow(directory: string, tree: string, isLeftOut: (path: string) => boolean = () => false) {
  const open = [directory]
  let seen = 0
  for (let next = open.pop(); next !== undefined && seen < mostEntries; next = open.pop()) {
    for (const entry of entriesOf(join(tree, next))) {
      seen += 1
      const path = join(next, entry.name)
      if (written.test(entry.name) || isLeftOut(path)) continue
      if (entry.isDirectory()) open.push(path)
      yield { path, isDirectory: entry.isDirectory() }
    }
  }
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

const mostBytes = 1024 * 1024 * 1024
const mostFileBytes = 64 * 1024 * 1024

type Reading = Omit<Walk, 'sinceMs'> & {
  /** Only packages for which it is true. */
  wanted?(path: string): boolean
}

/**
 * The sum of the content of each package below this directory of the tree. What cannot be read, or is too much to read,
 * has a sum that no other look finds again. Asynchronous: it can take seconds, and its host has other loops to drive.
 */
export async function packageSums(
  directory: string,
  { tree, packageOf, wanted = () => true }: Reading,
): Promise<Record<string, string>> {
  const paths = Array.from(entriesBelow(directory, tree)).flatMap(({ path, isDirectory }) =>
    isDirectory || !wanted(packageOf(path)) ? [] : path,
  )
  const files = Map.groupBy(paths, packageOf)
  const budget = { bytes: mostBytes }
  const sums: Record<string, string> = {}
  let turn = performance.now()
  for (const [name, own] of files) {
    const sum = createHash('sha256')
    for (const path of own.sort()) {
      const content = contentOf(join(tree, path), budget)
      sum.update(`${path}\0${content.length}\0`)
      sum.update(content)
      if (performance.now() - turn < turnMs) continue
      await others()
      turn = performance.now()
    }
    sums[name] = sum.digest('hex').slice(0, 32)
  }
  return sums
}

/** Small files are read at once, which is ten times as fast as one by one in the background. */
const turnMs = 20

function contentOf(file: string, budget: { bytes: number }): Buffer | string {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  try {
    if (stat?.isSymbolicLink()) return readlinkSync(file)
    if (stat?.isFile() && stat.size <= Math.min(mostFileBytes, budget.bytes)) {
      budget.bytes -= stat.size
      return readFileSync(file)
    }
  } catch {
    // Gone or closed to us: its times tell.
  }
  return `${stat?.size}:${stat?.ctimeMs}`
}
