/**
 * What a group is asked over the API. A command that is for one loop is refused with the names of its loops; an agent
 * in its run may ask nothing of a whole group.
 */
import type { GroupWish } from '../../core/group/admit.ts'
import { askJournal } from '../../engine/ask.ts'
import type { World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { resolveGroupResume } from '../../options/request.ts'
import { safeText } from '../../views/text/plain-text.ts'
import type { RouteRequest } from './contract.ts'

type Body = RouteRequest<'command'>['body']

/** `run`: the loop in whose run somebody asks. */
export type CommandAsked = { body: Body; run: string | null }

export async function askGroup(world: World, id: string, { body, run }: CommandAsked): Promise<Result<null>> {
  if (run !== null)
    return fail('not-allowed', `Group ${id} is asked by people: an agent can ask something of its own loop.`)
  const wish = wishOf(world, id, body)
  if (!wish.ok) return wish
  const asked = await askJournal(world, id, wish.value)
  if (!asked.ok) return asked
  const failed = asked.value.events.find(event => event.kind === 'rollback.failed')
  if (!failed) return ok(null)
  const { why } = failed.data as { why: string }
  return fail('step-failed', `Group ${id} is not rolled back: ${safeText(why)}`)
}

function wishOf({ store }: World, id: string, body: Body): Result<GroupWish> {
  switch (body.kind) {
    case 'pause':
    case 'cancel':
      return ok({ kind: body.kind })
    case 'answer':
    case 'pick':
    case 'rollback':
      return ok(body)
    case 'resume': {
      const resume = resolveGroupResume(body)
      return resume.ok ? ok({ kind: 'enqueue', resume: resume.value }) : resume
    }
    case 'inject':
    case 'report':
    case 'checkpoint': {
      const members = store.journals.inGroup(id).join(', ') || 'it has none yet'
      return fail('not-allowed', `${id} is a group, and ${body.kind} is for one loop. Its loops: ${members}.`)
    }
    default:
      return body satisfies never
  }
}
