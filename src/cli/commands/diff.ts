/** `loop diff`: what changed between two checkpoints; without names, since the loop began. */
import { fail } from '../../model/failure.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn, openJournal } from '../find-loop.ts'
import { printDiff } from '../print-diff.ts'

const diff: CommandRun = async input => {
  const [name = '', range, ...more] = input.positionals
  if (more.length > 0) return fail('invalid-arguments', 'Name one range: loop diff <id> 1..3')
  const opened = openJournal({ ...input, positionals: [name] }, loopToActOn)
  if (!opened.ok) return opened
  if (range === undefined && input.given('after'))
    return fail('invalid-arguments', '--after goes with a range: loop diff <id> 1..3 --after')
  const wish = { range: range ?? null, after: input.given('after'), json: input.given('json') }
  return printDiff(opened.value, wish)
}

export default diff
