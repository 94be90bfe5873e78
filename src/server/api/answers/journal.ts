/**
 * Answers about one loop or group: its detail, its commands, events and iterations, and the stream of all changes.
 *
 * What was asked of one becomes a command of its kind, by one row for each kind; it is
 * sent to the journal, and for some commands their end is awaited. What an agent asks in its run is recorded as the
 * agent's; it may give no command to a whole group.
 */

import type { JournalKind } from '../../../core/folds.ts'
import type { GroupWish } from '../../../core/group/admit.ts'
import { conflictFacts } from '../../../core/group/apply.ts'
import { find, type GroupState, resultToApply } from '../../../core/group/state.ts'
import { fold } from '../../../core/loop/evolve.ts'
import type { Wish as LoopWish } from '../../../core/loop/machine.ts'
import type { Kinds } from '../../../core/machine.ts'
import { type ByKind, byKind, type Summary } from '../../../core/summary.ts'
import { timelineOf } from '../../../core/timeline.ts'
import { historyJson } from '../../../documents/loop.ts'
import { ask } from '../../../engine/ask.ts'
import { discardedOf, savedTree } from '../../../engine/garbage/discarded.ts'
import { otherKind, readState } from '../../../engine/machine.ts'
import { detailed } from '../../../engine/shown/detail.ts'
import type { World } from '../../../engine/world.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import { resolveGroupResume, resolveResume } from '../../../options/request.ts'
import type { journalRoutes } from '../contract/journal.ts'
import type { RouteAnswer, RouteRequest } from '../contract.ts'
import { eventFrames, loopFrames } from '../stream.ts'
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

/** `run`: the loop in whose run the caller is. */
type CommandRequest = {
  context: Pick<ApiContext, 'world' | 'system'>
  body: RouteRequest<'command'>['body']
  run: string | null
}

/** `id`: the journal that gets it; for a member's result, that of its group. */
type Addressed = { id: string; wish: GroupWish | LoopWish }

const addressed: ByKind<Result<Addressed>, [CommandRequest]> = {
  loop: forLoop,
  group: forGroup,
  newer: ({ id, kind }) => otherKind(id, 'loop', kind),
}

async function giveCommand(summary: Summary, request: CommandRequest): Promise<Result<null>> {
  const { context, body } = request
  const first = byKind(addressed, summary, request)
  if (!first.ok) return first
  const given = await give(context.world, first.value)
  if (!given.ok || body.kind !== 'cancel' || body.rollback === undefined) return given
  return give(context.world, { id: summary.id, wish: { kind: 'rollback', to: body.rollback } })
}

const notRolledBack = {
  loop: { kind: 'loop-not-rolled-back' },
  group: { kind: 'group-not-rolled-back' },
} as const

/** Longer than all agents of a group need to stop, and an apply needs for its promise. */
const endMs = 60_000
const ends: Partial<Record<Kinds['command']['kind'], string[]>> = {
  rollback: ['tree.restored', 'rollback.failed'],
  pick: ['group.completed', 'group.failed', 'group.held'],
  cancel: ['loop.cancelled', 'loop.held', 'hook.ended', 'group.cancelled', 'group.held'],
}

async function give(world: World, { id, wish }: Addressed): Promise<Result<null>> {
  const wanted = ends[wish.kind]
  const done = (events: Kinds['event'][]) => events.some(({ kind }) => wanted?.includes(kind))
  const asked = await ask(world, id, wish, wanted ? { until: { done, ms: endMs } } : {})
  if (!asked.ok) return asked
  const { machine, state, events } = asked.value
  const failed = events.find(event => event.kind === 'rollback.failed')
  if (failed) {
    const { why = '' } = failed.data as { why?: string }
    return fail('step-failed', { ...notRolledBack[machine.kind as JournalKind], id, why })
  }
  return wish.kind === 'pick' ? pickedWell(state as GroupState, wish.node) : ok(null)
}

/** The result of the last pick; one that is still under way is not a failure. */
function pickedWell(state: GroupState, node: string): Result<null> {
  const { end } = find(state, `apply-${state.picks.length + 1}`) ?? {}
  if (!end || end.how === 'completed') return ok(null)
  if (end.how === 'conflict') return fail('apply-conflict', conflictFacts(state, end))
  return fail('apply-failed', { kind: 'pick-failed', node, why: end.why ?? end.how })
}

/** A resumed loop goes back into the background queue. */
function forLoop({ id, group }: Summary, { context, body, run }: CommandRequest): Result<Addressed> {
  const { world, system } = context
  switch (body.kind) {
    case 'pick':
    case 'review':
      return fail('not-allowed', { kind: 'nothing-to-pick', id })
    case 'apply':
      if (group === null) return fail('not-allowed', { kind: 'in-own-tree', id })
      return ok({ id: group, wish: { kind: 'pick', node: id } })
    case 'cancel':
      return ok({ id, wish: { kind: 'cancel', ...(body.by && { by: body.by }) } })
    case 'rollback':
      return rollbackOfLoop(world, id, body.to)
    case 'resume': {
      const loop = readState(world.store, id, 'loop')
      if (!loop.ok) return loop
      const resume = resolveResume(body, system, loop.value.spec)
      return resume.ok ? ok({ id, wish: { kind: 'enqueue', resume: resume.value } }) : resume
    }
    case 'inject':
    case 'pause':
      return ok({ id, wish: run === null ? body : { ...body, by: 'agent' } })
    default:
      return ok({ id, wish: body })
  }
}

function rollbackOfLoop({ store }: World, id: string, named: string | undefined): Result<Addressed> {
  const events = store.journals.read(id)
  if (!events.ok) return events
  const state = fold(events.value)
  const to = named ?? state.tree.lastKept
  if (to === null) return fail('not-allowed', { kind: 'never-rolled-back', id })
  // Checked before the loop is asked: a rollback to a removed checkpoint would only fail.
  const saved = savedTree(store.paths, state, { name: to })
  if (!saved.ok && saved.failure.reason === 'checkpoint-gone') return saved
  return ok({ id, wish: { kind: 'rollback', to } })
}

function forGroup({ id }: Summary, { context, body, run }: CommandRequest): Result<Addressed> {
  const { store } = context.world
  if (run !== null) return fail('not-allowed', { kind: 'group-for-people', id })
  switch (body.kind) {
    case 'pause':
    case 'cancel':
      return ok({ id, wish: { kind: body.kind } })
    case 'answer':
    case 'pick':
    case 'review':
      return ok({ id, wish: body })
    case 'rollback': {
      const group = readState(store, id, 'group')
      if (!group.ok) return group
      const { rollbacks } = group.value
      if (body.to === undefined && rollbacks === 0)
        return fail('not-allowed', { kind: 'group-never-rolled-back', id })
      return ok({ id, wish: { kind: 'rollback', to: body.to ?? `before-rollback-${rollbacks}` } })
    }
    case 'apply': {
      const group = readState(store, id, 'group')
      if (!group.ok) return group
      const node = resultToApply(group.value)
      if (node === null) return fail('not-allowed', { kind: 'nobody-chosen-yet', id })
      return ok({ id, wish: { kind: 'pick', node } })
    }
    case 'resume': {
      const resume = resolveGroupResume(body)
      return resume.ok ? ok({ id, wish: { kind: 'enqueue', resume: resume.value } }) : resume
    }
    case 'inject':
    case 'report':
    case 'checkpoint': {
      const members = store.journals.inGroup(id)
      return fail('not-allowed', { kind: 'group-command', id, asked: body.kind, members })
    }
    default:
      return body satisfies never
  }
}
