/** `loop diff`: what changed between two checkpoints; without names, since the loop began. */
import { fail, type Result } from '../../model/failure.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { findLoop, loopToActOn, openJournal } from '../find-loop.ts'
import { printDiff } from '../print-diff.ts'

const diff: CommandRun = async input => {
  const [name = '', range, ...more] = input.positionals
  if (more.length > 0) return fail('invalid-arguments', 'Name one range: loop diff <id> 1..3')
  const asGroup = await ofGroup({ ...input, positionals: [name] }, range)
  if (asGroup) return asGroup
  const opened = openJournal({ ...input, positionals: [name] }, loopToActOn)
  if (!opened.ok) return opened
  if (range === undefined && input.given('after'))
    return fail('invalid-arguments', '--after goes with a range: loop diff <id> 1..3 --after')
  const wish = { range: range ?? null, after: input.given('after'), json: input.given('json') }
  return printDiff(opened.value, wish)
}

/** Null where it is no group. */
async function ofGroup(input: Input, range: string | undefined): Promise<Result<number> | null> {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok || !store.value) return null
  const found = findLoop(store.value, input)
  if (!found.ok || found.value.kind !== 'group') return null
  const { diffOfGroup } = await import('../group/show.ts')
  return diffOfGroup(store.value, found.value.id, { range: range ?? null, input })
}

export default diff
