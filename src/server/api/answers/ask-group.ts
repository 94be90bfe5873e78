/**
 * Commands to a group over the API. A command meant for one loop is refused with the names of the group's loops; an
 * agent in its run may give no command to a whole group.
 */
import type { GroupWish } from '../../../core/group/admit.ts'
import { conflictFacts } from '../../../core/group/apply.ts'
import { find, type GroupState, resultToApply } from '../../../core/group/state.ts'
import type { Kinds } from '../../../core/machine.ts'
import { ask } from '../../../engine/ask.ts'
import { readState } from '../../../engine/read-state.ts'
import type { World } from '../../../engine/world.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import { resolveGroupResume } from '../../../options/request.ts'
import type { RouteRequest } from '../contract.ts'

type Body = RouteRequest<'command'>['body']

/** `run`: the loop in whose run the caller is. */
export type CommandAsked = { body: Body; run: string | null }

/** Longer than all members need to stop, and an apply needs for its promise. */
const endMs = 60_000

export async function askGroup(world: World, id: string, { body, run }: CommandAsked): Promise<Result<null>> {
  if (run !== null) return fail('not-allowed', { kind: 'group-for-people', id })
  const wish = wishOf(world, id, body)
  if (!wish.ok) return wish
  const asked = await told(world, id, wish.value)
  if (!asked.ok || body.kind !== 'cancel' || body.rollback === undefined) return asked
  return told(world, id, { kind: 'rollback', to: body.rollback })
}

const ends: Partial<Record<GroupWish['kind'], string[]>> = {
  rollback: ['tree.restored', 'rollback.failed'],
  pick: ['group.completed', 'group.failed', 'group.held'],
  cancel: ['group.cancelled', 'group.held'],
}

async function told(world: World, id: string, wish: GroupWish): Promise<Result<null>> {
  const wanted = ends[wish.kind]
  const done = (events: Kinds['event'][]) => events.some(({ kind }) => wanted?.includes(kind))
  const asked = await ask(world, id, wish, wanted ? { until: { done, ms: endMs } } : {})
  if (!asked.ok) return asked
  const failed = asked.value.events.find(event => event.kind === 'rollback.failed')
  if (failed) {
    const { why } = failed.data as { why: string }
    return fail('step-failed', { kind: 'group-not-rolled-back', id, why })
  }
  return wish.kind === 'pick' ? pickedWell(asked.value.state as GroupState, wish.node) : ok(null)
}

/** The result of the last pick; one that is still under way is not a failure. */
function pickedWell(state: GroupState, node: string): Result<null> {
  const { end } = find(state, `apply-${state.picks.length + 1}`) ?? {}
  if (!end || end.how === 'completed') return ok(null)
  if (end.how === 'conflict') return fail('apply-conflict', conflictFacts(state, end))
  return fail('apply-failed', { kind: 'pick-failed', node, why: end.why ?? end.how })
}

function wishOf({ store }: World, id: string, body: Body): Result<GroupWish> {
  switch (body.kind) {
    case 'pause':
    case 'cancel':
      return ok({ kind: body.kind })
    case 'answer':
    case 'pick':
    case 'review':
      return ok(body)
    case 'rollback':
      return rollbackOf(readState(store, id, 'group'), body)
    case 'apply':
      return applyOf(readState(store, id, 'group'))
    case 'resume': {
      const resume = resolveGroupResume(body)
      return resume.ok ? ok({ kind: 'enqueue', resume: resume.value }) : resume
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

function rollbackOf(group: Result<GroupState>, { to }: { to?: string | undefined }): Result<GroupWish> {
  if (!group.ok) return group
  const { id, rollbacks } = group.value
  if (to !== undefined) return ok({ kind: 'rollback', to })
  if (rollbacks === 0) return fail('not-allowed', { kind: 'group-never-rolled-back', id })
  return ok({ kind: 'rollback', to: `before-rollback-${rollbacks}` })
}

function applyOf(group: Result<GroupState>): Result<GroupWish> {
  if (!group.ok) return group
  const node = resultToApply(group.value)
  if (node !== null) return ok({ kind: 'pick', node })
  return fail('not-allowed', { kind: 'nobody-chosen-yet', id: group.value.id })
}
