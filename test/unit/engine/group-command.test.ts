/** The commands of a group, with real processes: a hook runs once even if its host dies, a measure is repeated. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { GroupStep } from '../../../src/core/group/decide.ts'
import { performGroup } from '../../../src/engine/perform/group/steps.ts'
import type { NodeOf } from '../../../src/model/group/node.ts'
import { platform } from '../../../src/platform/platform.ts'
import { becomeHost } from '../../../src/store/sqlite/lock.ts'
import { worldIn } from '../../rig/bare-world.ts'
import { marked } from '../../rig/daemon.ts'
import { simulated, tempDir, tempStore } from '../../rig/given.ts'
import { afterEvents, aGroup, aHook, begun } from '../../rig/given-group.ts'
import { readOr, until } from '../../rig/rig.ts'

const of = { node: 'tell', attempt: 1 }
const run: GroupStep = { kind: 'run', ...of }
const stop: GroupStep = { kind: 'stop', ...of }

let groups = 0

/** A group whose command has begun. */
function aCommand(t: TestContext, command: string, given: Partial<NodeOf<'command'>> = {}) {
  const store = tempStore(t)
  const host = becomeHost(store, 'us')
  t.after(() => host.release())
  const cwd = tempDir(t)
  const machines = simulated({ perform: () => assert.fail('no loop is hosted here') })
  const env = { PATH: process.env['PATH'] }
  const world = { ...worldIn(store, { host, machines }), here: platform.processes.here(), env }
  const node = aHook('tell', { command, timeoutMs: 60_000, ...given })
  groups += 1
  // No other test has this id: all processes that carry it are killed.
  const id = `group-${process.pid}-${groups}`
  const state = { ...afterEvents(aGroup([node], { cwd }), begun('tell')), id }
  const written = () => readOr(join(cwd, 'out'))
  const does = (step: GroupStep, signal = new AbortController().signal) =>
    performGroup(step, { world, state, signal })
  /** A host that leaves as soon as the command has begun. */
  const leaves = async () => {
    const abort = new AbortController()
    const done = does(run, abort.signal)
    await until('the command to begin', () => written() !== '')
    abort.abort()
    assert.deepEqual(await done, [])
  }
  return { does, leaves, written, processes: () => marked(id) }
}

/** The end of the command, without the fields that differ each time. */
function ends(events: Awaited<ReturnType<typeof performGroup>>) {
  return events.map(event => event.kind === 'node.ended' && [event.data.how, event.data.exitCode])
}

test('a hook goes on when its host leaves, and the next one learns how it ended', async t => {
  const { does, leaves, written } = aCommand(t, 'echo begins >> out; sleep 0.3; echo ends >> out; exit 3')
  await leaves()
  assert.deepEqual(ends(await does(run)), [['failed', 3]])
  assert.equal(written(), 'begins\nends\n')
  assert.deepEqual(ends(await does(run)), [['failed', 3]], 'asked once more')
  assert.equal(written(), 'begins\nends\n')
})

test('a hook that was killed is lost, and not run again', async t => {
  const { does, leaves, written, processes } = aCommand(t, 'echo begins >> out; exec sleep 60')
  await leaves()
  // The first kill may end the other processes too.
  spawnSync('kill', ['-9', ...processes().map(String)])
  assert.deepEqual(ends(await does(run)), [['lost', null]])
  assert.equal(written(), 'begins\n')
})

test('a hook of a group that is cancelled is stopped, whichever host began it', async t => {
  const { does, leaves, processes } = aCommand(t, 'echo begins >> out; exec sleep 60')
  await leaves()
  assert.deepEqual(ends(await does(stop)), [['cancelled', undefined]])
  assert.deepEqual(processes(), [])
})

test('a measure ends with its host, and is made again', async t => {
  const { does, leaves, written, processes } = aCommand(
    t,
    'echo begins >> out; [ $(wc -l < out) = 2 ] || exec sleep 60',
    { purpose: 'measure' },
  )
  await leaves()
  assert.deepEqual(processes(), [])
  assert.deepEqual(ends(await does(run)), [['completed', 0]])
  assert.equal(written(), 'begins\nbegins\n')
})
