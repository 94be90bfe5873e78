/** A loop that comes to rest gives up its work tree: later requests are refused while another loop holds the tree. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { record } from '../../../src/engine/ask.ts'
import { type Driven, drive } from '../../../src/engine/drive.ts'
import { hostJournal } from '../../../src/engine/host.ts'
import type { World } from '../../../src/engine/world.ts'
import type { Command } from '../../../src/model/loop/command.ts'
import type { Event } from '../../../src/model/loop/event.ts'
import { becomeHost } from '../../../src/store/sqlite/lock.ts'
import { worldIn } from '../../rig/bare-world.ts'
import { completed, held, simulated, story, tempStore, writeLoop } from '../../rig/given.ts'

/** A loop with these events, hosted by this process, beside another one that is active in its tree. */
function hosted(t: TestContext, events: Event[]): Driven {
  const store = tempStore(t)
  const host = becomeHost(store, 'us')
  t.after(() => host.release())
  const machines = simulated({
    perform: async step => {
      throw new Error(`The tree is another loop's, and yet: ${step.kind}`)
    },
  })
  const world: World = { ...worldIn(store, { host, machines }), now: () => 2_000_000 }
  writeLoop(store, { id: 'aaaaaa', events })
  const loop = hostJournal(world, 'aaaaaa', 'loop')
  assert.ok(loop.ok && 'driven' in loop.value)
  writeLoop(store, { id: 'bbbbbb', spec: { cwd: '/tree/inner' } })
  return loop.value.driven
}

const rollback: Command = { kind: 'rollback', to: 'initial' }
const asked: [string, Command, Event[]][] = [
  ['a rollback of a loop that has completed', rollback, [...story, completed]],
  ['a rollback of a loop that is paused', rollback, [...story, held()]],
  ['a resume that takes back a pause', { kind: 'resume', stays: true }, [...story, held()]],
]

for (const [what, command, events] of asked) {
  test(`${what} is refused when it comes out of the inbox too late`, async t => {
    const loop = hosted(t, events)
    const told: Event[] = []
    loop.world.feed.subscribe<'loop'>('aaaaaa', ({ event }) => told.push(event))
    loop.world.store.inbox.send({ id: 'cause', loop: 'aaaaaa', at: 1, command })
    await drive(loop, new AbortController().signal)
    const [refused, ...more] = told
    assert.ok(refused?.kind === 'command.refused' && more.length === 0, JSON.stringify(told))
    assert.deepEqual(refused.data.facts, { kind: 'tree-busy', id: 'bbbbbb', cwd: '/tree/inner' })
    assert.match(refused.data.why ?? '', /^Loop bbbbbb is active in \/tree\/inner\./)
  })
}

test('a rollback is refused by the state of the tree when it is recorded, not when the loop was taken', t => {
  const loop = hosted(t, [...story, completed])
  const before = loop.state.seq
  const done = record(loop, rollback)
  assert.ok(!done.ok && done.failure.reason === 'tree-busy')
  assert.equal(loop.state.seq, before)
})

test('a queued loop does not begin in a tree in which another is active', t => {
  const loop = hosted(t, [{ kind: 'loop.queued', data: { priority: 'normal' } }])
  const begun = record(loop, { kind: 'dequeue' })
  assert.ok(!begun.ok && begun.failure.reason === 'tree-busy')
})
