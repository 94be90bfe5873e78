/**
 * The queue of a journal whose machine wants several steps at once, shown by a group of three attempts: which steps are
 * begun, aborted, recorded, and left.
 */

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { GroupStep } from '../../../src/core/group/decide.ts'
import { type GroupKinds, groupMachine } from '../../../src/core/group/machine.ts'
import { ask, record } from '../../../src/engine/ask.ts'
import { type Driven, drive, submit } from '../../../src/engine/drive.ts'
import { hostJournal } from '../../../src/engine/host.ts'
import type { World } from '../../../src/engine/world.ts'
import { failureWords } from '../../../src/failures/words.ts'
import type { GroupEvent } from '../../../src/model/group/event.ts'
import { becomeHost } from '../../../src/store/sqlite/lock.ts'
import { worldIn } from '../../rig/bare-world.ts'
import { simulated, tempStore } from '../../rig/given.ts'
import { anAttempt, begun, copied, initial, over, planned, rests, writeGroup } from '../../rig/given-group.ts'

const id = 'group1'
const never = new AbortController().signal

type Flight = PromiseWithResolvers<GroupEvent[]> & {
  step: GroupStep
  signal: AbortSignal
  /** The events of the step if it is aborted. */
  aborted: GroupEvent[]
}

let hosts = 0

/** Attempts a and b, and c, which needs a; their steps end when the test lets them. */
function aGroup(t: TestContext) {
  const store = tempStore(t)
  hosts += 1
  const host = becomeHost(store, `us-${hosts}`)
  t.after(() => host.release())
  const taken: Flight[] = []
  const waiting = new Set<() => void>()
  const group: World['machines']['group'] = {
    ...groupMachine,
    project: () => {},
    perform(step, { signal }) {
      const flight: Flight = { ...Promise.withResolvers<GroupEvent[]>(), step, signal, aborted: [] }
      signal.addEventListener('abort', () => flight.resolve(flight.aborted))
      taken.push(flight)
      for (const look of waiting) look()
      return flight.promise
    },
  }
  const machines = { ...simulated({ perform: () => assert.fail('no loop is hosted here') }), group }
  const world: World = worldIn(store, { host, machines })
  const nodes = [anAttempt('a'), anAttempt('b'), anAttempt('c', { needs: ['a'] })]
  writeGroup(store, { id, events: [initial, planned(...nodes)] })
  const hosted = hostJournal(world, id)
  assert.ok(hosted.ok && 'driven' in hosted.value)
  const driven = hosted.value.driven as unknown as Driven<GroupKinds>
  /** The flight of a step, once it has begun. */
  const flight = (kind: GroupStep['kind'], node: string, wish?: string): Promise<Flight> =>
    new Promise(resolve => {
      const look = () => {
        const found = taken.find(({ step }) => isIt(step, { kind, node, wish }))
        if (found) resolve(found)
      }
      waiting.add(look)
      look()
    })
  /** Lets an attempt come as far as its member, which is attended then. */
  const atWork = async (node: string): Promise<Flight> => {
    ;(await flight('begin', node)).resolve([started(node)])
    ;(await flight('copy', node)).resolve([copied(node)])
    return flight('attend', node)
  }
  /** Once there is another event of this kind. */
  const recorded = (kind: GroupEvent['kind']): Promise<void> =>
    new Promise(resolve => {
      world.feed.subscribe(id, ({ event }) => String(event.kind) === kind && resolve())
    })
  /** The kinds of its events since it was planned. */
  const kinds = () => {
    const journal = store.journals.read(id)
    assert.ok(journal.ok)
    return journal.value.slice(3).map(event => String(event.kind))
  }
  return { driven, world, taken, flight, atWork, recorded, kinds }
}

function isIt(step: GroupStep, asked: { kind: string; node: string; wish: string | undefined }): boolean {
  if (step.kind !== asked.kind || !('node' in step) || step.node !== asked.node) return false
  return asked.wish === undefined || ('wish' in step && step.wish === asked.wish)
}

const started = (node: string) => begun(node, `m-${node}`)
const lost = (node: string) => over(node, { how: 'failed' })

test('steps wanted together run together; a step that ends is recorded while the others go on', async t => {
  const { driven, taken, flight, atWork, recorded, kinds } = aGroup(t)
  const done = drive(driven, never)
  const [first, second] = [await flight('begin', 'a'), await flight('begin', 'b')]
  assert.deepEqual(kinds(), [])
  first.resolve([started('a')])
  ;(await flight('copy', 'a')).resolve([copied('a')])
  const member = await flight('attend', 'a')
  assert.deepEqual(kinds(), ['node.started', 'copy.made'])
  second.resolve([started('b')])
  const other = await atWork('b')
  const skipped = recorded('node.skipped')
  member.resolve([lost('a')])
  await skipped
  // What the machine decides itself is recorded while other steps are wanted: the one under way continues.
  other.resolve([lost('b')])
  await done
  assert.equal(taken.length, 6, 'nothing is begun twice')
  assert.ok(!taken.some(({ signal }) => signal.aborted))
  assert.equal(kinds().at(-1), 'group.failed')
})

