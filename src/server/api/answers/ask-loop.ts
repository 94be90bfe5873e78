/** Commands to a loop over the API; those of an agent in its run are recorded as the agent's. */
import { fold } from '../../../core/loop/evolve.ts'
import type { Wish as LoopWish } from '../../../core/loop/machine.ts'
import { ask } from '../../../engine/ask.ts'
import { savedTree } from '../../../engine/garbage/discarded.ts'
import { readState } from '../../../engine/read-state.ts'
import type { World } from '../../../engine/world.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import type { Event } from '../../../model/loop/event.ts'
import { resolveResume } from '../../../options/request.ts'
import type { System } from '../../../options/system.ts'
import { askGroup, type CommandAsked } from './ask-group.ts'

type Place = { world: World; system: System }

/** Longer than the grace period, KILL, and the wait for processes that do not die. */
const endMs = 30_000

export async function askLoop(place: Place, id: string, { body, run }: CommandAsked): Promise<Result<null>> {
  const { world } = place
  if (body.kind === 'apply') return applyMember(world, id)
  const wish = wishOf(place, id, body)
  if (!wish.ok) return wish
  if (wish.value.kind === 'rollback') {
    const gone = goneTarget(world, id, wish.value.to)
    if (!gone.ok) return gone
  }
  const isBoth = body.kind === 'cancel' && body.rollback !== undefined
  const asked = await told(world, id, run ? ofAgent(wish.value) : wish.value)
  return asked.ok && isBoth ? told(world, id, { kind: 'rollback', to: body.rollback ?? '' }) : asked
}

const ends: Partial<Record<LoopWish['kind'], string[]>> = {
  rollback: ['tree.restored', 'rollback.failed'],
  cancel: ['loop.cancelled', 'loop.held', 'hook.ended'],
}

async function told(world: World, id: string, wish: LoopWish): Promise<Result<null>> {
  const wanted = ends[wish.kind]
  const done = (events: Event[]) => events.some(({ kind }) => wanted?.includes(kind))
  const asked = await ask(world, id, wish, { of: 'loop', ...(wanted && { until: { done, ms: endMs } }) })
  if (!asked.ok) return asked
  const failed = asked.value.events.find(event => event.kind === 'rollback.failed')
  if (failed) return fail('step-failed', { kind: 'loop-not-rolled-back', id, why: failed.data.why ?? '' })
  return ok(null)
}

/** A resumed loop goes back into the background queue. */
function wishOf({ world, system }: Place, id: string, body: CommandAsked['body']): Result<LoopWish> {
  switch (body.kind) {
    case 'pick':
    case 'review':
    case 'apply':
      return fail('not-allowed', { kind: 'nothing-to-pick', id })
    case 'cancel':
      return ok({ kind: 'cancel', ...(body.by && { by: body.by }) })
    case 'rollback':
      return rollbackOf(world, id, body.to)
    case 'resume': {
      const loop = readState(world.store, id, 'loop')
      if (!loop.ok) return loop
      const resume = resolveResume(body, system, loop.value.spec)
      return resume.ok ? ok({ kind: 'enqueue', resume: resume.value }) : resume
    }
    default:
      return ok(body)
  }
}

function rollbackOf(world: World, id: string, to: string | undefined): Result<LoopWish> {
  if (to !== undefined) return ok({ kind: 'rollback', to })
  const loop = readState(world.store, id, 'loop')
  if (!loop.ok) return loop
  const { lastKept } = loop.value.tree
  if (lastKept === null) return fail('not-allowed', { kind: 'never-rolled-back', id })
  return ok({ kind: 'rollback', to: lastKept })
}

/** The group of a member applies the member's result to the tree. */
function applyMember(world: World, id: string): Promise<Result<null>> | Result<never> {
  const head = world.store.heads.get(id)
  if (!head.ok) return head
  const { group } = head.value
  if (group === null) return fail('not-allowed', { kind: 'in-own-tree', id })
  return askGroup(world, group, { body: { kind: 'pick', node: id }, run: null })
}

function ofAgent(wish: LoopWish): LoopWish {
  return wish.kind === 'inject' || wish.kind === 'pause' ? { ...wish, by: 'agent' } : wish
}

/** Checked before the loop is asked: a rollback to a removed checkpoint would only fail. */
function goneTarget({ store }: World, id: string, to: string): Result<unknown> {
  const events = store.journals.read(id)
  if (!events.ok) return events
  const saved = savedTree(store.paths, fold(events.value), { name: to })
  return saved.ok || saved.failure.reason !== 'checkpoint-gone' ? ok(null) : saved
}
