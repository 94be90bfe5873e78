/**
 * Stores that earlier versions wrote (scripts/record-store): each opens, is upgraded and gives the same answers, while
 * a host of that version goes on writing. The statements of that version are repeated here word for word.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { storeHealth } from '../../../src/cli/doctor/store.ts'
import { begin, evolve, fold } from '../../../src/core/loop/evolve.ts'
import { history, ownCheckpoints } from '../../../src/core/loop/history.ts'
import { type LoopKinds, loopMachine } from '../../../src/core/loop/machine.ts'
import type { State } from '../../../src/core/loop/state.ts'
import { summarize } from '../../../src/core/loop/summary.ts'
import { inEnvelopes } from '../../../src/engine/recorded.ts'
import { shown } from '../../../src/engine/shown/orphans.ts'
import type { Event } from '../../../src/model/loop/event.ts'
import type { Store } from '../../../src/store/contract.ts'
import { sumOf } from '../../../src/store/files/checksum.ts'
import type { Paths } from '../../../src/store/files/paths.ts'
import { rowSum } from '../../../src/store/sqlite/journal.ts'
import { becomeHost } from '../../../src/store/sqlite/lock.ts'
import { openStore, openStoreToRead } from '../../../src/store/sqlite/open.ts'
import { historyJson } from '../../../src/views/text/history.ts'
import { detailJson } from '../../../src/views/text/status.ts'
import { after, aSpec, nextEntry, tempPaths } from '../../rig/given.ts'

const recordings = join(import.meta.dirname, '../../recordings/stores')

type Loop = { id: string; status: Record<string, unknown>; history?: unknown }
type Expected = { damaged: string; events: Record<string, number>; details: Record<string, Loop> }

/** A copy of the recorded store in a temporary directory. */
function recorded(t: TestContext, version: string): { paths: Paths; expected: Expected } {
  const paths = tempPaths(t)
  const from = join(recordings, version)
  mkdirSync(paths.data, { recursive: true, mode: 0o700 })
  writeFileSync(paths.database, gunzipSync(readFileSync(join(from, 'loop.db.gz'))))
  return { paths, expected: JSON.parse(readFileSync(join(from, 'expected.json'), 'utf8')) }
}

function opened(t: TestContext, paths: Paths, open: typeof openStoreToRead): Store {
  const store = open(paths)
  assert.ok(store.ok && store.value)
  const { value } = store
  t.after(() => value.close())
  return value
}

