/** Picking single files of an attempt: finds those that cannot be applied to the tree. */
import type { WorkCopies } from '../../../adapters/workcopies/contract.ts'
import { allOf, ok, type Result } from '../../../model/failure.ts'

type Trees = { base: string; ours: string; theirs: string; from: string }

/** Files that the attempt did not change, and files that somebody has changed differently since. */
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
