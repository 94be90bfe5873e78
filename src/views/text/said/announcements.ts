/**
 * The announcements of a journal in the exact form of the specification's first source: the lines that begin with
 * [LOOP], the status block after each iteration, and the closing lines. For tools that read them.
 */
import { beginGroup, evolveGroup } from '../../../core/group/evolve.ts'
import type { GroupState } from '../../../core/group/state.ts'
import { begin, evolve } from '../../../core/loop/evolve.ts'
import type { State } from '../../../core/loop/state.ts'
import type { GroupRecorded } from '../../../model/group/event.ts'
import type { Recorded } from '../../../model/loop/event.ts'
import { planComplete } from '../../plan/complete.ts'
import { announce, blockAfter } from '../announce.ts'
import { announceGroup } from '../group/announce.ts'
import { safeLine } from '../plain-text.ts'
import { closing } from '../receipt.ts'

/** A line, and when it was said. */
export type Announced = { at: number; line: string }

/** `isMember`: of a loop of a group neither its start nor its end is that of the work. */
export function loopAnnouncements(events: readonly Recorded[], isMember = false): Announced[] {
  let state: State | null = null
  const said = events.flatMap(event => {
    const before = state
    const now: State = before ? evolve(before, event) : begin(event)
    state = now
    if (isMember && event.kind === 'loop.created') return []
    const lines = announce(event, now, before).filter(isAnnouncement)
    return stamped(event.at, [...lines, ...blockAfter(event, now)])
  })
  return isMember ? said : [...said, ...atEnd<State>(state, closing)]
}

/** The announcements of the group alone; those of its loops are in their own journals. */
export function groupAnnouncements(events: readonly GroupRecorded[]): Announced[] {
  let state: GroupState | null = null
  const said = events.flatMap(event => {
    const now: GroupState = state ? evolveGroup(state, event) : beginGroup(event)
    state = now
    return stamped(event.at, announceGroup(event, now).filter(isAnnouncement))
  })
  return [...said, ...atEnd<GroupState>(state, end)]
}

function end(state: GroupState): string[] {
  return state.spec.plan && state.outcome ? planComplete(state) : []
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
