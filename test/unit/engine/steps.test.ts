/**
 * The queue of a journal whose machine wants several steps at once: which steps are begun, aborted, recorded, and left.
 */

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { askJournal, record } from '../../../src/engine/ask.ts'
import { drive, submit } from '../../../src/engine/drive.ts'
import { createJournal, hostJournal } from '../../../src/engine/host.ts'
import type { Running } from '../../../src/engine/machine.ts'
import type { World } from '../../../src/engine/world.ts'
import { failureWords } from '../../../src/failures/words.ts'
import { becomeHost } from '../../../src/store/sqlite/lock.ts'
import { worldIn } from '../../rig/bare-world.ts'
import { simulated, tempStore } from '../../rig/given.ts'
import { type TwinEvent, type TwinKinds, type TwinStep, twinMachine } from '../../rig/twin-machine.ts'

const id = 'twin01'
const never = new AbortController().signal

type Flight = PromiseWithResolvers<TwinEvent[]> & {
  step: TwinStep
  signal: AbortSignal
  /** The events of the step if it is aborted. */
  aborted: TwinEvent[]
}

/** A twin whose steps end when the test lets them. */
function aTwin(t: TestContext, given: Partial<Running<TwinKinds>> = {}) {
  const store = tempStore(t)
  const host = becomeHost(store, 'us')
  t.after(() => host.release())
  const begun: Flight[] = []
  const waiting = new Set<() => void>()
  const twin: Running<TwinKinds> = {
    ...twinMachine,
    project: () => {},
    perform(step, { signal }) {
      const flight: Flight = { ...Promise.withResolvers<TwinEvent[]>(), step, signal, aborted: [] }
      signal.addEventListener('abort', () => flight.resolve(flight.aborted))
      begun.push(flight)
      for (const look of waiting) look()
      return flight.promise
    },
    ...given,
  }
  const machines = { ...simulated({ perform: () => assert.fail('no loop is hosted here') }), twin }
  const world: World = worldIn(store, { host, machines })
  const events: TwinEvent[] = [{ kind: 'twin.created', data: { cwd: '/tree' } }]
  assert.ok(createJournal(twinMachine, world, { id, events, host: null }).ok)
  const hosted = hostJournal(world, id)
  assert.ok(hosted.ok && 'driven' in hosted.value)
  const { driven } = hosted.value
  /** The flight of a step, once it has begun. */
  const flight = (kind: TwinStep['kind'], attempt?: number): Promise<Flight> =>
    new Promise(resolve => {
      const look = () => {
        const found = begun.find(({ step }) => step.kind === kind && (!attempt || has(step, attempt)))
        if (found) resolve(found)
      }
      waiting.add(look)
      look()
    })
  const kinds = () => {
    const journal = store.journals.read(id)
    assert.ok(journal.ok)
    return journal.value.map(event => String(event.kind))
  }
  return { driven, world, begun, flight, kinds }
}

function has(step: TwinStep, attempt: number): boolean {
  return 'attempt' in step && step.attempt === attempt
}

const left = (attempt: number): TwinEvent[] => [{ kind: 'left.done', data: { attempt } }]
const settled: TwinEvent[] = [{ kind: 'effect.settled', data: { attempt: 1, how: 'done' } }]
const reserved: TwinEvent[] = [{ kind: 'member.reserved', data: { member: 'member' } }]
const ended: TwinEvent[] = [{ kind: 'member.ended', data: { status: 'completed' } }]

test('steps wanted together run together; a step that ends is recorded while the others go on', async t => {
  const { driven, begun, flight, kinds } = aTwin(t)
  const done = drive(driven, never)
  const [first, reserve] = [await flight('left', 1), await flight('reserve')]
  assert.deepEqual(kinds(), ['twin.created'])
  first.resolve(left(1))
  const [second, right] = [await flight('left', 2), await flight('right')]
  // The effect is recorded while other steps are wanted: the one under way continues.
  assert.deepEqual(kinds().slice(1), ['left.done', 'effect.started'])
  reserve.resolve(reserved)
  const attend = await flight('attend')
  right.resolve(settled)
  attend.resolve(ended)
  second.resolve(left(2))
  await done
  assert.equal(begun.length, 5, 'nothing is begun twice')
  assert.ok(!begun.some(({ signal }) => signal.aborted))
  assert.equal(kinds().at(-1), 'twin.completed')
})

test('a step that is not wanted any more is aborted, the others go on', async t => {
  const { driven, flight, kinds } = aTwin(t)
  const done = drive(driven, never)
  ;(await flight('left', 1)).resolve(left(1))
  const [work, right, reserve] = [await flight('left', 2), await flight('right'), await flight('reserve')]
  submit(driven, { kind: 'cancel' })
  await new Promise(resolve => work.signal.addEventListener('abort', resolve))
  assert.ok(reserve.signal.aborted && !right.signal.aborted, 'what was begun is settled')
  right.resolve(settled)
  await done
  assert.deepEqual(kinds().slice(3), ['cancel.requested', 'effect.settled', 'twin.cancelled'])
})

