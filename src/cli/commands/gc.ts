/**
 * `loop gc`: removes what is left of loops that ended before the retention time and reports the freed space. What
 * belongs to loops that the store does not know is named apart and deleted only if a person says so.
 */

import { type Collected, collect } from '../../engine/garbage/collect.ts'
import { keptOutput } from '../../engine/garbage/files.ts'
import { loopsById, type Work } from '../../engine/garbage/work.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import { parseDuration } from '../../model/units.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { deleteUnknownQuestion, garbageLines, garbageTotal } from '../../views/text/garbage.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { withUserConfig } from '../config.ts'
import { askNow, isAttended } from '../foreground/question.ts'
import { out, outDocument } from '../terminal.ts'

const gc: CommandRun = async given => {
  if (given.positionals.length > 0) return invalid({ kind: 'gc-takes-no-names' })
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
  const { checkpoints, copies, outputs } = garbageTotal(found.value)
  const isThere = checkpoints + copies + outputs > 0
  if (!isThere || work.isDry || work.keepsEnds) return ok({ ...found.value, isDeleted: false })
  const agrees = () => isAttended(input) && askNow(deleteUnknownQuestion(found.value))
  if (!input.given('yes') && !agrees()) return ok({ ...found.value, isDeleted: false })
  const deleted = await collect({ ...work, of: 'unknown' })
  return deleted.ok ? ok({ ...deleted.value, isDeleted: true }) : deleted
}

function timeOf(input: Input, name: string): Result<number> {
  const text = input.value(name) ?? ''
  const ms = parseDuration(text)
  return ms === null ? invalid({ kind: 'bad-retention', flag: name, text }) : ok(ms)
}

type Printed = Collected & { unknown: Unknown; kept: number }

function print(input: Input, collected: Printed, retentionMs: number): void {
  const { trees, copies, outputs, unknown, kept } = collected
  const isDry = input.given('dry-run')
  if (!input.given('json')) {
    out(garbageLines(collected, { unknown, kept, isDry, retentionMs }).join('\n'))
    return
  }
  const { checkpoints, bytes } = garbageTotal(collected)
  const more = { outputBytes: kept, unknown: garbageTotal(unknown) }
  outDocument<'garbage'>({ dryRun: isDry, checkpoints, bytes, trees, copies, outputs, ...more })
}

export default gc
