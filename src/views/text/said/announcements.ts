/**
 * The announcements of a journal in the exact form of the specification's first source: the lines that begin with
 * [LOOP], the status block after each iteration, and the closing lines. For tools that read them.
 */
import { beginGroup, evolveGroup } from '../../../core/group/evolve.ts'
import type { GroupState } from '../../../core/group/state.ts'
import { begin, evolve } from '../../../core/loop/evolve.ts'
import type { State } from '../../../core/loop/state.ts'
import { safeLine } from '../../../core/text/plain-text.ts'
import type { GroupRecorded } from '../../../model/group/event.ts'
import type { Recorded } from '../../../model/loop/event.ts'
import { announcePlan } from '../../plan/announce.ts'
import { planComplete } from '../../plan/complete.ts'
import { announce, announceTask, blockAfter } from '../announce.ts'
import { announceGroup } from '../group/announce.ts'
import { groupComplete } from '../group/complete.ts'
import { closing } from '../receipt.ts'

/** A line, and when it was said. */
export type Announced = { at: number; line: string }

/** Of a loop of a group neither its start nor its end is that of the work; of a task of a plan no step either. */
export type AnnouncedAs = 'loop' | 'member' | 'task'

export function loopAnnouncements(events: readonly Recorded[], as: AnnouncedAs): Announced[] {
  let state: State | null = null
  const said = events.flatMap(event => {
    const before = state
    const now: State = before ? evolve(before, event) : begin(event)
    state = now
    if (as !== 'loop' && event.kind === 'loop.created') return []
    const lines = as === 'task' ? announceTask(event, now) : announce(event, now, before)
    return stamped(event.at, [...lines.filter(isAnnouncement), ...blockAfter(event, now)])
  })
  return as === 'loop' ? [...said, ...atEnd<State>(state, closing)] : said
}

/** The announcements of the group alone; those of its loops are in their own journals. */
export function groupAnnouncements(events: readonly GroupRecorded[]): Announced[] {
  let state: GroupState | null = null
  const said = events.flatMap(event => {
    const now: GroupState = state ? evolveGroup(state, event) : beginGroup(event)
    state = now
    const lines = now.spec.plan ? planSaid(event, now) : announceGroup(event, now)
    return stamped(event.at, lines.filter(isAnnouncement))
  })
  return [...said, ...atEnd<GroupState>(state, end)]
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

function atEnd<S extends { lastAt: number }>(state: S | null, words: (state: S) => string[]): Announced[] {
  return state ? stamped(state.lastAt, words(state).map(safeLine)) : []
}

function stamped(at: number, lines: readonly string[]): Announced[] {
  return lines.map(line => ({ at, line }))
}
