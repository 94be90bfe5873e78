/**
 * Hosting finds journals by their heads, also those of another kind, and leaves alone a kind that only a newer loop
 * knows.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folds } from '../../../src/core/folds.ts'
import type { Head } from '../../../src/core/head.ts'
import { ask } from '../../../src/engine/ask.ts'
import { feedOf } from '../../../src/engine/feed.ts'
import { hostJournal } from '../../../src/engine/host.ts'
import { hostLoops } from '../../../src/engine/hosting.ts'
import { failureWords } from '../../../src/failures/words.ts'
import { eventVersion } from '../../../src/model/version.ts'
import type { Store } from '../../../src/store/contract.ts'
import { becomeHost } from '../../../src/store/sqlite/lock.ts'
import { openStore } from '../../../src/store/sqlite/open.ts'
import { table } from '../../../src/views/text/loop-table.ts'
import { detail } from '../../../src/views/text/status.ts'
import { worldIn } from '../../rig/bare-world.ts'
import { tempDir, tempPaths } from '../../rig/given.ts'
import { until } from '../../rig/rig.ts'
import { beginTwin, twinId, twinMachines } from '../../rig/twin-host.ts'
import { twinMachine } from '../../rig/twin-machine.ts'
import { twinFolds } from '../../rig/twin-steps.ts'

const foreign = 'orbit1'

/** A journal as a newer loop would write it: a head, and events of an unknown kind. */
function writeForeign(store: Store): void {
  const envelope = { v: eventVersion, seq: 1, at: 1, loop: foreign, epoch: 1, cause: null }
  const born = { ...envelope, kind: 'twin.created' as const, data: { cwd: '/elsewhere' } }
  const summary: Head = { ...twinMachine.summarize(twinMachine.begin(born)), kind: 'orbit' }
  const events = [{ ...born, kind: 'orbit.created' }]
  assert.ok(store.journals.create({ events, summary, host: null }).ok)
}

test('a twin is hosted to its end; a journal of an unknown kind is reported, shown, and left alone', async t => {
  const opened = openStore(tempPaths(t), twinFolds)
  assert.ok(opened.ok)
  const store = opened.value
  const host = becomeHost(store, 'us')
  const failed: [string | null, unknown, boolean][] = []
  const feed = feedOf(store, { now: Date.now, broken: error => failed.push([null, error, true]) })
  const world = { ...worldIn(store, { host, machines: twinMachines(tempDir(t)) }), feed }
  const forget = feed.subscribe(null, ({ event }) => {
    // Only events of loops are announced: those of the member, not those of the twin.
    if (event.loop === twinId) failed.push([twinId, event.kind, true])
  })
  t.after(() => {
    forget()
    host.release()
    store.close()
  })
  writeForeign(store)
  beginTwin(world)
  const hosting = hostLoops({
    store,
    host,
    feed,
    worldOf: () => world,
    now: Date.now,
    // A twin starts no agent itself, so it needs no slot.
    limit: () => 0,
    mayBegin: () => true,
    restartMs: 1,
    mended() {},
    failed: (id, cause, givenUp) => failed.push([id, cause, givenUp]),
    lost: error => failed.push([null, error, true]),
  })
  hosting.look()
  await until('the end of the twin', () => store.heads.status(twinId) === 'completed')
  await hosting.leave()
  const newer = {
    reason: 'newer-journal',
    facts: { kind: 'newer-journal', id: foreign },
  }
  assert.deepEqual(failed, [[foreign, newer, true]])
  assert.equal(store.leases.hostOf(foreign), null)
  assertShown(store)
  const refused = await ask(world, foreign, { kind: 'pause' })
  assert.ok(!refused.ok)
  assert.equal(
    failureWords(refused.failure),
    `${foreign} is not a loop but of the kind orbit: this command is for loops.`,
  )
  assert.ok(!hostJournal(world, 'nobody').ok)
})

/** Shown by this version, and by a loop that knows no twins. */
function assertShown({ paths, ...store }: Store): void {
  const older = openStore(paths, folds)
  assert.ok(older.ok)
  for (const { heads } of [store, older.value]) {
    const [one] = heads.briefs({ all: { limit: 9 } }).summaries.filter(({ id }) => id === foreign)
    assert.ok(one)
    assert.match(table([{ summary: one, orphaned: true }], 2)[1] ?? '', /^orbit1 +running, no host/)
    const summary = heads.get(foreign)
    assert.ok(summary.ok)
    assert.match(detail({ summary: summary.value, orphaned: true }, 2).join('\n'), /^loop orbit1: running/)
  }
  older.value.close()
}
