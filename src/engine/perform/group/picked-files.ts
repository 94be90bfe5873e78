/** Single files of an attempt that are to come into the tree: which of them cannot. */
import type { WorkCopies } from '../../../adapters/workcopies/contract.ts'
import { allOf, ok, type Result } from '../../../model/failure.ts'

type Trees = { base: string; ours: string; theirs: string; from: string }

/** Files that the attempt did not change, and those that somebody has changed since in another way. */
export async function unfitFiles(
  files: string[],
  { base, ours, theirs, from }: Trees,
  { tree }: Pick<WorkCopies, 'tree'>,
): Promise<Result<{ unknown: string[]; conflicts: string[] }>> {
  const found = allOf({
    theirs: await tree.changed({ from, to: theirs }),
    mine: await tree.changed({ from: base, to: ours }),
    differ: await tree.changed({ from: ours, to: theirs }),
  })
  if (!found.ok) return found
  const { mine, differ } = found.value
  return ok({
    unknown: files.filter(file => !found.value.theirs.includes(file)),
    conflicts: files.filter(file => mine.includes(file) && differ.includes(file)),
  })
}
