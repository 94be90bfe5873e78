/**
 * Migrations: each once and by its number. There is only the first, so a next version is made up here: it adds a table
 * and a trigger, and both versions use the store at the same time.
 */
import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { headShape } from '../../../../src/core/head.ts'
import { summarize } from '../../../../src/core/loop/summary.ts'
import { failureWords } from '../../../../src/failures/words.ts'
import { sumOf } from '../../../../src/store/files/checksum.ts'
import type { Paths } from '../../../../src/store/files/paths.ts'
import { closeDatabase, type Database, openDatabase } from '../../../../src/store/sqlite/database.ts'
import { migrations } from '../../../../src/store/sqlite/migrations.ts'
import { openStore, storeOver } from '../../../../src/store/sqlite/open.ts'
import { failed, nextEntry, story, tempDatabase, writeLoop } from '../../../rig/given.ts'

const columns = (db: DatabaseSync, table: string) =>
  db
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name)
    .join(' ')

/** Counts the writes of each summary; a status must be known. */
const countedTable = `
  create table counted (loop text primary key, status text not null, n integer not null);
  create trigger counted_kept after insert on summary begin
    insert into counted values (new.loop, new.status, 1)
      on conflict do update set status = new.status, n = n + 1;
  end;
  insert into counted select loop, status, 1 from summary;
`

function openedByNext(t: TestContext, paths: Paths): Database {
  const opened = openDatabase(paths, [...migrations, countedTable])
  assert.ok(opened.ok, opened.ok ? '' : failureWords(opened.failure))
  t.after(() => closeDatabase(opened.value))
  return opened.value
}

const numbers = ({ db }: Database) =>
  db
    .prepare('select n from migrations order by n')
    .all()
    .map(({ n }) => n)

const counted = ({ db }: Database) =>
  db
    .prepare('select * from counted order by loop')
    .all()
    .map(({ loop, status, n }) => `${loop} ${status} ${n}`)

test('the first creates everything, and notes its number', t => {
  const { database } = tempDatabase(t)
  const { db } = database
  assert.deepEqual(numbers(database), [1])
  assert.equal(columns(db, 'events'), 'loop seq v at epoch cause kind data sum')
  assert.equal(columns(db, 'summary'), 'loop seq status open cwd created_at body sum')
  assert.equal(columns(db, 'inbox'), 'id loop at command')
  assert.equal(columns(db, 'leases'), 'loop epoch host')
})

test('the next version adds what is missing, once, and a host of this one that is alive fills it too', t => {
  const { store, database } = tempDatabase(t)
  const before = writeLoop(store, { id: 'aaaaaa', events: story })
  const next = openedByNext(t, store.paths)
  assert.deepEqual(numbers(next), [1, 2])
  assert.deepEqual(counted(next), ['aaaaaa running 1'])

  store.journals.append(nextEntry(before, failed))
  writeLoop(store, { id: 'bbbbbb' })
  assert.deepEqual(counted(next), ['aaaaaa failed 2', 'bbbbbb running 1'])
  writeLoop(storeOver(next), { id: 'cccccc' })
  assert.equal(store.heads.status('cccccc'), 'running')

  const again = openedByNext(t, store.paths)
  assert.deepEqual(numbers(again), [1, 2])
  assert.equal(counted(again).length, 3)
  const older = openStore(store.paths)
  assert.ok(older.ok, 'this version opens the store of the next one')
  t.after(() => older.value.close())
  assert.deepEqual(older.value.journals.ids(), ['aaaaaa', 'bbbbbb', 'cccccc'])
  assert.deepEqual(numbers(database), [1, 2])
})

test('a store that the next version creates has all of its tables', t => {
  const { store } = tempDatabase(t)
  const next = openedByNext(t, { ...store.paths, database: `${store.paths.database}.next` })
  assert.deepEqual(numbers(next), [1, 2])
  writeLoop(storeOver(next), { id: 'aaaaaa' })
  assert.deepEqual(counted(next), ['aaaaaa running 1'])
})

test('a store that cannot be migrated now, locked or with a damaged row, is used without; the next one tries again', t => {
  const { store, database } = tempDatabase(t)
  writeLoop(store, { id: 'aaaaaa', events: story })
  const { db } = database
  // The host is stopped in the middle of a write: a writer waits for the lock, opening the store does not.
  db.exec('begin immediate')
  const locked = openedByNext(t, store.paths)
  db.exec('rollback')
  assert.deepEqual(numbers(locked), [1])
  assert.equal(locked.db.prepare('pragma busy_timeout').get()?.['timeout'], 5_000)
  assert.ok(storeOver(locked).journals.read('aaaaaa').ok)
  // A row that damage can produce, and that the new table refuses.
  db.enableDefensive(false)
  db.exec(`
    pragma writable_schema = on;
    update sqlite_schema set sql = replace(sql, 'status text not null', 'status text') where name = 'summary';
    pragma writable_schema = reset;
    update summary set status = null`)
  assert.deepEqual(numbers(openedByNext(t, store.paths)), [1])
  db.exec(`update summary set status = 'running'`)
  assert.deepEqual(numbers(openedByNext(t, store.paths)), [1, 2])
  assert.deepEqual(counted(locked), ['aaaaaa running 1'])
})

test('a summary of another shape is compared by the fields that both have', t => {
  const { store, database } = tempDatabase(t)
  const { restarts: _, ...common } = summarize(writeLoop(store, { id: 'aaaaaa', events: story }))
  const isTrue = (row: object) => {
    const body = JSON.stringify(row)
    database.db.prepare('update summary set body = ?, sum = ?').run(body, sumOf(body))
    const audit = store.heads.audit('aaaaaa')
    return audit.ok && audit.value.isTrue
  }
  assert.equal(isTrue(common), false, 'of this shape it has every field')
  assert.equal(isTrue({ ...common, shape: headShape + 1, danced: 3 }), true)
  assert.equal(isTrue({ ...common, shape: headShape + 1, iteration: 7 }), false)
})
