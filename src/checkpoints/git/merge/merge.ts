/**
 * Three-way merge of checkpoints by `git merge-tree`: only on objects, with no work tree, index or merge driver of the
 * user. Notes (permissions, empty directories) are merged line by line.
 */

import { ok, type Result } from '../../../model/failure.ts'
import type { Merged } from '../../contract.ts'
import { commitText } from '../../format/commit.ts'
import type { Objects } from '../../objects/objects.ts'
import { openReader } from '../../objects/reader.ts'
import type { Repository } from '../../objects/repository.ts'
import { readTarget, type Target } from '../difference.ts'

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
