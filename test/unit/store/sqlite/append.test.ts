/**
 * The journal and its summary row: events are read back as written, and any damage is seen and never read as completed.
 */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { creation } from '../../../../src/core/loop/assess/assess.ts'
import { fold } from '../../../../src/core/loop/evolve.ts'
import { summarize } from '../../../../src/core/loop/summary.ts'
import { failureWords } from '../../../../src/failures/words.ts'
import type { Event } from '../../../../src/model/loop/event.ts'
import type { Filter, Store } from '../../../../src/store/contract.ts'
import { pathsFrom } from '../../../../src/store/files/paths.ts'
import type { Database } from '../../../../src/store/sqlite/database.ts'
import { openStore, openStoreToRead } from '../../../../src/store/sqlite/open.ts'
import {
  aSpec,
  cancelled,
  completed,
  failed,
  held,
  nextEntry,
  pass,
  story,
  tempDatabase,
  tempDir,
  tempPaths,
  tempStore,
  verified,
  writeLoop,
} from '../../../rig/given.ts'

/** Damages the store, calls `look`, and rolls the damage back. */
function damaged<T>(
  { db }: Database,
  [text, ...values]: [string, ...(string | number | null)[]],
  look: () => T,
): T {
  db.exec('begin')
  try {
    assert.ok(Number(db.prepare(text).run(...values).changes) > 0, text)
    return look()
  } finally {
    db.exec('rollback')
  }
}

function assertDamagedAt(result: ReturnType<Store['journals']['read']>, seq: number, what: string): void {
  assert.ok(!result.ok, what)
  assert.equal(result.failure.reason, 'store-damaged')
  assert.ok(
    failureWords(result.failure).includes(`is damaged at event ${seq}.`),
    `${what}: ${failureWords(result.failure)}`,
  )
}

test('what was appended is read back, in order, in its envelope', t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa', events: story, epoch: 3, at: 500 })
  const events = store.journals.read('aaaaaa')
  assert.ok(events.ok)
  const bodies = events.value.map(({ kind, data }) => ({ kind, data }))
  assert.deepEqual(bodies, [creation(aSpec()), ...story])
  for (const [i, { v, seq, at, loop, epoch, cause }] of events.value.entries())
    assert.deepEqual([v, seq, at, loop, epoch, cause], [1, i + 1, 500 + i, 'aaaaaa', 3, null])
  assert.deepEqual(fold(events.value), state)
  for (let after = 0; after <= events.value.length; after += 1)
    assert.deepEqual(store.journals.readAfter('aaaaaa', after), {
      ok: true,
      value: events.value.slice(after),
    })
})

test('an invalid event is not written, nor anything with it', t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa', events: story })
  const wrong = { kind: 'run.started', data: { run: 0 } } as unknown as Event
  assert.throws(() => store.journals.append(nextEntry(state, [cancelled, wrong])))
  assert.throws(
    () => store.journals.append({ ...nextEntry(state, cancelled), after: state.seq - 1 }),
    /Internal error/,
  )
  assert.deepEqual(store.journals.read('aaaaaa').ok && fold(readRows(store)), state)
})

function readRows(store: Store) {
  const events = store.journals.read('aaaaaa')
  assert.ok(events.ok)
  return events.value
}

test('a flipped byte of any column of any row is damage at that event, and of that loop only', t => {
  const { store, database } = tempDatabase(t)
  writeLoop(store, { id: 'aaaaaa', events: [...story, failed] })
  writeLoop(store, { id: 'bbbbbb', events: story, at: 9 })
  const rows = database.db.prepare("select * from events where loop = 'aaaaaa' order by seq").all()
  let flips = 0
  for (const row of rows) {
    const seq = Number(row['seq'])
    for (const [column, value] of Object.entries(row)) {
      for (const flipped of flipsOf(value)) {
        const what = `event ${seq}, ${column}: ${flipped}`
        const change = `update events set ${column} = ? where loop = 'aaaaaa' and seq = ?`
        damaged(database, [change, flipped, seq], () => {
          assertDamagedAt(store.journals.read('aaaaaa'), seq, what)
          assert.ok(store.journals.read('bbbbbb').ok, what)
        })
        flips += 1
      }
    }
  }
  assert.ok(flips > 1_000, String(flips))
  assert.ok(store.journals.read('aaaaaa').ok)
})

/** The value with each of its bytes changed in turn; for a number, some near and far values. */
function flipsOf(value: unknown): (string | number)[] {
  if (typeof value !== 'string') return [Number(value) + 1_000, Number(value) + 4_096]
  return Array.from(value, (char, i) => {
    return value.slice(0, i) + String.fromCharCode(char.charCodeAt(0) ^ 1) + value.slice(i + 1)
  })
}

