/**
 * What the steps of a twin (test/rig/twin-machine) do, with files and the real engine: the effect is a file that only
 * one can create, the member is a loop that this process hosts as long as it attends it, and asks by the one way in.
 */

import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Folds, folds } from '../../src/core/folds.ts'
import { loopMachine } from '../../src/core/loop/machine.ts'
import { ask } from '../../src/engine/ask.ts'
import { drive } from '../../src/engine/drive.ts'
import { createJournal, hostLoop, leaveJournal } from '../../src/engine/host.ts'
import type { Running, StepTask } from '../../src/engine/machine.ts'
import type { World } from '../../src/engine/world.ts'
import { failureWords } from '../../src/failures/words.ts'
import type { Spec } from '../../src/model/loop/spec.ts'
import { loopId } from '../../src/model/units.ts'
import { hasEnded, type TwinEvent, type TwinKinds, type TwinStep, twinMachine } from './twin-machine.ts'

export const twinFolds: Folds = { ...folds, twin: twinMachine }

/** `dir`: where effects leave their marks, which no store knows of. `spec`: what the member is to do. */
export type TwinPlace = { dir: string; spec: Spec }

type Task = StepTask<TwinKinds> & TwinPlace

export function runningTwin(place: TwinPlace): Running<TwinKinds> {
  return {
    ...twinMachine,
    perform: (step, task) => perform(step, { ...task, ...place }),
    project: () => {},
  }
}

/** The journal of the member has fault points of its own: `member/append:3`. */
export function memberWorld(world: World): World {
  return { ...world, fault: point => world.fault(`member/${point}`) }
}

async function perform(step: TwinStep, task: Task): Promise<TwinEvent[]> {
  switch (step.kind) {
    case 'left':
      await delay(1)
      return [{ kind: 'left.done', data: { attempt: step.attempt } }]
    case 'right':
      return [settled(step.attempt, task)]
    case 'reserve':
      return [{ kind: 'member.reserved', data: { member: loopId(randomBytes(6)) } }]
    case 'attend':
      return attend(step.member, task)
    case 'end':
      return end(step.member, task)
    default:
      return step satisfies never
  }
}

/** The first to come causes the effect; everybody after only learns what became of it. */
function settled(attempt: number, { dir, world }: Task): TwinEvent {
  const claim = join(dir, `claim-${attempt}`)
  const mark = join(dir, `effect-${attempt}`)
  if (isFirst(claim)) {
    world.fault('effect')
    writeFileSync(mark, `${read(mark)}once\n`)
  }
  return { kind: 'effect.settled', data: { attempt, how: existsSync(mark) ? 'done' : 'lost' } }
}

function isFirst(claim: string): boolean {
  try {
    closeSync(openSync(claim, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Creates the member unless it is there, and hosts it where nobody does, until its head says that it has ended. */
async function attend(id: string, { world, state, signal, spec }: Task): Promise<TwinEvent[]> {
  const inside = memberWorld(world)
  const events = [{ kind: 'loop.created' as const, data: { spec: { ...spec, group: state.id } } }]
  const created = createJournal(loopMachine, world, { id, events, host: null })
  if (!created.ok) throw new Error(failureWords(created.failure))
  if (created.value) inside.fault('append:1')
  while (!signal.aborted) {
    const head = world.store.heads.get(id)
    if (!head.ok) throw new Error(failureWords(head.failure))
    const { status } = head.value
    if (hasEnded(status)) return [{ kind: 'member.ended', data: { status } }]
    if (status === 'paused') return [{ kind: 'member.rested', data: { status } }]
    await hosted(inside, id, signal)
  }
  return []
}

async function hosted(world: World, id: string, leave: AbortSignal): Promise<void> {
  const taken = hostLoop(world, id)
  if (!taken.ok) throw new Error(failureWords(taken.failure))
  if ('hostedBy' in taken.value) return delay(5)
  const { driven } = taken.value
  await drive(driven, leave)
  leaveJournal(driven)
}

async function end(member: string, { world }: Task): Promise<TwinEvent[]> {
  const before = world.store.heads.status(member)
  if (before !== null && !hasEnded(before)) {
    const asked = await ask(memberWorld(world), member, { kind: 'cancel' })
    if (!asked.ok) throw new Error(failureWords(asked.failure))
  }
  return [{ kind: 'member.ended', data: { status: world.store.heads.status(member) } }]
}
