/**
 * `loop gc`: removes what is left of loops that ended before the retention time, and of unknown loops; reports the
 * freed space.
 */

import { type Collected, collect } from '../../engine/garbage/collect.ts'
import type { FileReport } from '../../engine/garbage/files.ts'
import { loopsById } from '../../engine/garbage/work.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { formatBytes, formatDuration, parseDuration } from '../../model/units.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { jsonText, spelledOut } from '../../views/text/plain-text.ts'
import { count } from '../../views/words/message.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { withUserConfig } from '../config/user.ts'
import { out } from '../terminal.ts'

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
  const collected = await collect({
    paths,
    loops: () => loopsById(store.value),
    now: Date.now(),
    retentionMs: retention.value,
    outputMs: output.value,
    isDry: given.given('dry-run'),
    keepsEnds: given.given('keep-ends'),
  })
  if (!collected.ok) return collected
  print(given, collected.value, retention.value)
  return ok(0)
}

function timeOf(input: Input, name: string): Result<number> {
  const text = input.value(name) ?? ''
  const ms = parseDuration(text)
  return ms === null ? fail('invalid-arguments', { kind: 'bad-retention', flag: name, text }) : ok(ms)
}

/** Retention is a setting of the user, not of a project. */

function print(input: Input, { trees, copies, outputs }: Collected, retentionMs: number): void {
  const isDry = input.given('dry-run')
  const done = trees.filter(({ kept }) => kept === null)
  const bytes = [...done, ...copies, ...outputs].reduce((sum, report) => sum + report.bytes, 0)
  const checkpoints = done.reduce((sum, report) => sum + report.checkpoints, 0)
  if (input.given('json')) {
    out(jsonText({ dryRun: isDry, checkpoints, bytes, trees, copies, outputs }))
    return
  }
  for (const { tree, checkpoints: some, bytes: size, kept } of trees) {
    const words = `${String(some).padStart(5)} checkpoints  ${formatBytes(size).padStart(9)}  ${tree}`
    out(kept === null ? words : `${words} (left alone: ${kept})`)
  }
  printFiles('working copy', copies)
  printFiles('output', outputs)
  const age = `of loops that ended more than ${formatDuration(retentionMs)} ago`
  const parts = [
    ...(checkpoints > 0 ? [`${checkpoints} checkpoints ${age}`] : []),
    ...(copies.length > 0
      ? [`${copies.length === 1 ? '1 working copy' : `${copies.length} working copies`}`]
      : []),
    ...(outputs.length > 0 ? [`the output of ${count(outputs.length, 'loop')}`] : []),
  ]
  if (parts.length === 0) out(`Nothing to throw away: there are no checkpoints ${age}.`)
  else out(`${isDry ? 'Would free' : 'Freed'} about ${formatBytes(bytes)}: ${parts.join(', ')}.`)
}

function printFiles(what: string, reports: readonly FileReport[]): void {
  for (const { path, bytes } of reports)
    out(`${what.padStart(17)}  ${formatBytes(bytes).padStart(9)}  ${spelledOut(path)}`)
}

export default gc
