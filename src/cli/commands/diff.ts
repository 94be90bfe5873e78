/** `loop diff`: the changes between two checkpoints; without names, since the loop or group began. */
import { fail } from '../../model/failure.ts'
import type { CommandRun } from '../command-table.ts'
import { loopToActOn, openFound, openLoop } from '../find-loop.ts'
import { printDiff } from '../print/diff.ts'

const diff: CommandRun = async input => {
  const [name = '', range = null, ...more] = input.positionals
  if (more.length > 0) return fail('invalid-arguments', { kind: 'one-range' })
  if (range === null && input.given('after'))
    return fail('invalid-arguments', { kind: 'after-without-range' })
  const opened = openFound({ ...input, positionals: [name] }, loopToActOn)
  if (!opened.ok) return opened
  const wish = { range, after: input.given('after'), json: input.given('json') }
  if (opened.value.found.kind === 'group') {
    const { diffOfGroup } = await import('../group/show.ts')
    return diffOfGroup(opened.value, wish)
  }
  const loop = openLoop(opened.value)
  return loop.ok ? printDiff(loop.value, wish) : loop
}

export default diff
