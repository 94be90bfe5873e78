/**
 * What git does not say about a tree: files it can not save (FIFO, socket, device, unreadable directory),
 * and directories that are repositories of their own, which it would save as a mere commit id.
 * Reads directories only, beside a running `git add`; ignored directories are not entered. What is ignored
 * is asked of git once and remembered until a .gitignore changes.
 * Paths are relative, one character per byte (latin1), since a name need not be UTF-8.
 */
import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { ok, type Result } from '../../model/failure.ts'
import { codeOf, type GitStore, isMissing } from './git-store.ts'

export type Survey = { special: string[]; unreadable: string[]; nested: string[] }

export type Surveyor = (signal: AbortSignal | undefined) => Promise<Result<Survey>>

type Memory = { ignored: Map<string, boolean>; rules: string | null }

type Found = Survey & { rules: string[] }

const directoriesPerBreath = 200

export function surveyor(store: GitStore): Surveyor {
  const memory: Memory = { ignored: new Map(), rules: null }
  return async signal => {
    const first = await walk(store, memory, signal)
    if (!first.ok) return first
    const rules = first.value.rules.join('\n')
    if (rules === memory.rules) return first
    const stale = memory.rules !== null
    memory.rules = rules
    if (!stale) return first
    memory.ignored.clear()
    return walk(store, memory, signal)
  }
}

async function walk(
  store: GitStore,
  memory: Memory,
  signal: AbortSignal | undefined,
): Promise<Result<Found>> {
  const found: Found = { special: [], unreadable: [], nested: [], rules: [] }
  let level = ['']
  for (let seen = 0; level.length > 0; ) {
    const entries: string[] = []
    for (const directory of level) {
      entries.push(...readDirectory(store.tree, directory, found))
      seen += 1
      if (seen % directoriesPerBreath === 0) await breathe()
    }
    const asked = await ask(store, { paths: entries, memory, signal })
    if (!asked.ok) return asked
    const kept = entries.filter(entry => !memory.ignored.get(entry))
    found.special.push(...kept.filter(entry => !entry.endsWith('/')))
    level = kept.filter(entry => entry.endsWith('/')).map(entry => entry.slice(0, -1))
  }
  return ok(found)
}

/** Subdirectories (with a slash at the end) and special files; notes repositories, rules and what can not be read on the way. */
function readDirectory(tree: string, directory: string, found: Found): string[] {
  const entries: string[] = []
  for (const entry of list(tree, directory, found)) {
    const name = entry.name.toString('latin1')
    const path = joinPath(directory, name)
    if (name === '.git') {
      if (directory !== '') found.nested.push(directory)
    } else if (entry.isDirectory()) entries.push(`${path}/`)
    else if (name === '.gitignore') found.rules.push(path + stamp(tree, path))
    else if (!entry.isFile() && !entry.isSymbolicLink()) entries.push(path)
  }
  return entries
}

function list(tree: string, directory: string, found: Found): Dirent<Buffer>[] {
  try {
    return readdirSync(absolute(tree, directory), { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    if (!isMissing(error)) found.unreadable.push(directory === '' ? '.' : directory)
    return []
  }
}

function stamp(tree: string, path: string): string {
  try {
    const stat = lstatSync(absolute(tree, path), { bigint: true })
    return `\0${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
  } catch (error) {
    return `\0${codeOf(error)}`
  }
}

async function ask(
  store: GitStore,
  question: { paths: string[]; memory: Memory; signal: AbortSignal | undefined },
): Promise<Result<null>> {
  const { memory, signal } = question
  const fresh = question.paths.filter(path => !memory.ignored.has(path))
  if (fresh.length === 0) return ok(null)
  const ignored = await ignoredOf(store, { paths: fresh, signal })
  if (!ignored.ok) return ignored
  for (const path of fresh) memory.ignored.set(path, ignored.value.has(path))
  return ok(null)
}

/** Those of the paths that the rules of the work tree (or of another one) ignore. */
export async function ignoredOf(
  store: GitStore,
  question: { paths: string[]; signal?: AbortSignal | undefined; workTree?: string },
): Promise<Result<Set<string>>> {
  // The one command without literal pathspecs: "./" keeps a leading colon from being magic.
  const env: Record<string, string> = { GIT_LITERAL_PATHSPECS: '0' }
  if (question.workTree) env['GIT_WORK_TREE'] = question.workTree
  const answer = await store.git({
    args: ['check-ignore', '--no-index', '-z', '--stdin'],
    input: toList(question.paths.map(path => `./${path}`)),
    signal: question.signal,
    codes: [0, 1],
    env,
  })
  return answer.ok ? ok(new Set(fromList(answer.value.stdout).map(path => path.slice(2)))) : answer
}

export function absolute(tree: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(path, 'latin1')])
}

export function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

/** As git takes and gives lists with -z. */
export function toList(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map(path => `${path}\0`).join(''), 'latin1')
}

export function fromList(output: Buffer): string[] {
  return output.toString('latin1').split('\0').slice(0, -1)
}

export function readable(path: string): string {
  return Buffer.from(path, 'latin1').toString()
}
