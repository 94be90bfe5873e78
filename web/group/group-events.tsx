/** The events of a group, newest first. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { beginGroup, evolveGroup } from '../../src/core/group/evolve.ts'
import type { GroupState } from '../../src/core/group/state.ts'
import type { GroupRecorded } from '../../src/model/group/event.ts'
import { announceGroup } from '../../src/views/text/group/announce.ts'
import { EventsTab, type Said } from '../journal/events-tab.tsx'
import type { GroupView } from './group-page.tsx'

export function GroupEvents({ journal }: GroupView): JSX.Element {
  const said = useMemo(() => saidOf(journal.events as unknown as GroupRecorded[]), [journal.events])
  return <EventsTab said={said} />
}

function saidOf(events: readonly GroupRecorded[]): Said[] {
  let state: GroupState | null = null
  return events.map(event => {
    state = state ? evolveGroup(state, event) : beginGroup(event)
    return { event, words: announceGroup(event, state)[0] ?? '' }
  })
}
