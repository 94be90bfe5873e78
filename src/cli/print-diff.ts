/** Prints what changed between two checkpoints of a loop: shared by `diff` and `history --diff`. */
import { type Checkpoints, wholeDiff } from '../checkpoints/contract.ts'
import { fold } from '../core/loop/evolve.ts'
import { type CheckpointList, namesOf, nameWords, treeOf } from '../core/loop/parts/tree.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { checkpointName } from '../model/units.ts'
import { jsonText } from '../views/text/plain-text.ts'
import { checkpointsOf } from '../wiring/world.ts'
import type { OpenJournal } from './find-loop.ts'
import { out, outExactly } from './terminal.ts'

/** `range` is `A..B`, each a number (before that iteration) or a name; null is the whole loop. */
export async function printDiff(
  journal: OpenJournal,
  range: string | null,
  json: boolean,
): Promise<Result<number>> {
  const { id, events, paths } = journal
  const { tree, spec } = fold(events)
  const { checkpoints } = tree
  const [from = '', to, ...more] =
    range === null
      ? ['initial', namesOf(checkpoints).findLast(name => !name.startsWith('before-rollback-'))]
      : range.split('..')
  if (!to || more.length > 0) {
    return fail(
      'invalid-arguments',
      `${range ?? 'It'} is not a range of checkpoints, like 1..3 or initial..iter-002-after.`,
    )
  }
  const [before, after] = [from, to].map(typed => treeNamed(checkpoints, typed))
  const missing = before === undefined ? from : after === undefined ? to : null
  if (missing !== null) {
    return fail(
      'invalid-arguments',
      `Loop ${id} has no checkpoint ${missing}. It has: ${nameWords(checkpoints)}.`,
    )
  }
  if (!before || !after)
    return fail('not-allowed', `Loop ${id} was started with --checkpoint none: nothing was saved.`)
  const saved = checkpointsOf(paths, spec)
  if (!json) return printPatch(saved, { from: before, to: after })
  const diff = await wholeDiff(saved, { from: before, to: after })
  if (!diff.ok) return diff
  out(jsonText({ id, from, to, patch: diff.value }))
  return ok(0)
}

async function printPatch(saved: Checkpoints, range: { from: string; to: string }): Promise<Result<number>> {
  const printed = await saved.diff({ ...range, take: outExactly })
  return printed.ok ? ok(0) : printed
}

function treeNamed(checkpoints: CheckpointList | null, typed: string): string | null | undefined {
  return treeOf(checkpoints, /^\d+$/.test(typed) ? checkpointName(Number(typed)) : typed)
}
