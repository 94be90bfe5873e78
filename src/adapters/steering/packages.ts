/**
 * Packages that are installed in the tree and ignored (node_modules, .venv): which of those that were there have files
 * that were changed since a moment. By the time of the last change of status, which nobody but root can set; and since
 * who installs packages again changes every time and no content, by the sums of their content when the loop began.
 * Bounded; what runners and compilers write there by themselves is left out.
 */
import { createHash } from 'node:crypto'
import { type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const mostEntries = 200_000
const written =
  /^(?:\.cache|\.vite|\.vite-temp|\.vitest|\.nyc_output|__pycache__|\.pytest_cache|\.package-lock\.json|\.modules\.yaml|\.yarn-state\.yml|\.bin)$|\.py[co]$/

type Walk = { tree: string; sinceMs: number; packageOf(path: string): string }

const holders = /(?:^|\/)(?:node_modules|site-packages|vendor|@[^/]+)$/

/** The packages below this directory of the tree that have such a file, or from whose directories one was removed. */
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
      if (!holders.test(path) && changedAt(join(tree, path)) > sinceMs) found.add(packageOf(path))
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
  const files = new Map<string, string[]>()
  const open = [directory]
  let seen = 0
  for (let next = open.pop(); next !== undefined && seen < mostEntries; next = open.pop()) {
    for (const entry of entriesOf(join(tree, next))) {
      seen += 1
      const path = join(next, entry.name)
      if (written.test(entry.name)) continue
      const name = packageOf(path)
      if (entry.isDirectory()) open.push(path)
      else if (wanted(name)) files.set(name, [...(files.get(name) ?? []), path])
    }
  }
  const budget = { bytes: mostBytes }
  const sums: Record<string, string> = {}
  for (const [name, paths] of files) sums[name] = await sumOf(paths.sort(), tree, budget)
  return sums
}

async function sumOf(paths: string[], tree: string, budget: { bytes: number }): Promise<string> {
  const sum = createHash('sha256')
  for (const path of paths) {
    sum.update(`${path}\0`)
    sum.update(await contentOf(join(tree, path), budget))
    sum.update('\0')
  }
  return sum.digest('hex').slice(0, 32)
}

async function contentOf(file: string, budget: { bytes: number }): Promise<Buffer | string> {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink()) return readlinkSync(file)
  if (stat?.isFile() && stat.size <= Math.min(mostFileBytes, budget.bytes)) {
    budget.bytes -= stat.size
    try {
      return await readFile(file)
    } catch {
      // Closed to us: its times tell.
    }
  }
  return `${stat?.size}:${stat?.ctimeMs}`
}
