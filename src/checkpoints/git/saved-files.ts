/**
 * What can be read of saved trees one file at a time: their paths, which files differ between two of them and by how much,
 * the patch of one file, and files as they were saved. Reads objects of the private git directory only, in bounded
 * amounts.
 */
import { ok, type Result } from '../../model/failure.ts'
import { joinPath, readable } from '../format/file.ts'
import { treeMode } from '../format/tree.ts'
import type { Objects } from '../objects/objects.ts'
import { openReader, type Reader } from '../objects/reader.ts'
import { openRepository, type Repository } from '../objects/repository.ts'
import { readTarget, readTree } from './difference.ts'

type SavedChange = {
  path: string
  status: 'new' | 'deleted' | 'changed'
  added: number
  removed: number
  isBinary: boolean
}

type Range = { from: string; to: string }

const comparing = ['diff-tree', '-r', '--no-renames', '--no-textconv', '--no-ext-diff']
const rawRow = /^:\d{6} \d{6} [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/
const countedRow = /^(\d+|-)\t(\d+|-)\t([^]+)$/

/** In the order of git, by path. */
export async function changedFiles(store: string, { from, to }: Range): Promise<Result<SavedChange[]>> {
  const compared = await openRepository({ tree: store, store }).git({
    args: [...comparing, '-z', '--raw', '--numstat', from, to, '--'],
  })
  if (!compared.ok) return compared
  const fields = compared.value.stdout.toString('latin1').split('\0')
  const statuses = new Map<string, SavedChange['status']>()
  const files: SavedChange[] = []
  for (let i = 0; i < fields.length; i += 1) {
    const field = fields[i] ?? ''
    const [, letter] = rawRow.exec(field) ?? []
    if (letter !== undefined) {
      i += 1
      statuses.set(fields[i] ?? '', letter === 'A' ? 'new' : letter === 'D' ? 'deleted' : 'changed')
      continue
    }
    const [, added, removed, name] = countedRow.exec(field) ?? []
    if (name === undefined) continue
    files.push({
      path: readableName(name),
      status: statuses.get(name) ?? 'changed',
      added: Number(added?.replace('-', '0')),
      removed: Number(removed?.replace('-', '0')),
      isBinary: added === '-',
    })
  }
  return ok(files)
}

/** Bytes that are no text are replaced: such a name can be shown, and not asked for. */
function readableName(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}

type Piece = { bytes: Buffer; isCut: boolean }

/** The patch of one file, or of all below a directory; at most so many bytes. */
export function filePatch(
  store: string,
  { from, to, path }: Range & { path: string },
  mostBytes: number,
): Promise<Result<Piece>> {
  return piece(store, [...comparing, '-p', from, to, '--', path], mostBytes)
}

type SavedFile = Piece & { size: number }

/** Null where there is no such file in the tree. */
export async function savedFile(
  store: string,
  { tree, path }: { tree: string; path: string },
  mostBytes: number,
): Promise<Result<SavedFile | null>> {
  const { git } = openRepository({ tree: store, store })
  const listed = await git({ args: ['ls-tree', '-z', '-l', '--full-tree', tree, '--', path] })
  if (!listed.ok) return listed
  const [, id, size] = /^\d{6} blob ([0-9a-f]+) +(\d+)\t/.exec(listed.value.stdout.toString('latin1')) ?? []
  if (id === undefined) return ok(null)
  const read = await piece(store, ['cat-file', 'blob', id], mostBytes)
  return read.ok ? ok({ ...read.value, size: Number(size) }) : read
}

async function piece(store: string, args: string[], mostBytes: number): Promise<Result<Piece>> {
  const pieces: Buffer[] = []
  let bytes = 0
  const enough = new AbortController()
  const done = await openRepository({ tree: store, store }).git({
    args,
    signal: enough.signal,
    onStdout(part) {
      if (bytes <= mostBytes) pieces.push(part)
      bytes += part.length
      if (bytes > mostBytes) enough.abort()
    },
  })
  if (!done.ok && !enough.signal.aborted) return done
  return ok({ bytes: Buffer.concat(pieces).subarray(0, mostBytes), isCut: bytes > mostBytes })
}

/** Reads a saved tree without writing it: the paths of its files, and the texts of some of them. */

export type TreeTexts = {
  paths: string[]
  /** Those of them that are symbolic links. */
  links: string[]
  /** Null: it is not there, is too large, or is no text. */
  text(path: string): Promise<string | null>
  close(): Promise<void>
}

const mostBytes = 256 * 1024

export async function treeTexts(repository: Repository, objects: Objects, id: string): Promise<TreeTexts> {
  const reader = openReader(repository, objects)
  const ids = new Map<string, string>()
  const links: string[] = []
  await list(reader, { path: '', tree: (await readTarget(reader, id)).tree }, { ids, links })
  return {
    paths: [...ids.keys()],
    links,
    async text(path) {
      const blob = ids.get(path)
      if (blob === undefined) return null
      const { content } = await reader.read(blob)
      return content.length > mostBytes || content.includes(0) ? null : content.toString()
    },
    close: () => reader.close(),
  }
}

async function list(
  reader: Reader,
  { path, tree }: { path: string; tree: string },
  into: { ids: Map<string, string>; links: string[] },
): Promise<void> {
  for (const entry of await readTree(reader, tree)) {
    const at = joinPath(path, entry.name)
    if (entry.mode === treeMode) await list(reader, { path: at, tree: entry.id }, into)
    else {
      into.ids.set(readable(at), entry.id)
      if (entry.mode === '120000') into.links.push(readable(at))
    }
  }
}
