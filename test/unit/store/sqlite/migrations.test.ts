/** Migrations: each once and by its number; tables that older versions write keep their columns for ever. */
import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openDatabase } from '../../../../src/store/sqlite/database.ts'
import { storeOver } from '../../../../src/store/sqlite/open.ts'
import { story, tempDatabase, writeLoop } from '../../../rig/given.ts'

const columns = (db: DatabaseSync, table: string) =>
  db
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name)
    .join(' ')

test('the tables of the first version keep their columns and their version', t => {
  const { db } = tempDatabase(t).database
  assert.equal(db.prepare('pragma user_version').get()?.['user_version'], 1)
  assert.equal(columns(db, 'events'), 'loop seq v at epoch cause kind data sum')
  assert.equal(columns(db, 'summary'), 'loop seq status open cwd created_at body sum')
  assert.equal(columns(db, 'inbox'), 'id loop at command')
  assert.equal(columns(db, 'leases'), 'loop epoch host')
})

test('what is missing is added by its number, what is there already is only noted', t => {
  const { store, database } = tempDatabase(t)
  writeLoop(store, { id: 'aaaaaa', events: story })
  store.notified.mark('aaaaaa', 3)
  const numbers = () => database.db.prepare('select n from migrations order by n').all()
  const all = numbers()
  assert.deepEqual(
    all.map(({ n }) => n),
    [1, 2, 3, 4, 5, 6],
  )
  database.db.exec(`drop trigger changes_kept; drop table changes; drop table migrations`)
  const again = openDatabase(store.paths)
  assert.ok(again.ok)
  const upgraded = storeOver(again.value)
  t.after(() => upgraded.close())
  assert.deepEqual(numbers(), all)
  assert.deepEqual(
    upgraded.changes.after(0).map(({ id, seq }) => [id, seq]),
    [['aaaaaa', story.length + 1]],
  )
  assert.equal(database.db.prepare('select seq from told').get()?.['seq'], 3, 'what was told is kept')
})

test('a store that cannot be upgraded now works without the upgrade, which the next one that opens it makes', t => {
  const { store, database } = tempDatabase(t)
  writeLoop(store, { id: 'aaaaaa', events: story })
  database.db.exec(`drop trigger changes_kept; drop table changes; drop trigger journals_kept; drop table journals;
    drop table migrations`)
  database.db.exec('begin immediate')
  const locked = openDatabase(store.paths)
  database.db.exec('rollback')
  assert.ok(locked.ok)
  const without = storeOver(locked.value)
  t.after(() => without.close())
  const told = () => without.changes.after(0).map(({ id, seq }) => [id, seq])
  assert.deepEqual([without.changes.revision(), told()], [0, [['aaaaaa', story.length + 1]]])
  assert.deepEqual(without.journals.inGroup('aaaaaa'), [])
  writeLoop(without, { id: 'bbbbbb' })
  assert.deepEqual(told().length, 2)
  const next = openDatabase(store.paths)
  assert.ok(next.ok)
  t.after(() => next.value.db.close())
  assert.equal(without.changes.revision(), 2, 'who opens it next upgrades it, for all')
})
