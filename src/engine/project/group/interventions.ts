/**
 * What people did to a plan while it ran, besides answering its questions: injections, answers, rollbacks and
 * checkpoints by hand, to the plan and to its tasks. Read from the journals, with the time of each.
 */
import type { GroupState } from '../../../core/group/state.ts'
import type { GroupRecorded } from '../../../model/group/event.ts'
import type { Recorded } from '../../../model/loop/event.ts'
import type { Store } from '../../../store/contract.ts'
import type { ContextIntervention } from '../../../views/plan/context.ts'

type Done = { at: number; what: string; text: string }

export function interventionsIn(
  { journals }: Pick<Store, 'journals'>,
  { id: group, nodes }: GroupState,
): ContextIntervention[] {
  const tasks = nodes.flatMap(({ node, member }) =>
    node.kind === 'loop' && !node.reads && member !== null ? [member] : [],
  )
  const done = [group, ...tasks].flatMap(id => {
    const events = journals.read(id)
    return events.ok ? events.value.flatMap(event => byPeople(event)) : []
  })
  return done
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, what, text }) => ({ at: new Date(at).toISOString(), what, text }))
}

/** For both kinds of journals: the names of their events do not collide. */
function byPeople(recorded: Recorded | GroupRecorded): Done[] {
  const event = recorded as Recorded
  const { at, loop } = event
  switch (event.kind) {
    case 'context.injected':
      return event.data.by === undefined ? [{ at, what: `injected into ${loop}`, text: event.data.text }] : []
    case 'question.answered':
      return [{ at, what: `${event.data.by} answered ${loop}`, text: event.data.criterion }]
    case 'rollback.requested':
      return [{ at, what: `rolled ${loop} back`, text: `to ${event.data.to}` }]
    case 'checkpoint.requested':
      return [{ at, what: `checkpoint of ${loop}`, text: event.data.name }]
    default:
      return []
  }
}
