/** The recent history of a group since a moment, for the report: its own events, and the cost of its loops. */
import type { GroupRecorded } from '../../model/group/event.ts'
import type { CriterionResult } from '../../model/loop/event.ts'
import type { Lately } from '../report.ts'
import { beginGroup, evolveGroup } from './evolve.ts'
import { find, type GroupState } from './state.ts'

/** `members`: the histories of its loops. A group counts once, with everything that its members did. */
export function latelyOfGroup(events: readonly GroupRecorded[], members: readonly Lately[]): Lately {
  let state: GroupState | null = null
  let restingSince: number | null = null
  let unmet: CriterionResult[] = []
  for (const event of events) {
    state = state ? evolveGroup(state, event) : beginGroup(event)
    const isAsked = event.kind === 'node.started' && find(state, event.data.node)?.node.kind === 'gate'
    if (event.kind === 'group.held' || event.kind === 'node.rested' || isAsked) restingSince = event.at
    if (event.kind === 'tree.checked') unmet = event.data.results.filter(({ verdict }) => verdict !== 'PASS')
  }
  const changes = state?.inTree ? find(state, state.inTree)?.end?.changes : undefined
  return {
    runs: members.flatMap(({ runs }) => runs).toSorted((a, b) => a.at - b.at),
    worked: changes ? { ...changes, atLeast: false } : null,
    restingSince,
    unmet,
  }
}
