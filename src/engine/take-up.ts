/**
 * Takes up a journal without a host, after recording the command that was given: the caller drives it and then
 * leaves it.
 */
import type { GroupWish } from '../core/group/admit.ts'
import type { GroupKinds } from '../core/group/machine.ts'
import type { Wish } from '../core/loop/machine.ts'
import type { Kinds } from '../core/machine.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { alreadyDriven, record } from './ask.ts'
import type { Driven } from './drive.ts'
import { hostJournal, hostLoop, leaveJournal } from './host.ts'
import type { World } from './world.ts'

/** Takes up a loop; without a wish, as it is. */
export function takeUp(world: World, id: string, wish: Wish | null): Result<Driven> {
  const hosted = hostLoop(world, id)
  if (!hosted.ok) return hosted
  if ('hostedBy' in hosted.value) return alreadyDriven(id, hosted.value.hostedBy)
  const { driven } = hosted.value
  return wish ? entered(driven, wish) : ok(driven)
}

/** The same for a group. */
export function takeUpGroup(world: World, id: string, wish: GroupWish): Result<Driven<GroupKinds>> {
  const hosted = hostJournal(world, id)
  if (!hosted.ok) return hosted
  if ('hostedBy' in hosted.value) return alreadyDriven(id, hosted.value.hostedBy)
  const { driven } = hosted.value
  if (isGroup(driven)) return entered(driven, wish)
  leaveJournal(driven)
  return fail('not-allowed', { kind: 'not-a-group', id, is: driven.machine.kind })
}

/** Records the command; if that fails, the journal is left again. */
function entered<K extends Kinds>(driven: Driven<K>, wish: K['command']): Result<Driven<K>> {
  const recorded = record(driven, wish)
  if (recorded.ok) return ok(driven)
  leaveJournal(driven)
  return recorded
}

function isGroup(journal: Driven<Kinds>): journal is Driven<GroupKinds> {
  return journal.machine.kind === 'group'
}
