/** Prints the changes between two checkpoints of a loop, for `diff` and `history --diff`. */
import { StringDecoder } from 'node:string_decoder'
import { type Checkpoints, patchJson, wholeDiff } from '../../checkpoints/contract.ts'
import { fold } from '../../core/loop/evolve.ts'
import { namesOf } from '../../core/loop/parts/tree.ts'
import { savedTree } from '../../engine/garbage/discarded.ts'
import { allOf, fail, ok, type Result } from '../../model/failure.ts'
import { checkpointName } from '../../model/units.ts'
import { redactor, secretsIn } from '../../secrets/redact.ts'
import { withSecretNames } from '../../wiring/secret-names.ts'
import { checkpointsOf } from '../../wiring/world.ts'
import type { OpenJournal } from '../find-loop.ts'
import { isForProgram, outDocument, writeExactly } from '../terminal.ts'
import { diffOut } from './pager.ts'

export type DiffWish = {
  /** `A..B`, each a number (before that iteration) or a name; null is the whole loop. */
  range: string | null
  /** Includes the result of B, if B is the number of an iteration. */
  after: boolean
  json: boolean
}

export async function printDiff(
  { id, events, paths }: OpenJournal,
  { range, after, json }: DiffWish,
): Promise<Result<number>> {
  const state = fold(events)
  const names = namesOf(state.tree.checkpoints).filter(name => !name.startsWith('before-rollback-'))
  const [from = '', to, ...more] = range === null ? ['initial', names.at(-1)] : range.split('..')
  if (!to || more.length > 0) {
    return fail('invalid-arguments', { kind: 'not-a-range', range })
  }
  if (after && !isNumber(to)) return fail('invalid-arguments', { kind: 'after-range-without-iteration' })
  const saved = allOf({
    from: savedTree(paths, state, { name: named(from, false), typed: from }),
    to: savedTree(paths, state, { name: named(to, after), typed: to }),
  })
  if (!saved.ok) return saved
  const checkpoints = checkpointsOf(paths, state.spec)
  if (!json) return printPatch(checkpoints, saved.value)
  const diff = await wholeDiff(checkpoints, saved.value)
  if (!diff.ok) return diff
  outDocument<'diff'>({ id, from, to: after ? named(to, after) : to, ...patchJson(diff.value) })
  return ok(0)
}

function isNumber(typed: string): boolean {
  return /^\d+$/.test(typed)
}

function named(typed: string, after: boolean): string {
  return isNumber(typed) ? checkpointName(Number(typed), after) : typed
}

/** A program gets a patch that applies; a person one in colour, without secrets and binary content. */
export async function printPatch(
  saved: Checkpoints,
  range: { from: string; to: string },
): Promise<Result<number>> {
  if (isForProgram(1)) {
    const exact = await saved.diff({ ...range, binary: true, take: piece => writeExactly(1, piece) })
    return exact.ok ? ok(0) : exact
  }
  const decoder = new StringDecoder('utf8')
  const redact = redactor(secretsIn(await withSecretNames(process.env)))
  const { take, end } = diffOut(process.env)
  const show = (piece: Uint8Array) => take(redact.push(decoder.write(piece)))
  const printed = await saved.diff({ ...range, binary: false, take: show })
  take(redact.end())
  await end()
  return printed.ok ? ok(0) : printed
}
