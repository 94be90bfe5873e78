/**
 * Hosting finds journals by their heads, also those of another kind, and leaves alone a kind that only a newer loop
 * knows.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupMachine } from '../../../src/core/group/machine.ts'
import { type Head, headShape } from '../../../src/core/head.ts'
import { ask } from '../../../src/engine/ask.ts'
import { feedOf } from '../../../src/engine/feed.ts'
import { hostJournal } from '../../../src/engine/host.ts'
import { hostLoops } from '../../../src/engine/hosting.ts'
import type { World } from '../../../src/engine/world.ts'
import { failureWords } from '../../../src/failures/words.ts'
import type { GroupEvent } from '../../../src/model/group/event.ts'
import { eventVersion } from '../../../src/model/version.ts'
import type { Store } from '../../../src/store/contract.ts'
import { becomeHost } from '../../../src/store/sqlite/lock.ts'
import { detail } from '../../../src/views/faces/detail.ts'
import { table } from '../../../src/views/text/loop-table.ts'
import { worldIn } from '../../rig/bare-world.ts'
import { simulated, tempStore } from '../../rig/given.ts'
import { anAttempt, begun, copied, initial, over, planned, writeGroup } from '../../rig/given-group.ts'
import { until } from '../../rig/rig.ts'

const foreign = 'orbit1'
const group = 'group1'

/** A journal as a newer loop would write it: a head, and events of an unknown kind. */
function writeForeign(store: Store): void {
  const envelope = { v: eventVersion, seq: 1, at: 1, loop: foreign, epoch: 1, cause: null }
  const summary: Head = {
    shape: headShape,
    id: foreign,
    kind: 'orbit',
    group: null,
    seq: 1,
    cwd: '/elsewhere',
    status: 'running',
    reason: null,
    createdAt: 1,
    endedAt: null,
    holdsTree: true,
    needsSlot: false,
    background: 'normal',
    queuedAt: null,
    costUsd: null,
    detail: '',
    iteration: 0,
    maxIterations: null,
    costEstimated: false,
    costIncomplete: false,
    budgetUsd: null,
    prompt: '',
    promise: '',
    agent: '–',
    activeMs: 0,
    activeSince: null,
    pending: null,
    waitUntil: null,
    question: null,
    outcomeAt: null,
    rolledBackTo: null,
  }
  const events = [{ ...envelope, kind: 'orbit.created', data: {} }]
  assert.ok(store.journals.create({ events, summary, host: null }).ok)
}

/** A group of the background that a host has taken up once. */
const taken: GroupEvent[] = [
  { kind: 'group.queued', data: { priority: 'normal' } },
  { kind: 'group.dequeued', data: {} },
]

/** Its one attempt fails at once. */
const performGroup: World['machines']['group']['perform'] = async step => {
  if (step.kind === 'begin') return [begun(step.node, 'member')]
  if (step.kind === 'copy') return [copied(step.node)]
  return step.kind === 'attend' ? [over(step.node, { how: 'failed' })] : assert.fail(step.kind)
}

test('a group is hosted to its end; a journal of an unknown kind is reported, shown, and left alone', async t => {
  const store = tempStore(t)
  const host = becomeHost(store, 'us')
  const failed: [string | null, unknown, boolean][] = []
  const feed = feedOf(store, { now: Date.now, broken: error => failed.push([null, error, true]) })
  const machines = {
    ...simulated({ perform: () => assert.fail('no loop is hosted here') }),
    group: { ...groupMachine, perform: performGroup, project: () => {} },
  }
  const world = { ...worldIn(store, { host, machines }), feed }
  const forget = feed.subscribe({ of: 'loop' }, ({ event }) => {
    // Only events of loops are announced, not those of the group.
    failed.push([event.loop, event.kind, true])
  })
  t.after(() => {
    forget()
    host.release()
  })
  writeForeign(store)
  writeGroup(store, { id: group, events: [...taken, initial, planned(anAttempt('a'))] })
  const hosting = hostLoops({
    store,
    host,
    feed,
    worldOf: () => world,
    now: Date.now,
    // A group starts no agent itself, so it needs no slot.
    limit: () => 0,
    mayBegin: () => true,
    restartMs: 1,
    mended() {},
    failed: (id, cause, givenUp) => failed.push([id, cause, givenUp]),
    lost: error => failed.push([null, error, true]),
  })
  hosting.look()
  await until('the end of the group', () => store.heads.status(group) === 'failed')
  await hosting.leave()
  const newer = {
    reason: 'newer-journal',
    facts: { kind: 'newer-journal', id: foreign },
  }
  assert.deepEqual(failed, [[foreign, newer, true]])
  assert.equal(store.leases.hostOf(foreign), null)
  assertShown(store)
  const refused = await ask(world, foreign, { kind: 'pause' }, { of: 'loop' })
  assert.ok(!refused.ok)
  assert.equal(
    failureWords(refused.failure),
    `${foreign} is not a loop but of the kind orbit: this command is for loops.`,
  )
  assert.ok(!hostJournal(world, 'nobody').ok)
})

function assertShown({ heads }: Store): void {
  const [one] = heads.briefs({ all: { limit: 9 } }).summaries.filter(({ id }) => id === foreign)
  assert.ok(one)
  assert.match(table([{ summary: one, orphaned: true }], 2)[1] ?? '', /^orbit1 +running, no host/)
  const summary = heads.get(foreign)
  assert.ok(summary.ok)
  assert.match(detail({ summary: summary.value, orphaned: true }, 2).join('\n'), /^loop orbit1: running/)
}
