/**
 * What changed between two checkpoints: the files, and the lines added and removed. Lines are counted here, without a
 * process, where only one answer is possible: two versions of a file share a beginning and an end, and no line in
 * between. Everything else is counted by git, so that the numbers are those of `loop diff`. Binary and large files
 * have no lines; only their first bytes are read.
 */

import { ok, type Result } from '../../model/failure.ts'
import type { Changes } from '../../model/loop/event.ts'
import type { FileChange } from '../contract.ts'
import { joinPath, readable } from '../format/file.ts'
import { largeBytes, wholeBytes } from '../format/pack.ts'
import { type TreeEntry, treeMode } from '../format/tree.ts'
import type { Objects } from '../objects/objects.ts'
import type { Start } from '../objects/pack-reader.ts'
import { openReader, type Reader } from '../objects/reader.ts'
import type { Repository } from '../objects/repository.ts'
import { readTarget, readTree } from './difference.ts'

export type Compared = { changes: Changes; changed: string[] }

/** `from` and `to`: checkpoints. */
export type Range = { from: string; to: string; signal?: AbortSignal }

type Pair = { path: string; before: TreeEntry | null; after: TreeEntry | null }

/** Above this git is faster. */
const mostFiles = 100
const looksBinaryWithin = 8_000
const newline = 10

/** Only the names of the files that differ; no content is read. */
export async function namesBetween(
  repository: Repository,
  objects: Objects,
  range: Range,
): Promise<string[]> {
  const reader = openReader(repository, objects)
  try {
    return namesOf(await pairsBetween(reader, range))
  } finally {
    await reader.close()
  }
}

/** Null where git must count. The checkpoints need not be on disk yet. */
export async function countHere(
  repository: Repository,
  objects: Objects,
  range: Range,
): Promise<Compared | null> {
  const reader = openReader(repository, objects)
  try {
    const pairs = await pairsBetween(reader, range)
    return pairs.length > mostFiles ? null : countAll(reader, pairs)
  } finally {
    await reader.close()
  }
}

async function pairsBetween(reader: Reader, range: Range): Promise<Pair[]> {
  const [from, to] = [await readTarget(reader, range.from), await readTarget(reader, range.to)]
  const pairs: Pair[] = []
  await comparePairs({ reader, pairs }, '', [from.tree, to.tree])
  return pairs
}

function namesOf(pairs: readonly Pair[]): string[] {
  return pairs
    .map(({ path }) => path)
    .sort()
    .map(readable)
}

type Comparison = { reader: Reader; pairs: Pair[] }

async function comparePairs(
  comparison: Comparison,
  path: string,
  [from, to]: [string | null, string | null],
): Promise<void> {
  if (from === to) return
  const { reader, pairs } = comparison
  const before = await entriesOf(reader, from)
  const after = await entriesOf(reader, to)
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name) ?? null, after.get(name) ?? null]
    if (old?.id === now?.id && old?.mode === now?.mode) continue
    const at = joinPath(path, name)
    const below = [old, now].map(entry => (entry?.mode === treeMode ? entry.id : null))
    await comparePairs(comparison, at, [below[0] ?? null, below[1] ?? null])
    const [oldFile, nowFile] = [old, now].map(entry => (entry?.mode === treeMode ? null : entry))
    if (oldFile || nowFile) pairs.push({ path: at, before: oldFile ?? null, after: nowFile ?? null })
  }
}

async function entriesOf(reader: Reader, tree: string | null): Promise<Map<string, TreeEntry>> {
  const entries = tree === null ? [] : await readTree(reader, tree)
  return new Map(entries.map(entry => [entry.name, entry]))
}

/** Null where the answer for one of the files depends on git's search. */
function countAll(reader: Reader, pairs: readonly Pair[]): Compared | null {
  const changes: Changes = { added: 0, removed: 0, files: 0 }
  for (const { before, after } of pairs) {
    // A link that became a file, or a file that became a link: git counts these in its own way.
    if (before && after && before.mode.slice(0, 3) !== after.mode.slice(0, 3)) return null
    const counted = count(reader, before, after)
    if (!counted) return null
    changes.files += 1
    changes.added += counted.added
    changes.removed += counted.removed
  }
  return { changes, changed: namesOf(pairs) }
}

