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
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ...sides]
  const merged = await repository.git({ args, codes: [0, 1] })
  if (!merged.ok) return merged
  const [tree = '', ...conflicts] = merged.value.stdout
    .toString()
    .split('\0')
    .filter(text => text !== '')
  if (merged.value.code === 1) return ok({ id: null, conflicts: [...new Set(conflicts)] })
  const message = mergeLines(base.message, ours.message, theirs.message)
  const id = objects.put('commit', commitText({ tree, message }))
  await objects.flush()
  return ok({ id, conflicts: [] })
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
