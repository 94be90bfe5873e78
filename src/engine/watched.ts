/**
 * A loop or a group as somebody watches it: its journal is folded while it grows, with its row and host, and of a
 * running agent how full its context is.
 */
import { join } from 'node:path'
import { agents } from '../adapters/agents/agent.ts'
import { beginGroup, evolveGroup } from '../core/group/evolve.ts'
import type { GroupState } from '../core/group/state.ts'
import { type GroupSummary, summarizeGroup } from '../core/group/summary.ts'
import { begin, evolve } from '../core/loop/evolve.ts'
import { history, type Iteration } from '../core/loop/history.ts'
import type { State } from '../core/loop/state.ts'
import { summarize } from '../core/loop/summary.ts'
import { type AgentName, type ContextUse, laterContext } from '../model/agent.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import type { GroupRecorded } from '../model/group/event.ts'
import type { Recorded } from '../model/loop/event.ts'
import type { Store } from '../store/contract.ts'
import { readBytes, sizeOf } from '../store/files/artifact.ts'
import type { Shown } from '../views/text/status.ts'
import { shownWhole } from './shown/detail.ts'

const mostBytes = 1 << 18

/** Each call reads new output, if there is any; null until the agent has reported a value. */
export function contextOfRun({ dir, agent }: { dir: string; agent: AgentName }): () => ContextUse | null {
  const { read } = agents[agent]
  const file = join(dir, 'out')
  let seen = 0
  let known: ContextUse | null = null
  return () => {
    const size = read ? sizeOf(file) : 0
    if (!read || size === seen) return known
    const from = Math.max(seen, size - mostBytes, 0)
    // A cut line is no JSON; an unfinished one is read completely at the next call.
    const text = readBytes(file, Math.max(0, from - (1 << 16)), size).toString('utf8')
    const reader = read(Date.now)
    for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n'))
      for (const item of reader(line, 'out')) if (item.kind === 'context') known = laterContext(known, item)
    seen = size
    return known
  }
}

export type Watched = {
  shown: Shown
  state: State
  events: readonly Recorded[]
  iterations: readonly Iteration[]
}

/** Each call reads only new events; `store` can be another connection than before. */
export function watchedLoop(id: string): (store: Store) => Result<Watched> {
  const events: Recorded[] = []
  let state: State | null = null
  let iterations: Iteration[] = []
  return store => {
    const more = store.journals.readAfter(id, events.at(-1)?.seq ?? 0)
    if (!more.ok) return more
    for (const event of more.value) {
      state = state === null ? begin(event) : evolve(state, event)
      events.push(event)
    }
    if (state === null) return fail('store-damaged', { kind: 'loop-without-journal', id })
    if (more.value.length > 0) iterations = history(events)
    return ok({ shown: shownWhole(store, summarize(state)), state, events, iterations })
  }
}

/** One group as somebody watches it: its state, its row, and its members with their hosts. */
export type WatchedGroup = { shown: Shown; summary: GroupSummary; state: GroupState }

/** Each call reads only new events. */
export function watchedGroup(id: string): (store: Store) => Result<WatchedGroup> {
  let state: GroupState | null = null
  return store => {
    const more = store.journals.readAfter(id, state?.seq ?? 0)
    if (!more.ok) return more
    for (const event of more.value as unknown as GroupRecorded[])
      state = state === null ? beginGroup(event) : evolveGroup(state, event)
    if (state === null) return fail('store-damaged', { kind: 'group-unreadable', id })
    const shown = shownWhole(store, summarizeGroup(state))
    return ok({ shown, summary: shown.summary, state })
  }
}
