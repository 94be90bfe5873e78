/**
 * `loop history`: the iterations of a loop, or the nodes of a group; with `--diff` the changes, with `--verbose`
 * prompts and answers.
 */

import { type JournalKind, meantKind } from '../../core/folds.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import { checkpointName } from '../../model/units.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { type OpenFound, type OpenJournal, openFound, openLoop } from '../find-loop.ts'
import { printDiff } from '../show/diff.ts'
import { historyDocument, historyLines, printWhole } from '../show/history.ts'
import { needsOfLoops } from '../show/needs.ts'
import { out, outDocument } from '../terminal.ts'

const historyOf: CommandRun = async input => {
  const opened = openFound(input)
  if (!opened.ok) return opened
  return rows[meantKind(opened.value.found)](opened.value, input)
}

const rows: Record<JournalKind, (opened: OpenFound, input: Input) => Promise<Result<number>>> = {
  async loop(opened, input) {
    const loop = openLoop(opened)
    return loop.ok ? historyOfLoop(loop.value, input) : loop
  },
  group: async (opened, input) => (await import('../show/group-results.ts')).historyOfGroup(opened, input),
}

function historyOfLoop(loop: OpenJournal, input: Input): Result<number> | Promise<Result<number>> {
  const asked = input.value('diff')
  if (asked !== null) {
    const after = input.given('after')
    const one = /^\d+$/.test(asked)
    if (one && after) return invalid({ kind: 'diff-with-after', iteration: asked })
    const range = one ? `${asked}..${checkpointName(Number(asked), true)}` : asked
    return printDiff(loop, { range, after, json: input.given('json') })
  }
  if (input.given('json')) outDocument<'history'>(historyDocument(loop))
  else if (input.given('verbose')) printWhole(loop, input.env)
  else out([...historyLines(loop), ...needsOfLoops(loop.store, [loop.id], input.env)].join('\n'))
  return ok(0)
}

export default historyOf