test('a step that is not wanted any more is aborted, the others go on', async t => {
  const { driven, flight, kinds } = aGroup(t)
  const done = drive(driven, never)
  ;(await flight('begin', 'a')).resolve([started('a')])
  const [copy, other] = [await flight('copy', 'a'), await flight('begin', 'b')]
  const aborted = new Promise(resolve => other.signal.addEventListener('abort', resolve))
  submit(driven, { kind: 'pause' })
  await aborted
  assert.ok(!copy.signal.aborted, 'what was begun is finished')
  copy.resolve([copied('a')])
  ;(await flight('attend', 'a', 'rest')).resolve([rests('a')])
  await done
  assert.deepEqual(kinds(), ['node.started', 'group.held', 'copy.made', 'node.rested'])
})

test('the events of an aborted step are recorded', async t => {
  const { driven, flight, kinds } = aGroup(t)
  const done = drive(driven, never)
  const begin = await flight('begin', 'b')
  begin.aborted = [started('b')]
  submit(driven, { kind: 'cancel' })
  ;(await flight('attend', 'b', 'end')).resolve([over('b', { how: 'cancelled' })])
  ;(await flight('free', 'b')).resolve([{ kind: 'copy.freed', data: { node: 'b' } }])
  await done
  assert.deepEqual(kinds().slice(0, 2), ['cancel.requested', 'node.started'])
  assert.equal(kinds().at(-1), 'group.cancelled')
})

test('a step that throws ends what is under way, and nothing of it is recorded', async t => {
  const { driven, flight, kinds } = aGroup(t)
  const rejected = assert.rejects(drive(driven, never), /a bug/)
  const [first, other] = [await flight('begin', 'a'), await flight('begin', 'b')]
  other.aborted = [started('b')]
  first.reject(new Error('a bug'))
  await rejected
  assert.ok(other.signal.aborted)
  assert.deepEqual(kinds(), [])
})

test('a host that goes at once aborts everything; the next one begins it again', async t => {
  const { driven, taken, flight } = aGroup(t)
  const leave = new AbortController()
  const gone = drive(driven, leave.signal)
  await flight('begin', 'b')
  leave.abort()
  await gone
  assert.ok(taken.every(({ signal }) => signal.aborted))
  const again = new AbortController()
  const next = drive(driven, again.signal)
  assert.deepEqual(
    taken.map(({ step }) => [step.kind, 'node' in step && step.node]),
    [
      ['begin', 'a'],
      ['begin', 'b'],
      ['begin', 'a'],
      ['begin', 'b'],
    ],
  )
  again.abort()
  await next
})

test('a leaving host waits for steps that may not be left, and aborts the others', async t => {
  const { driven, flight, atWork, recorded, kinds } = aGroup(t)
  const done = drive(driven, never)
  ;(await atWork('a')).resolve([over('a')])
  const [member, begin] = [await atWork('b'), await flight('begin', 'c')]
  begin.resolve([started('c')])
  const copy = await flight('copy', 'c')
  driven.finishing = true
  const refused = recorded('command.refused')
  // A refused command is an event too: the queue decides again, and may not leave yet.
  submit(driven, { kind: 'pick', node: 'nobody' } as never)
  await refused
  assert.ok(!member.signal.aborted, 'the copy is not made')
  copy.resolve([copied('c')])
  await done
  assert.ok(member.signal.aborted)
  assert.equal(kinds().at(-1), 'copy.made')
})

test('a command that a machine does not know is refused, by whichever way it comes', async t => {
  const { driven, world, kinds } = aGroup(t)
  const here = record(driven, { kind: 'inject' } as never)
  assert.ok(!here.ok && here.failure.reason === 'not-allowed')
  const unknown = record(driven, { kind: 'levitate' } as never)
  assert.ok(!unknown.ok)
  assert.match(failureWords(unknown.failure), /cannot be asked to levitate: levitate is for one loop/)
  world.store.inbox.send({ id: 'cause', loop: id, at: 1, command: { kind: 'levitate' } })
  submit(driven, { kind: 'cancel' })
  const leave = new AbortController()
  leave.abort()
  await drive(driven, leave.signal)
  assert.deepEqual(kinds(), ['cancel.requested', 'command.refused'])
  const told = world.store.journals.read(id)
  assert.ok(told.ok)
  assert.deepEqual(
    told.value.at(-1)?.data,
    { command: 'unknown', facts: { kind: 'command-unreadable' }, why: 'it cannot be read' },
    'the words are for a loop that does not know the kind',
  )
})

test('a journal of any kind takes requests by the same function', async t => {
  const { driven, world } = aGroup(t)
  world.store.leases.release(id, driven.epoch)
  const orphaned = await ask(world, id, { kind: 'pause' })
  assert.ok(!orphaned.ok)
  assert.match(failureWords(orphaned.failure), /no process hosts it any more/)
  const cancelled = await ask(world, id, { kind: 'cancel' })
  assert.ok(cancelled.ok)
  assert.deepEqual(
    cancelled.value.events.map(({ kind }) => String(kind)),
    ['cancel.requested', 'group.cancelled'],
  )
  assert.equal(world.store.leases.hostOf(id), null)
})

test('a request to a journal that this process drives goes to its driver', async t => {
  const { driven, world, flight, kinds } = aGroup(t)
  const done = drive(driven, never)
  await flight('begin', 'a')
  // This process holds the lease: without asking for the driver, two would write the journal.
  const answer = await ask(world, id, { kind: 'cancel' })
  assert.ok(answer.ok, JSON.stringify(answer))
  assert.equal(driven.machine.summarize(await done).status, 'cancelled')
  assert.equal(kinds().filter(kind => kind === 'cancel.requested').length, 1)
})