test('a failure made into a success is damage', t => {
  const { store, database } = tempDatabase(t)
  const { seq } = writeLoop(store, { id: 'aaaaaa', events: [...story, failed] })
  const forged = "update events set kind = 'loop.completed', data = '{}' where seq = ?"
  damaged(database, [forged, seq], () => assertDamagedAt(store.journals.read('aaaaaa'), seq, 'forged'))
  const verdict = `update events set data = replace(data, 'FAIL', 'PASS') where kind = 'promise.verified'`
  damaged(database, [verdict], () => assertDamagedAt(store.journals.read('aaaaaa'), 2, 'verdict'))
})

test('a row that is missing, first, in the middle or last, is damage; so are two that changed places', t => {
  const { store, database } = tempDatabase(t)
  const { seq: last } = writeLoop(store, { id: 'aaaaaa', events: story })
  for (let seq = 1; seq <= last; seq += 1) {
    damaged(database, ['delete from events where seq = ?', seq], () => {
      assertDamagedAt(store.journals.read('aaaaaa'), seq, `without ${seq}`)
      // A reader that has read up to here sees the hole as soon as an event follows it.
      if (seq < last) assert.equal(store.journals.readAfter('aaaaaa', seq - 1).ok, false, `after ${seq - 1}`)
    })
  }
  const moved = 'update events set seq = case seq when 3 then 1004 else 1003 end where seq in (3, 4)'
  damaged(database, [moved], () => {
    database.db.exec('update events set seq = seq - 1000 where seq > 1000')
    assertDamagedAt(store.journals.read('aaaaaa'), 3, 'moved')
  })
})

test('a damaged summary row is rebuilt from the journal; where that is damaged too, it is said', t => {
  const { store, database } = tempDatabase(t)
  const state = writeLoop(store, { id: 'aaaaaa', events: [...story, failed] })
  const summary = summarize(state)
  const found = () => store.heads.find('aaaaaa')
  assert.deepEqual(found(), { ok: true, value: summary })
  const done = `update summary set body = replace(body, '"failed"', '"completed"')`
  for (const change of [done, `update summary set sum = 'x'`, `update summary set body = ''`]) {
    damaged(database, [change], () => {
      assert.deepEqual(found(), { ok: true, value: summary }, change)
      assert.deepEqual(store.heads.list({ all: {} }), { summaries: [summary], damaged: [] })
      database.db.exec('update events set at = at + 1 where seq = 3')
      const both = found()
      assert.equal(both.ok ? null : both.failure.reason, 'store-damaged')
      assert.deepEqual(store.heads.list({ all: {} }), { summaries: [], damaged: ['aaaaaa'] })
    })
  }
})

test('a loop is found by its id, a unique beginning of it, or @last', t => {
  const store = tempStore(t)
  writeLoop(store, { id: 'abc111', at: 2_000 })
  writeLoop(store, { id: 'abc222', at: 3_000 })
  writeLoop(store, { id: 'zzzzzz', at: 1_000 })
  const idOf = (name: string) => {
    const found = store.heads.find(name)
    return found.ok ? found.value.id : found.failure
  }
  assert.deepEqual(['abc111', 'abc2', 'z', '@last'].map(idOf), ['abc111', 'abc222', 'zzzzzz', 'abc222'])
  assert.deepEqual(idOf('abc'), {
    reason: 'unknown-loop',
    facts: { kind: 'ambiguous-loop', name: 'abc', ids: ['abc111', 'abc222'] },
  })
  for (const name of ['', 'abd', 'abc1111', '%', '_bc111', 'ABC111'])
    assert.deepEqual(idOf(name), {
      reason: 'unknown-loop',
      facts: { kind: 'unknown-loop', name },
    })
  assert.equal(tempStore(t).heads.find('@last').ok, false)
})

