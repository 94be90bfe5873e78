/** `loop diff`: the changes between two checkpoints; without names, since the loop or group began. */
import { type JournalKind, meantKind } from '../../core/folds.ts'
import { invalid, type Result } from '../../model/failure.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn, type OpenFound, openFound, openLoop } from '../find-loop.ts'
import { type DiffWish, printDiff } from '../show/diff.ts'

const diff: CommandRun = async input => {
  const [name = '', range = null, ...more] = input.positionals
  if (more.length > 0) return invalid({ kind: 'one-range' })
  if (range === null && input.given('after')) return invalid({ kind: 'after-without-range' })
  const opened = openFound({ ...input, positionals: [name] }, loopToActOn)
  if (!opened.ok) return opened
  const wish = { range, after: input.given('after'), json: input.given('json') }
  return rows[meantKind(opened.value.found)](opened.value, wish)
}

const rows: Record<JournalKind, (opened: OpenFound, wish: DiffWish) => Promise<Result<number>>> = {
  async loop(opened, wish) {
    const loop = openLoop(opened)
    return loop.ok ? printDiff(loop.value, wish) : loop
  },
  group: async (opened, wish) => (await import('../show/group-results.ts')).diffOfGroup(opened, wish),
}

export default diff
