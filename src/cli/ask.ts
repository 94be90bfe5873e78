/**
 * Asking something of a loop that exists, whoever hosts it: its host through the inbox, or, where nobody does,
 * this process for the moment it takes to record it.
 */
import { admit } from '../core/admit.ts'
import { fold } from '../core/evolve.ts'
import type { State } from '../core/state.ts'
import { commit } from '../engine/drive.ts'
import { hostLoop, leaveLoop, sendCommand } from '../engine/host.ts'
import type { World } from '../engine/world.ts'
import type { Command } from '../model/command.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { read } from '../store/journal.ts'

/** The state after the command was admitted; nothing is driven. */
export async function ask(world: World, id: string, command: Command): Promise<Result<State>> {
  const hosted = hostLoop(world, id, () => {})
  if (!hosted.ok) return hosted
  if ('hostedBy' in hosted.value) return askHost(world, { id, command, by: hosted.value.hostedBy })
  const loop = hosted.value.driven
  try {
    const admission = admit(loop.state, command)
    if (!admission.ok) return refused(id, command.kind, admission.why)
    commit(loop, admission.events, null)
    return ok(loop.state)
  } finally {
    leaveLoop(loop)
  }
}

type Question = { id: string; command: Command; by: string }

export async function askHost(world: World, { id, command, by }: Question): Promise<Result<State>> {
  const answer = await sendCommand(world, id, command)
  if (!answer.ok) return answer
  if ('silent' in answer.value) {
    const pid = by.split('-')[0]
    return fail(
      'host-silent',
      `Loop ${id} was asked to ${command.kind}, but process ${pid}, which hosts it, does not answer; the request waits for it. If it hangs: kill -9 ${pid}, then again: loop ${command.kind} ${id}`,
    )
  }
  const event = answer.value.answered
  if (event.kind === 'command.refused') return refused(id, command.kind, event.data.why)
  const journal = read(world.store, id)
  return journal.ok ? ok(fold(journal.value)) : journal
}

export function refused(id: string, kind: Command['kind'], why: string): Result<never> {
  const done = {
    pause: 'paused',
    resume: 'resumed',
    cancel: 'cancelled',
    inject: 'told anything',
    rollback: 'rolled back',
  }[kind]
  return fail('not-allowed', `Loop ${id} can not be ${done}: ${why}.`)
}
