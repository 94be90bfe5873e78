/** Answers about one loop or group: its detail, its commands, events and iterations, and the stream of all changes. */
import { fold } from '../../../core/loop/evolve.ts'
import { timelineOf } from '../../../core/timeline.ts'
import { historyJson } from '../../../documents/loop.ts'
import { discardedOf } from '../../../engine/garbage/discarded.ts'
import { detailed } from '../../../engine/shown/detail.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { journalRoutes } from '../contract/journal.ts'
import type { RouteAnswer } from '../contract.ts'
import { eventFrames, loopFrames } from '../stream.ts'
import { giveCommand } from './commands.ts'
import { type ApiContext, loopEvents, numberIn, type OpenStream, type Some } from './context.ts'

const mostEvents = 1_000

export function journalAnswers(context: ApiContext, open: OpenStream): Some<keyof typeof journalRoutes> {
  const { store, feed, now } = context.world
  return {
    loop: ({ params }) => detailOf(context, params.id),
    command: async ({ params: { id }, body }, { run }) => {
      const known = store.heads.get(id)
      if (!known.ok) return known
      const given = await giveCommand(known.value, { context, body, run })
      return given.ok ? detailOf(context, id) : given
    },
    events: ({ params: { id }, query }) => {
      const known = store.heads.get(id)
      if (!known.ok) return known
      const events = store.journals.readAfter(id, Number(query.after ?? 0), mostEvents)
      return events.ok ? ok({ events: events.value, last: known.value.seq }) : events
    },
    history: ({ params: { id } }) => {
      const events = loopEvents(context, id)
      if (!events.ok) return events
      const state = fold(events.value)
      return ok(historyJson(state.id, events.value, discardedOf(store.paths, state)))
    },
    timeline: ({ params: { id } }) => {
      const events = loopEvents(context, id)
      return events.ok ? ok(timelineOf(events.value)) : events
    },
    eventStream: ({ params: { id } }, { lastEventId }) => {
      const known = store.heads.get(id)
      return known.ok ? open(eventFrames({ store, feed }, id, numberIn(lastEventId) ?? 0)) : known
    },
    loopStream: () => {
      const show = (id: string) => {
        const one = store.heads.get(id)
        return one.ok ? detailed(store, one.value, now()) : { id, error: one.failure }
      }
      const groupOf = (id: string) => {
        const one = store.heads.get(id)
        return one.ok ? one.value.group : null
      }
      return open(loopFrames({ store, feed }, show, groupOf))
    },
  }
}

function detailOf(context: ApiContext, id: string): Result<RouteAnswer<'loop'>> {
  const summary = context.world.store.heads.get(id)
  return summary.ok ? ok(detailed(context.world.store, summary.value, context.world.now())) : summary
}