/** The answers of `loop status <id> --json` and `loop history <id> --json`, without the times. */
function assertSays(store: Store, { damaged, events, details }: Expected): void {
  assert.deepEqual(store.journals.ids(), Object.keys(events).toSorted())
  for (const [name, { id, status, history: told }] of Object.entries(details)) {
    const found = store.heads.find(id)
    assert.ok(found.ok, name)
    const behind = found.value.status === 'queued' ? store.heads.holder(found.value.cwd, found.value) : null
    const timeless = { elapsedMs: 0, totalMs: 0 }
    // loopd ran when these were recorded; without it a queued loop says that first.
    const orphaned = found.value.status !== 'queued' && shown(store, found.value).orphaned
    const { next, ...says } = { ...detailJson({ summary: found.value, orphaned, behind }, 0), ...timeless }
    assert.ok(
      next.every(step => step !== ''),
      name,
    )
    // Newer fields, beside those that scripts rely on.
    const sandbox = name !== 'session' && { sandbox: { level: 'none', why: '--sandbox off' } }
    const since = { kind: 'loop', doubts: [], ...sandbox }
    assert.deepEqual(asJson(says), { ...status, ...timeless, ...since }, name)
    assert.deepEqual([found.value.kind, found.value.group], ['loop', null])
    assert.equal(store.journals.lastSeq(id), events[id], name)
    const journal = store.journals.read(id)
    assert.equal(journal.ok, id !== damaged, name)
    if (!journal.ok) continue
    const replayed = summarize(fold(journal.value))
    assert.deepEqual([replayed.status, replayed.reason], [found.value.status, found.value.reason], name)
    const rows = { ...historyJson(id, history(journal.value)), checkpoints: ownCheckpoints(journal.value) }
    if (told) assert.deepEqual(asJson(rows), told, name)
  }
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** The findings of the doctor about the store, by the name of each check. */
function healthOf(paths: Paths): Record<string, [status: string, found: string]> {
  return Object.fromEntries(storeHealth(paths).checks.map(check => [check.name, [check.status, check.found]]))
}

/** A host of the version before numbered migrations: exactly the statements that it ran. */
function oldHost(t: TestContext, paths: Paths) {
  const db = new DatabaseSync(paths.database, { timeout: 5_000 })
  t.after(() => db.close())
  const last = db.prepare('select seq, sum from events where loop = ? order by seq desc limit 1')
  const insert = db.prepare('insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const summary = db.prepare('insert or replace into summary values (?, ?, ?, ?, ?, ?, ?, ?)')
  const lease = db.prepare('insert or replace into leases values (?, ?, ?)')
  const inbox = db.prepare('insert into inbox values (?, ?, ?, ?)')
  return {
    db,
    append(state: State | null, body: Event, { id, epoch }: { id: string; epoch: number }): State {
      db.exec('begin immediate')
      lease.run(id, epoch, null)
      const row = last.get(id)
      const of = { after: Number(row?.['seq'] ?? 0), at: 5, loop: id, epoch, cause: null }
      const [event] = inEnvelopes<LoopKinds>(loopMachine, [body], of)
      assert.ok(event)
      const { v, seq, at, cause, kind } = event
      const data = JSON.stringify(event.data)
      const sum = rowSum(String(row?.['sum'] ?? ''), { v, seq, at, loop: id, epoch, cause, kind, data })
      insert.run(id, seq, v, at, epoch, cause, kind, data, sum)
      const next = state ? evolve(state, event) : begin(event)
      const { shape: _, kind: __, group: ___, needsSlot: ____, ...first } = summarize(next)
      const text = JSON.stringify(first)
      const open =
        ['queued', 'running', 'waiting', 'paused'].includes(first.status) || first.holdsTree ? 1 : 0
      summary.run(id, seq, first.status, open, first.cwd, first.createdAt, text, sumOf(text))
      db.exec('commit')
      return next
    },
    send: (id: string, loop: string) => inbox.run(id, loop, 1, JSON.stringify({ kind: 'pause' })),
    pending: (loop: string) => db.prepare('select * from inbox where loop = ? order by rowid').all(loop),
    withdraw: (id: string) => db.prepare('delete from inbox where id = ?').run(id).changes,
  }
}

for (const version of readdirSync(recordings)) {
  test(`a store of ${version} is read as it is, and upgraded when it is opened to write`, t => {
    const { paths, expected } = recorded(t, version)
    const before = readFileSync(paths.database)
    const reader = opened(t, paths, openStoreToRead)
    assertSays(reader, expected)
    assert.equal(reader.changes.revision(), 0)
    assert.equal(reader.changes.after(0).length, Object.keys(expected.events).length, 'without numbers: all')
    assert.deepEqual(readFileSync(paths.database), before, 'looking changes nothing')
    const store = opened(t, paths, openStore)
    assertSays(store, expected)
    assertSays(reader, expected)
    assert.equal(store.changes.after(0).length, Object.keys(expected.events).length)
    assert.equal(store.changes.revision(), Object.keys(expected.events).length)
    const again = opened(t, paths, openStore)
    assert.equal(again.changes.revision(), store.changes.revision(), 'upgraded once')
  })

  test(`doctor calls a store of ${version} sound, but for the loop that is damaged`, t => {
    const { paths, expected } = recorded(t, version)
    const check = () => {
      const { store, journals, summaries } = healthOf(paths)
      assert.equal(store?.[0], 'ok', store?.[1])
      const damaged = `damaged, and not driven any further: ${expected.damaged} (event 2)`
      assert.deepEqual(journals, ['fail', damaged])
      assert.deepEqual(summaries, ['ok', 'every row says what its journal says'])
    }
    check()
    opened(t, paths, openStore)
    check()
    // A row of the first shape with a wrong value is still found.
    const db = new DatabaseSync(paths.database)
    const id = expected.details['completed']?.id ?? ''
    const row = db.prepare('select body from summary where loop = ?').get(id)
    const text = String(row?.['body']).replace('"iteration":2', '"iteration":3')
    db.prepare('update summary set body = ?, sum = ? where loop = ?').run(text, sumOf(text), id)
    db.close()
    assert.deepEqual(healthOf(paths)['summaries'], [
      'warn',
      `were wrong and are rebuilt from their journals: ${id}`,
    ])
    check()
  })

  test(`a host of ${version} writes on after the upgrade, and is seen`, t => {
    const { paths, expected } = recorded(t, version)
    const old = oldHost(t, paths)
    const store = opened(t, paths, openStore)
    const seen = store.changes.revision()
    const { id = '' } = expected.details['asks'] ?? {}
    const journal = store.journals.read(id)
    assert.ok(journal.ok)
    let state = fold(journal.value)
    const epoch = state.epoch + 1
    state = old.append(state, { kind: 'context.injected', data: { text: 'from before' } }, { id, epoch })
    const spec = aSpec({ cwd: '/of/its/own' })
    const begun = old.append(null, { kind: 'loop.created', data: { spec } }, { id: 'oldone', epoch: 1 })
    old.send('c1', 'oldone')

    assert.deepEqual(
      store.changes.after(seen).map(one => [one.id, one.seq]),
      [
        [id, state.seq],
        ['oldone', 1],
      ],
    )
    const { kind, group_id: group } = old.db.prepare(`select * from journals where id = 'oldone'`).get() ?? {}
    assert.deepEqual([kind, group], ['loop', null])
    for (const one of [state, begun]) {
      const audit = store.heads.audit(one.id)
      assert.ok(audit.ok && audit.value.isTrue, one.id)
      assert.deepEqual(store.heads.get(one.id), { ok: true, value: asFirst(one) })
    }
    assert.deepEqual(
      store.heads.briefs({ all: {} }).summaries.find(one => one.id === 'oldone')?.status,
      'running',
    )
    assert.equal(store.heads.newestAt('/of/its/own/deep'), 'oldone', 'and known by its tree')
    assert.equal(store.heads.holder('/of/its', null)?.id, 'oldone', 'its tree is held')
    assert.deepEqual(
      store.inbox.pending('oldone').map(({ command }) => command),
      [{ kind: 'pause' }],
    )

    // The other way round: the new host goes on writing, the old one reads.
    const host = becomeHost(store, 'new')
    t.after(() => host.release())
    const lease = store.leases.take('oldone', host)
    assert.deepEqual(lease, { held: true, epoch: 2 })
    const held: Event = { kind: 'loop.held', data: { reason: 'paused-by-user' } }
    assert.ok(store.journals.append(nextEntry(begun, held, { epoch: 2, cause: 'c1' })).ok)
    assert.equal(old.pending('oldone').length, 0)
    store.inbox.send({ id: 'c2', loop: 'oldone', at: 2, command: { kind: 'cancel' } })
    assert.equal(old.withdraw('c2'), 1)
    old.append(after(begun, held), { kind: 'loop.resumed', data: {} }, { id: 'oldone', epoch: 3 })
    assert.equal(store.journals.read('oldone').ok, true)
    assert.equal(store.heads.status('oldone'), 'running')
    assert.equal(store.problem(), null)
  })
}

/** The summary as it is read back from a row of the first shape. */
function asFirst(state: State) {
  const { shape: _, ...summary } = summarize(state)
  return summary
}
