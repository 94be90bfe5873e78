/** What happened to a loop, newest first. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { begin, evolve } from '../../src/core/loop/evolve.ts'
import type { State } from '../../src/core/loop/state.ts'
import type { Recorded } from '../../src/model/loop/event.ts'
import { announce } from '../../src/views/text/announce.ts'
import { EventsTab, type Said } from '../journal/events-tab.tsx'
import type { LoopView } from './loop-page.tsx'

export function LoopEvents({ journal }: LoopView): JSX.Element {
  const said = useMemo(() => saidOf(journal.events), [journal.events])
  return <EventsTab said={said} />
}

function saidOf(events: readonly Recorded[]): Said[] {
  let before: State | null = null
  return events.map(event => {
    const state: State = before ? evolve(before, event) : begin(event)
    const [words = ''] = announce(event, state, before)
    before = state
    return { event, words }
  })
}
