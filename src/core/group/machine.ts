/**
 * The machine `group`: loops that are run together. Its rules are in the files beside this one and in
 * core/programs.
 */
import { groupCommand } from '../../model/group/command.ts'
import { type GroupEvent, groupEvent } from '../../model/group/event.ts'
import type { Machine } from '../machine.ts'
import { seenBy } from '../programs/same-tree.ts'
import { admitGroup, type GroupWish } from './admit.ts'
import { decideGroup, type GroupStep } from './decide.ts'
import { beginGroup, evolveGroup } from './evolve.ts'
import type { GroupState } from './state.ts'
import { type GroupSummary, summarizeGroup } from './summary.ts'

export type GroupKinds = {
  event: GroupEvent
  command: GroupWish
  state: GroupState
  step: GroupStep
  summary: GroupSummary
}

/** The steps that the next host can take over exactly as this one left them. */
const resumable: GroupStep['kind'][] = ['begin', 'attend', 'follow', 'advise']

export const groupMachine: Machine<GroupKinds> = {
  kind: 'group',
  parseEvent: body => groupEvent.parse(body, { jitless: true }),
  parseCommand: value => groupCommand.safeParse(value).data ?? null,
  begin: beginGroup,
  evolve: evolveGroup,
  decide: (state, _, epoch) => decideGroup(seenBy(state, epoch)),
  admit: admitGroup,
  summarize: summarizeGroup,
  mayLeave: (state, underWay) =>
    !state.rollback && !state.isCancelled && underWay.every(({ kind }) => resumable.includes(kind)),
}