type Lines = { added: number; removed: number }

const noLines: Lines = { added: 0, removed: 0 }
const noFile: Start = { size: 0, start: Buffer.alloc(0) }

function count(reader: Reader, before: TreeEntry | null, after: TreeEntry | null): Lines | null {
  if (before?.id === after?.id) return noLines
  const old = before ? reader.readStart(before.id) : noFile
  const now = after ? reader.readStart(after.id) : noFile
  if (!old || !now) return null
  const hasLines = [old, now].every(({ size, start }) => size <= largeBytes && !isBinary(start))
  if (!hasLines) return noLines
  return old.size > wholeBytes || now.size > wholeBytes ? null : countLines(old.start, now.start)
}

/** Null where, between the common beginning and the common end, a line occurs in both versions. */
export function countLines(old: Buffer, now: Buffer): Lines | null {
  if (isBinary(old) || isBinary(now)) return noLines
  const start = commonStart(old, now)
  const end = commonEnd(old, now, start)
  const [gone, come] = [old.subarray(start, old.length - end), now.subarray(start, now.length - end)]
  const lines = new Set(linesOf(gone))
  const added = linesOf(come)
  if (added.some(line => lines.has(line))) return null
  return { added: added.length, removed: linesOf(gone).length }
}

/** Git's own test. */
function isBinary(content: Buffer): boolean {
  return content.subarray(0, looksBinaryWithin).includes(0)
}

/** Whole lines only. */
function commonStart(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at < most && a[at] === b[at]) at += 1
  return at === 0 ? 0 : a.lastIndexOf(newline, at - 1) + 1
}

function commonEnd(a: Buffer, b: Buffer, start: number): number {
  const most = Math.min(a.length, b.length) - start
  let same = 0
  while (same < most && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1
  const begins = (content: Buffer) => {
    const at = content.length - same
    return at === start || content[at - 1] === newline
  }
  if (begins(a) && begins(b)) return same
  const next = a.indexOf(newline, a.length - same)
  return next === -1 || same === 0 ? 0 : a.length - next - 1
}

function linesOf(content: Buffer): string[] {
  return content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []
}

const diffTree = ['diff-tree', '-r', '-z', '--no-renames']
const numstat = [...diffTree, '--numstat']

/** Both checkpoints must be on disk. */
export async function countByGit(
  repository: Repository,
  { from, to, signal }: Range,
): Promise<Result<Compared>> {
  const compared = await repository.git({ args: [...numstat, from, to, '--'], signal })
  return compared.ok ? ok(countsIn(compared.value.stdout)) : compared
}

/** The lines that were added to and removed from each file. Both checkpoints must be on disk. */
export async function linesByFile(
  repository: Repository,
  { from, to, signal }: Range,
): Promise<Result<FileChange[]>> {
  const compared = await repository.git({ args: [...numstat, from, to, '--'], signal })
  if (!compared.ok) return compared
  const added = [...diffTree, '--name-only', '--diff-filter=A', from, to, '--']
  const fresh = await repository.git({ args: added, signal })
  if (!fresh.ok) return fresh
  const names = new Set(fresh.value.stdout.toString('latin1').split('\0'))
  const numberOf = (text = '') => Number(text.replace('-', '0'))
  return ok(
    Array.from(
      compared.value.stdout.toString('latin1').matchAll(numbers),
      ([, more, less, name = '']): FileChange => ({
        path: readable(name),
        added: numberOf(more),
        removed: numberOf(less),
        isNew: names.has(name),
      }),
    ),
  )
}

function countsIn(output: Buffer): Compared {
  const changes: Changes = { added: 0, removed: 0, files: 0 }
  const changed: string[] = []
  // Binary files have "-" for both numbers.
  for (const [, added, removed, name] of output.toString('latin1').matchAll(numbers)) {
    changed.push(readable(name ?? ''))
    changes.files += 1
    changes.added += Number(added?.replace('-', '0'))
    changes.removed += Number(removed?.replace('-', '0'))
  }
  return { changes, changed }
}

const numbers = /(\d+|-)\t(\d+|-)\t([^\0]+)\0/g
