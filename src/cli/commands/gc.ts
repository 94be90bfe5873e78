/**
 * `loop gc`: removes what is left of loops that ended before the retention time and reports the freed space. What
 * belongs to loops that the store does not know is named apart and deleted only if a person says so.
 */

import { spelledOut } from '../../core/text/plain-text.ts'
import { type Collected, collect } from '../../engine/garbage/collect.ts'
import { type FileReport, keptOutput } from '../../engine/garbage/files.ts'
import { loopsById, type Work } from '../../engine/garbage/work.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { count, formatBytes, formatDuration, parseDuration } from '../../model/units.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { withUserConfig } from '../config/configured.ts'
import { askNow, isAttended } from '../foreground/question.ts'
import { out, outDocument } from '../terminal.ts'

const gc: CommandRun = async given => {
  if (given.positionals.length > 0) return fail('invalid-arguments', { kind: 'gc-takes-no-names' })
  const input = await withUserConfig(given)
  if (!input.ok) return input
  const retention = timeOf(input.value, 'checkpoint-retention')
  if (!retention.ok) return retention
  const output = timeOf(input.value, 'output-retention')
  if (!output.ok) return output
  const paths = pathsFrom(given.env)
  const store = openStoreToRead(paths)
  if (!store.ok) return store
  const work: Work = {
    paths,
    loops: () => loopsById(store.value),
    now: Date.now(),
    retentionMs: retention.value,
    outputMs: output.value,
    isDry: given.given('dry-run'),
    keepsEnds: given.given('keep-ends'),
    of: 'known',
  }
  const collected = await collect(work)
  if (!collected.ok) return collected
  const unknown = await collectUnknown(given, work)
  if (!unknown.ok) return unknown
  print(given, { ...collected.value, unknown: unknown.value, kept: keptOutput(work) }, retention.value)
  return ok(0)
}

/** What belongs to unknown loops, and whether it was deleted: only if a person says so. */
type Unknown = Collected & { isDeleted: boolean }

async function collectUnknown(input: Input, work: Work): Promise<Result<Unknown>> {
  const found = await collect({ ...work, of: 'unknown', isDry: true })
  if (!found.ok) return found
  const { checkpoints, copies, outputs } = totalOf(found.value)
  const isThere = checkpoints + copies + outputs > 0
  if (!isThere || work.isDry || work.keepsEnds) return ok({ ...found.value, isDeleted: false })
  const question = `${unknownWords(found.value)} ${places(found.value)}\nDelete that too? [y/N] `
  if (!input.given('yes') && !(isAttended(input) && askNow(question)))
    return ok({ ...found.value, isDeleted: false })
  const deleted = await collect({ ...work, of: 'unknown' })
  return deleted.ok ? ok({ ...deleted.value, isDeleted: true }) : deleted
}

function totalOf({ trees, copies, outputs }: Collected) {
  const done = trees.filter(({ kept }) => kept === null)
  const bytes = [...done, ...copies, ...outputs].reduce((sum, report) => sum + report.bytes, 0)
  const checkpoints = done.reduce((sum, report) => sum + report.checkpoints, 0)
  return { checkpoints, copies: copies.length, outputs: outputs.length, bytes }
}

/** `3 checkpoints, 1 working copy`; empty where there is nothing. */
function partsOf({ checkpoints, copies, outputs }: ReturnType<typeof totalOf>, age: string): string[] {
  return [
    ...(checkpoints > 0 ? [`${count(checkpoints, 'checkpoint')}${age}`] : []),
    ...(copies > 0 ? [copies === 1 ? '1 working copy' : `${copies} working copies`] : []),
    ...(outputs > 0 ? [`the output of ${count(outputs, 'loop')}`] : []),
  ]
}

function unknownWords(found: Collected): string {
  const parts = partsOf(totalOf(found), '').join(', ')
  return `The store does not know the loops of ${parts}: their journals may be lost (loop doctor).`
}

function places({ trees, copies, outputs }: Collected): string {
  const all = [...trees.map(({ tree }) => tree), ...[...copies, ...outputs].map(({ path }) => path)]
  const more = all.length > 5 ? ` and ${all.length - 5} more` : ''
  return `They are in ${all.slice(0, 5).map(spelledOut).join(', ')}${more}.`
}

function timeOf(input: Input, name: string): Result<number> {
  const text = input.value(name) ?? ''
  const ms = parseDuration(text)
  return ms === null ? fail('invalid-arguments', { kind: 'bad-retention', flag: name, text }) : ok(ms)
}

type Printed = Collected & { unknown: Unknown; kept: number }

function print(input: Input, collected: Printed, retentionMs: number): void {
  const { trees, copies, outputs, unknown, kept: outputBytes } = collected
  const isDry = input.given('dry-run')
  const total = totalOf(collected)
  if (input.given('json')) {
    const { checkpoints, bytes } = total
    const more = { outputBytes, unknown: totalOf(unknown) }
    outDocument<'garbage'>({ dryRun: isDry, checkpoints, bytes, trees, copies, outputs, ...more })
    return
  }
  for (const { tree, checkpoints: some, bytes: size, kept } of trees) {
    const words = `${String(some).padStart(5)} checkpoints  ${formatBytes(size).padStart(9)}  ${tree}`
    out(kept === null ? words : `${words} (left alone: ${kept})`)
  }
  printFiles('working copy', copies)
  printFiles('output', outputs)
  const age = ` of loops that ended more than ${formatDuration(retentionMs)} ago`
  const parts = partsOf(total, age)
  if (parts.length === 0) out(`Nothing to delete: there are no checkpoints${age}.`)
  else out(`${isDry ? 'Would free' : 'Freed'} about ${formatBytes(total.bytes)}: ${parts.join(', ')}.`)
  if (outputBytes > worthSaying)
    out(
      `Output of agents and promises that is kept: ${formatBytes(outputBytes)}. Delete it with: loop gc --output-retention 0s`,
    )
  printUnknown(unknown)
}

const worthSaying = 1_000_000

function printUnknown(unknown: Unknown): void {
  const total = totalOf(unknown)
  const parts = partsOf(total, '')
  if (parts.length === 0) return
  const freed = `Deleted of loops that the store does not know, about ${formatBytes(total.bytes)}: ${parts.join(', ')}.`
  const left = `${unknownWords(unknown)} They are kept. ${places(unknown)} Delete them with: loop gc --yes`
  out(unknown.isDeleted ? freed : left)
}

function printFiles(what: string, reports: readonly FileReport[]): void {
  for (const { path, bytes } of reports)
    out(`${what.padStart(17)}  ${formatBytes(bytes).padStart(9)}  ${spelledOut(path)}`)
}

export default gc
