/** `loop compare`: the attempts of a group side by side, and why one of them was chosen. */
import { fail } from '../../model/failure.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { CommandRun } from '../command-table.ts'
import { findLoop, noLoops } from '../find-loop.ts'
import { compareGroup } from '../group/show.ts'

const compare: CommandRun = async input => {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (!store.value) return noLoops(input)
  const found = findLoop(store.value, input)
  if (!found.ok) return found
  const { id, kind, group } = found.value
  if (kind !== 'group' && group === null) {
    return fail('not-allowed', { kind: 'nothing-to-compare', id })
  }
  return compareGroup(store.value, group ?? id, input)
}

export default compare
