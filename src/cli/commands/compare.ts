/** `loop compare`: the attempts of a group side by side, and why one of them was chosen. */
import { type ByKind, byKind } from '../../core/summary.ts'
import { fail } from '../../model/failure.ts'
import type { CommandRun } from '../command-table.ts'
import { openFound } from '../find-loop.ts'
import { compareGroup } from '../show/group-results.ts'

const compare: CommandRun = async input => {
  const opened = openFound(input)
  if (!opened.ok) return opened
  const { store, found } = opened.value
  const group = byKind(groups, found)
  if (group === null) return fail('not-allowed', { kind: 'nothing-to-compare', id: found.id })
  return compareGroup(store, group, input)
}

/** A loop stands for the group that it is a member of. */
const groups: ByKind<string | null> = {
  loop: ({ group }) => group,
  group: ({ id }) => id,
  newer: ({ group }) => group,
}

export default compare
