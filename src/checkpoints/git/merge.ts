/**
 * Three-way merge of checkpoints by `git merge-tree`: only on objects, with no work tree, index or merge driver of the
 * user. Notes (permissions, empty directories) are merged line by line.
 */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result } from '../../model/failure.ts'
import type { Merged } from '../contract.ts'
import { isRegular } from '../format/file.ts'
import { commitText } from '../format/tree.ts'
import type { Objects } from '../objects/objects.ts'
import { openReader } from '../objects/reader.ts'
import type { Repository } from '../objects/repository.ts'
import { lstatOrNull } from '../scan/listing.ts'
import { readTarget, type Target } from './difference.ts'

export type MergeRequest = { base: string; ours: string; theirs: string }

export async function merge(
  repository: Repository,
  objects: Objects,
  request: MergeRequest,
): Promise<Result<Merged>> {
  const reader = openReader(repository, objects)
  const targets: Target[] = []
  try {
    for (const id of [request.base, request.ours, request.theirs]) targets.push(await readTarget(reader, id))
  } finally {
    await reader.close()
  }
  const [base, ours, theirs] = targets as [Target, Target, Target]
  // Git takes the common parent for the base.
  const root = objects.put('commit', commitText({ tree: base.tree, message: 'base\n' }))
  const sides = [ours, theirs].map(({ tree }, n) =>
    objects.put('commit', commitText({ tree, message: `side ${n}\n`, parents: [root] })),
  )
  await objects.flush()
  const args = ['merge-tree', '--write-tree', '--no-messages', '-z', ...sides]
  const merged = await repository.git({ args, codes: [0, 1] })
  if (!merged.ok) return merged
  const [tree = '', ...lines] = merged.value.stdout
    .toString()
    .split('\0')
    .filter(text => text !== '')
  const message = mergeLines(base.message, ours.message, theirs.message)
  const keep = async () => {
    const id = objects.put('commit', commitText({ tree, message }))
    await objects.flush()
    return id
  }
  if (merged.value.code === 0) return ok({ id: await keep(), conflicts: [] })
  const stages = stagesIn(lines, sides)
  const conflicts = [...stages.keys()].sort()
  const marked = await markedIn(repository, tree, conflicts)
  if (!marked.ok) return marked
  const unmarkable = conflicts.filter(
    path => !marked.value.has(path) || stages.get(path)?.sort().join() !== both,
  )
  return ok({ id: null, conflicts, marked: unmarkable.length === 0 ? await keep() : null, unmarkable })
}

/** Both sides have a regular file there. */
const both = 'file 2,file 3'

/**
 * The conflicting paths, each with what the two sides have there. Where one side has a directory, or another type of
 * file, git adds the name of a side to the path: both are one conflict at the path itself.
 */
function stagesIn(lines: readonly string[], sides: readonly string[]): Map<string, string[]> {
  const ofSide = new RegExp(`~(?:${sides.join('|')})(?:_\\d+)?$`)
  const stages = new Map<string, string[]>()
  for (const line of lines) {
    const [, mode = '', stage, path = ''] = /^(\d+) \w+ (\d)\t(.*)$/s.exec(line) ?? []
    const name = path.replace(ofSide, '')
    const is = `${mode.startsWith('100') && name === path ? 'file' : 'other'} ${stage}`
    stages.set(name, [...(stages.get(name) ?? []), ...(stage === '1' ? [] : [is])])
  }
  return stages
}

async function markedIn(
  repository: Repository,
  tree: string,
  paths: readonly string[],
): Promise<Result<Set<string>>> {
  const args = ['grep', '-l', '-z', '-I', '-e', '^<<<<<<< ', tree, '--', ...paths]
  const found = await repository.git({ args, codes: [0, 1] })
  if (!found.ok) return found
  const names = found.value.stdout.toString().split('\0')
  return ok(new Set(names.map(name => name.slice(tree.length + 1))))
}

/** Where both changed a line, theirs wins. Paths that ours could not save stay noted: a restore must leave them alone. */
function mergeLines(base: string, ours: string, theirs: string): string {
  const [before, mine, other] = [base, ours, theirs].map(text => new Set(text.split('\n')))
  const kept = [...(mine ?? [])].filter(
    line => other?.has(line) || !before?.has(line) || line.startsWith('skipped '),
  )
  const added = [...(other ?? [])].filter(line => !before?.has(line))
  return `${[...new Set([...kept, ...added])]
    .filter(line => line !== '')
    .sort()
    .join('\n')}\n`
}

/**
 * Which files did a restore that was killed begin to write? Those that are gone, or hold only the beginning of their
 * content. Any other content was written by somebody else since.
 */

export type BegunRequest = { tree: string; paths: readonly string[] }

export async function begunFiles(
  repository: Repository,
  objects: Objects,
  { tree, paths }: BegunRequest,
): Promise<Result<string[]>> {
  const reader = openReader(repository, objects)
  let target: Target
  try {
    target = await readTarget(reader, tree)
  } finally {
    await reader.close()
  }
  const begun: string[] = []
  for (const path of paths) {
    const stat = lstatOrNull(repository.tree, path)
    if (!stat) begun.push(path)
    if (!stat || !isRegular(stat.mode)) continue
    const blob = await repository.git({
      args: ['cat-file', 'blob', `${target.tree}:${path}`],
      codes: [0, 128],
    })
    if (!blob.ok) return blob
    const whole = blob.value.stdout
    const found = readFileSync(`${repository.tree}/${path}`)
    if (found.length < whole.length && whole.subarray(0, found.length).equals(found)) begun.push(path)
  }
  return ok(begun)
}

/** A saved tree with some files replaced by those of another one. Files that the other one does not have are removed. */

export type FilesRequest = { into: string; from: string; files: readonly string[] }

let count = 0

export async function withFiles(
  repository: Repository,
  objects: Objects,
  { into, from, files }: FilesRequest,
): Promise<Result<string>> {
  const reader = openReader(repository, objects)
  let target: Target
  let source: Target
  try {
    target = await readTarget(reader, into)
    source = await readTarget(reader, from)
  } finally {
    await reader.close()
  }
  count += 1
  const env = { GIT_INDEX_FILE: join(repository.dir, `index-${process.pid}-${count}`) }
  try {
    const read = await repository.git({ args: ['read-tree', target.tree], env })
    if (!read.ok) return read
    const listed = await repository.git({ args: ['ls-tree', '-z', '-r', source.tree, '--', ...files] })
    if (!listed.ok) return listed
    const removed = files.map(file => `0 ${'0'.repeat(40)}\t${file}\0`).join('')
    const lines = listed.value.stdout.toString('latin1')
    const input = Buffer.concat([Buffer.from(removed), Buffer.from(indexLines(lines), 'latin1')])
    const updated = await repository.git({ args: ['update-index', '-z', '--index-info'], env, input })
    if (!updated.ok) return updated
    const written = await repository.git({ args: ['write-tree'], env })
    if (!written.ok) return written
    const tree = written.value.stdout.toString().trim()
    const id = objects.put('commit', commitText({ tree, message: target.message }))
    await objects.flush()
    return ok(id)
  } finally {
    rmSync(env.GIT_INDEX_FILE, { force: true })
  }
}

/** `mode type id<TAB>path` as `mode id<TAB>path`. */
function indexLines(listing: string): string {
  return listing
    .split('\0')
    .filter(line => line !== '')
    .map(line => `${line.replace(/^(\d+) \w+ /, '$1 ')}\0`)
    .join('')
}