test('the events of an aborted step are recorded', async t => {
  const { driven, flight, kinds } = aTwin(t)
  const done = drive(driven, never)
  const work = await flight('left', 1)
  work.aborted = left(1)
  submit(driven, { kind: 'cancel' })
  await done
  assert.deepEqual(kinds(), ['twin.created', 'cancel.requested', 'left.done', 'twin.cancelled'])
})

test('a step that throws ends what is under way, and nothing of it is recorded', async t => {
  const { driven, flight, kinds } = aTwin(t)
  const rejected = assert.rejects(drive(driven, never), /a bug/)
  const [work, reserve] = [await flight('left'), await flight('reserve')]
  reserve.aborted = reserved
  work.reject(new Error('a bug'))
  await rejected
  assert.ok(reserve.signal.aborted)
  assert.deepEqual(kinds(), ['twin.created'])
})

test('a host that goes at once aborts everything; the next one begins it again', async t => {
  const { driven, begun, flight } = aTwin(t)
  const leave = new AbortController()
  const gone = drive(driven, leave.signal)
  await flight('reserve')
  leave.abort()
  await gone
  assert.ok(begun.every(({ signal }) => signal.aborted))
  const again = new AbortController()
  const next = drive(driven, again.signal)
  assert.deepEqual(
    begun.map(({ step }) => step.kind),
    ['reserve', 'left', 'reserve', 'left'],
  )
  again.abort()
  await next
})

test('a leaving host waits for steps that may not be left, and aborts the others', async t => {
  const { driven, world, flight, kinds } = aTwin(t)
  const done = drive(driven, never)
  const [work, reserve] = [await flight('left', 1), await flight('reserve')]
  reserve.resolve(reserved)
  const attend = await flight('attend')
  work.resolve(left(1))
  const [again, right] = [await flight('left', 2), await flight('right')]
  driven.finishing = true
  const landed = new Promise<void>(resolve => {
    world.feed.subscribe(driven.state.id, () => resolve())
  })
  again.resolve(left(2))
  await landed
  assert.ok(!attend.signal.aborted, 'the effect is not settled')
  right.resolve(settled)
  await done
  assert.ok(attend.signal.aborted)
  assert.equal(kinds().at(-1), 'effect.settled')
})

test('a command that a machine does not know is refused, by whichever way it comes', async t => {
  const { driven, world, kinds } = aTwin(t)
  const here = record(driven, { kind: 'rollback' })
  assert.ok(!here.ok && here.failure.reason === 'not-allowed')
  const unknown = record(driven, { kind: 'levitate' })
  assert.ok(!unknown.ok)
  assert.match(failureWords(unknown.failure), /cannot be asked to levitate: no loop knows this command\.$/)
  world.store.inbox.send({ id: 'cause', loop: id, at: 1, command: { kind: 'levitate' } })
  submit(driven, { kind: 'cancel' })
  const leave = new AbortController()
  leave.abort()
  await drive(driven, leave.signal)
  assert.deepEqual(kinds(), ['twin.created', 'cancel.requested', 'command.refused'])
  const told = world.store.journals.read(id)
  assert.ok(told.ok)
  assert.deepEqual(
    told.value.at(-1)?.data,
    { command: 'unknown', facts: { kind: 'command-unreadable' }, why: 'it cannot be read' },
    'the words are for a loop that does not know the kind',
  )
})

test('a journal of any kind takes requests by the same function', async t => {
  const { driven, world } = aTwin(t)
  world.store.leases.release(id, driven.epoch)
  const orphaned = await askJournal(world, id, { kind: 'pause' })
  assert.ok(!orphaned.ok)
  assert.match(failureWords(orphaned.failure), /no process hosts it any more/)
  const cancelled = await askJournal(world, id, { kind: 'cancel' })
  assert.ok(cancelled.ok)
  assert.deepEqual(
    cancelled.value.events.map(({ kind }) => kind),
    ['cancel.requested', 'twin.cancelled'],
  )
  assert.equal(world.store.leases.hostOf(id), null)
})

test('a request to a journal that this process drives goes to its driver', async t => {
  const { driven, world, flight, kinds } = aTwin(t)
  const done = drive(driven, never)
  await flight('left', 1)
  // This process holds the lease: without asking for the driver, two would write the journal.
  const answer = await askJournal(world, id, { kind: 'cancel' })
  assert.ok(answer.ok, JSON.stringify(answer))
  assert.equal(driven.machine.summarize(await done).status, 'cancelled')
  assert.equal(kinds().filter(kind => kind === 'cancel.requested').length, 1)
})
