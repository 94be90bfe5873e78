/**
 * The announcements of a journal in the exact form of the specification's first source: the lines that begin with
 * [LOOP], the status block after each iteration, and the closing lines. For tools that read them.
 */
import { beginGroup, evolveGroup } from '../../core/group/evolve.ts'
import type { GroupKinds } from '../../core/group/machine.ts'
import type { GroupState } from '../../core/group/state.ts'
import { begin, evolve } from '../../core/loop/evolve.ts'
import type { LoopKinds } from '../../core/loop/machine.ts'
import { type Fold, type Kinds, type Replayed, replayed } from '../../core/machine.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import type { Envelope } from '../../model/envelope.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import type { Recorded } from '../../model/loop/event.ts'
import { announcePlan, planComplete } from '../plan/announce.ts'
import { announce, announceTask, blockAfter } from './announce.ts'
import { announceGroup, groupComplete } from './group-announce.ts'
import { closing } from './receipt.ts'

/** A line, and when it was said. */
export type Announced = { at: number; line: string }

/** Of a loop of a group neither its start nor its end is that of the work; of a task of a plan no step either. */
export type AnnouncedAs = 'loop' | 'member' | 'task'

export function loopAnnouncements(events: readonly Recorded[], as: AnnouncedAs): Announced[] {
  return announcements<LoopKinds>({ begin, evolve }, events, {
    says({ event, state, before }) {
      if (as !== 'loop' && event.kind === 'loop.created') return []
      const lines = as === 'task' ? announceTask(event, state) : announce(event, state, before)
      return [...lines.filter(isAnnouncement), ...blockAfter(event, state)]
    },
    atEnd: as === 'loop' ? closing : () => [],
  })
}

/** The announcements of the group alone; those of its loops are in their own journals. */
export function groupAnnouncements(events: readonly GroupRecorded[]): Announced[] {
  return announcements<GroupKinds>({ begin: beginGroup, evolve: evolveGroup }, events, {
    says: ({ event, state }) =>
      (state.spec.plan ? planSaid(event, state) : announceGroup(event, state)).filter(isAnnouncement),
    atEnd: end,
  })
}

type Saying<K extends Kinds> = { says(told: Replayed<K>): string[]; atEnd(state: K['state']): string[] }

function announcements<K extends Kinds>(
  fold: Omit<Fold<K>, 'summarize'>,
  events: readonly (K['event'] & Envelope)[],
  { says, atEnd }: Saying<K>,
): Announced[] {
  const said: Announced[] = []
  let last: Replayed<K> | null = null
  for (last of replayed(fold, events)) said.push(...stamped(last.event.at, says(last)))
  // The last event is the newest.
  return last ? [...said, ...stamped(last.event.at, atEnd(last.state).map(safeLine))] : said
}

/** Its start, its steps and its pauses: what its questions came to is none of the forms. */
function planSaid(event: GroupRecorded, state: GroupState): string[] {
  const lines = event.kind === 'group.held' ? announceGroup(event, state) : announcePlan(event, state)
  return lines.map(safeLine)
}

function end(state: GroupState): string[] {
  if (!state.outcome) return []
  return state.spec.plan ? planComplete(state) : groupComplete(state)
}

function isAnnouncement(line: string): boolean {
  return line.startsWith('[LOOP]')
}

function stamped(at: number, lines: readonly string[]): Announced[] {
  return lines.map(line => ({ at, line }))
}
