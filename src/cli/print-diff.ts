/** Prints what changed between two checkpoints of a loop: shared by `diff` and `history --diff`. */
import { StringDecoder } from 'node:string_decoder'
import { type Checkpoints, patchJson, wholeDiff } from '../checkpoints/contract.ts'
import { fold } from '../core/loop/evolve.ts'
import { namesOf } from '../core/loop/parts/tree.ts'
import { savedTree } from '../engine/garbage/discarded.ts'
import { allOf, fail, ok, type Result } from '../model/failure.ts'
import { checkpointName } from '../model/units.ts'
import { jsonText } from '../views/text/plain-text.ts'
import { checkpointsOf } from '../wiring/world.ts'
import type { OpenJournal } from './find-loop.ts'
import { isForProgram, out, write, writeExactly } from './terminal.ts'

type Wish = {
  /** `A..B`, each a number (before that iteration) or a name; null is the whole loop. */
  range: string | null
  /** Also what B left, where B is the number of an iteration. */
  after: boolean
  json: boolean
}

export async function printDiff(
  { id, events, paths }: OpenJournal,
  { range, after, json }: Wish,
): Promise<Result<number>> {
  const state = fold(events)
  const names = namesOf(state.tree.checkpoints).filter(name => !name.startsWith('before-rollback-'))
  const [from = '', to, ...more] = range === null ? ['initial', names.at(-1)] : range.split('..')
  if (!to || more.length > 0) {
    return fail(
      'invalid-arguments',
      `${range ?? 'It'} is not a range of checkpoints, like 1..3 or initial..iter-002-after.`,
    )
  }
  if (after && !isNumber(to))
    return fail('invalid-arguments', '--after goes with a range that ends with an iteration, like 1..3.')
  const saved = allOf({
    from: savedTree(paths, state, { name: named(from, false), typed: from }),
    to: savedTree(paths, state, { name: named(to, after), typed: to }),
  })
  if (!saved.ok) return saved
  const checkpoints = checkpointsOf(paths, state.spec)
  if (!json) return printPatch(checkpoints, saved.value)
  const diff = await wholeDiff(checkpoints, saved.value)
  if (!diff.ok) return diff
  out(jsonText({ id, from, to: after ? named(to, after) : to, ...patchJson(diff.value) }))
  return ok(0)
}

function isNumber(typed: string): boolean {
  return /^\d+$/.test(typed)
}

function named(typed: string, after: boolean): string {
  return isNumber(typed) ? checkpointName(Number(typed), after) : typed
}

/** A program gets a patch that it can apply; a person one without the content of binary files. */
export async function printPatch(
  saved: Checkpoints,
  range: { from: string; to: string },
): Promise<Result<number>> {
  const exact = isForProgram(1)
  const decoder = new StringDecoder('utf8')
  const take = (piece: Buffer) => (exact ? writeExactly(1, piece) : write(1, decoder.write(piece)))
  const printed = await saved.diff({ ...range, binary: exact, take })
  return printed.ok ? ok(0) : printed
}