test('lists by status, agent, age and number, newest first', t => {
  const store = tempStore(t)
  writeLoop(store, { id: 'one111', at: 1_000, events: [verified(0, pass), completed] })
  writeLoop(store, { id: 'two222', at: 2_000, spec: { agent: 'scripted', cwd: '/other' } })
  writeLoop(store, { id: 'three3', at: 3_000, events: [held()] })
  writeLoop(store, { id: 'four44', at: 4_000, events: [failed] })
  const ids = (all: Filter) => store.heads.briefs({ all }).summaries.map(({ id }) => id)
  assert.deepEqual(ids({}), ['four44', 'three3', 'two222', 'one111'])
  assert.deepEqual(ids({ status: ['completed'] }), ['one111'])
  assert.deepEqual(ids({ status: ['queued'] }), [])
  assert.deepEqual(ids({ status: ['failed', 'completed'] }), ['four44', 'one111'])
  assert.deepEqual(ids({ agent: 'scripted' }), ['two222'])
  assert.deepEqual(ids({ since: 3_000 }), ['four44', 'three3'])
  assert.deepEqual(ids({ limit: 2 }), ['four44', 'three3'])
  assert.deepEqual(ids({ agent: 'custom', limit: 3 }), ['four44', 'three3', 'one111'])
  assert.deepEqual(
    store.heads.briefs({ current: 1 }).summaries.map(({ id }) => id),
    ['three3', 'two222', 'four44'],
  )
  for (const cwd of ['/other', '/other/below', '/'])
    assert.equal(store.heads.holder(cwd, null)?.id, 'two222', cwd)
  assert.equal(store.heads.holder('/other', { id: 'two222', group: null }), null, 'not against itself')
  assert.equal(store.heads.holder('/otherwise', null), null, 'another tree whose name begins the same')
  assert.equal(store.heads.holder('/tree', null), null, 'paused and ended loops do not hold their tree')
})

test('the store is private, and a second one opened on it sees the same', t => {
  const store = tempStore(t)
  writeLoop(store, { id: 'aaaaaa', events: story })
  assert.equal(statSync(store.paths.database).mode & 0o777, 0o600)
  assert.equal(statSync(store.paths.data).mode & 0o777, 0o700)
  const other = openStoreToRead(store.paths)
  assert.ok(other.ok && other.value)
  assert.deepEqual(other.value.journals.read('aaaaaa'), store.journals.read('aaaaaa'))
  assert.throws(() => writeLoop(other.value as Store, { id: 'bbbbbb' }), /readonly/)
  other.value.close()
  assert.deepEqual(openStoreToRead(tempPaths(t)), { ok: true, value: null })
})

test('a store of a newer version is refused and left alone', t => {
  const { store, database } = tempDatabase(t)
  writeLoop(store, { id: 'aaaaaa', events: story })
  database.db.exec('pragma user_version = 101')
  for (const open of [openStore, openStoreToRead]) {
    const opened = open(store.paths)
    assert.ok(!opened.ok)
    assert.equal(opened.failure.reason, 'store-unavailable')
    assert.match(
      failureWords(opened.failure),
      /written by a newer loop \(store version 101, this one knows 100\)\. Update loop\.$/,
    )
  }
  assert.ok(store.journals.read('aaaaaa').ok)
})

test('a file that is no database is said to be damaged and left byte for byte', t => {
  for (const bytes of [
    Buffer.alloc(16, 'x'),
    Buffer.from('not a database\n'.repeat(400)),
    Buffer.alloc(70_000, 0xa5),
  ]) {
    const paths = tempPaths(t)
    mkdirSync(paths.data, { recursive: true })
    writeFileSync(paths.database, bytes)
    for (const open of [openStore, openStoreToRead]) {
      const opened = open(paths)
      assert.ok(!opened.ok)
      assert.equal(opened.failure.reason, 'store-damaged')
      assert.match(
        failureWords(opened.failure),
        /is damaged \(file is not a database\)\. Nothing was changed\./,
      )
    }
    assert.deepEqual(readFileSync(paths.database), bytes)
  }
})

test('a database damaged in the middle stops the store with a message, not as a bug', t => {
  const home = tempDir(t)
  const paths = pathsFrom({ XDG_DATA_HOME: home })
  const opened = openStore(paths)
  assert.ok(opened.ok)
  for (let i = 0; i < 40; i += 1) writeLoop(opened.value, { id: `loop${10 + i}`, events: story, at: i })
  opened.value.close()
  const file = openSync(paths.database, 'r+')
  const { size } = statSync(paths.database)
  for (let at = 4_096; at < size; at += 4_096) writeSync(file, Buffer.alloc(2_000, 0xa5), 0, 2_000, at)
  closeSync(file)
  const before = readFileSync(paths.database)
  const env = { ...process.env, XDG_DATA_HOME: home }
  const args = [fileURLToPath(new URL('../../../../src/cli/front.ts', import.meta.url)), 'list', '--json']
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 120_000 })
  assert.equal(status, 3, stderr)
  assert.equal(JSON.parse(stderr).error.reason, 'store-damaged')
  assert.match(stderr, /is damaged/)
  assert.deepEqual(readFileSync(paths.database), before)
})
