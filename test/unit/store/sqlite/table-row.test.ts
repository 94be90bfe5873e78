/** The lines of tables: what they say is what the summaries say, and where they can not be believed those are read. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { type Brief, briefFields, type Summary, summarize } from '../../../../src/core/loop/summary.ts'
import { append } from '../../../../src/store/sqlite/append.ts'
import { closeStore, openStore, openStoreToRead, type Store } from '../../../../src/store/sqlite/database.ts'
import { brief, briefly, current, list, whole } from '../../../../src/store/sqlite/summary.ts'
import { table } from '../../../../src/views/text/status.ts'
import {
  completed,
  failed,
  held,
  nextEntry,
  pass,
  story,
  tempStore,
  verified,
  writeLoop,
} from '../../../rig/given.ts'

const briefs = (store: Store) => list(store, {}, brief(store))

function shortOf(summary: Summary): Brief {
  return Object.fromEntries(briefFields.map(field => [field, summary[field]])) as Brief
}

/** One of each standing, with a promise that has every kind of character. */
function writeSome(t: TestContext): { store: Store; short: Brief[] } {
  const store = tempStore(t)
  const criteria = [{ name: 'odd', command: `test "ä\n\t\\ \u2028 😀" != '\u0001'` }]
  const states = [
    writeLoop(store, { id: 'four44', at: 4_000, events: [...story, failed] }),
    writeLoop(store, { id: 'three3', at: 3_000, events: [held()], spec: { session: { run: null } } }),
    writeLoop(store, { id: 'two222', at: 2_000, spec: { criteria, maxIterations: null, budgetUsd: 3 } }),
    writeLoop(store, { id: 'one111', at: 1_000, events: [verified(0, pass), completed] }),
  ]
  return { store, short: states.map(state => shortOf(summarize(state))) }
}

test('a table is read from lines that say what the summaries say, and follow them', t => {
  const { store, short } = writeSome(t)
  store.db.exec(`update summary set body = 'x', sum = 'x'`)
  store.db.exec('update events set at = at + 1 where seq = 1')
  assert.deepEqual(list(store, {}, whole), {
    summaries: [],
    damaged: ['four44', 'three3', 'two222', 'one111'],
  })
  assert.deepEqual(briefs(store), { summaries: short, damaged: [] })
  assert.deepEqual(
    current(store, 1, brief(store)).summaries.map(({ id }) => id),
    ['three3', 'two222', 'four44'],
  )
  const state = writeLoop(store, { id: 'five55', at: 5_000 })
  let after = summarize(state)
  const next = nextEntry(state, failed)
  append(store, { ...next, summarize: rows => (after = next.summarize(rows)) })
  assert.equal(after.status, 'failed')
  assert.deepEqual(briefs(store).summaries[0], shortOf(after))
  store.db.exec(`delete from summary where loop = 'five55'`)
  assert.deepEqual(briefs(store), { summaries: short, damaged: [] })
})

test('loops of the same moment come in the same order, from lines and from summaries', t => {
  const store = tempStore(t)
  for (const id of ['bbbbbb', 'dddddd', 'aaaaaa', 'cccccc'])
    writeLoop(store, { id, spec: { cwd: `/${id < 'bz' ? 2 : 1}${id}` }, events: id < 'c' ? [] : [failed] })
  const ids = (listed: { summaries: Brief[] }) => listed.summaries.map(({ id }) => id)
  const newest = ['dddddd', 'cccccc', 'bbbbbb', 'aaaaaa']
  const openFirst = ['bbbbbb', 'aaaaaa', 'dddddd', 'cccccc']
  assert.deepEqual(ids(list(store, {}, whole)), newest)
  assert.deepEqual(ids(list(store, {}, brief(store))), newest)
  assert.deepEqual(ids(current(store, 2, whole)), openFirst)
  assert.deepEqual(ids(current(store, 2, brief(store))), openFirst)
})

test('a loop that ends while they are read is shown once', t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa' })
  const reader = openStoreToRead(store.paths)
  assert.ok(reader.ok && reader.value)
  const { summaries } = current(reader.value, 10, {
    ...whole,
    parse(from, row) {
      if (row['open'] === 1) append(store, nextEntry(state, failed))
      return whole.parse(from, row)
    },
  })
  closeStore(reader.value)
  assert.deepEqual(
    summaries.map(({ id, status }) => [id, status]),
    [['aaaaaa', 'running']],
  )
})

test('a promise with colours and tabs leaves the table its columns and the terminal its colour', t => {
  const store = tempStore(t)
  const command = `printf '\u001B[31mred\t%s' "$(cat  very-long-name.txt)" \u001B[0m`
  const state = writeLoop(store, { id: 'aaaaaa', spec: { criteria: [{ name: 'odd', command }] } })
  const [, row] = table([{ summary: summarize(state), orphaned: false }], 0)
  assert.match(row ?? '', /^aaaaaa +running +0\/10 {3}printf 'red %s' "\$\(cat {2}very-… {3}custom /)
})

test('where a line is damaged or missing, its summary is read; where that is damaged too, it is said', t => {
  const { store, short } = writeSome(t)
  const changes = [
    `update brief set line = replace(line, '"failed"', '"completed"') where loop = 'four44'`,
    `update brief set copy = null where loop = 'four44'`,
    `update brief set line = o.line, copy = o.line from brief o where o.loop = 'one111' and brief.loop = 'four44'`,
    `delete from brief where loop = 'four44'`,
    `update brief set open = 1 - open where loop = 'four44'`,
    `update brief set open = 1 - open where loop = 'three3'`,
    'drop table brief',
  ]
  const now = current(store, 1, whole).summaries.map(shortOf)
  for (const change of changes) {
    store.db.exec('begin')
    store.db.exec(change)
    const { summaries, damaged } = briefs(store)
    assert.deepEqual(
      { summaries: summaries.map(one => shortOf(one as Summary)), damaged },
      { summaries: short, damaged: [] },
      change,
    )
    assert.deepEqual(
      current(store, 1, brief(store)).summaries.map(one => shortOf(one as Summary)),
      now,
      change,
    )
    store.db.exec(`update summary set sum = 'x' where loop = 'four44'`)
    store.db.exec(`update events set at = at + 1 where seq = 1 and loop = 'four44'`)
    assert.deepEqual(briefs(store).damaged, ['four44'], change)
    store.db.exec('rollback')
  }
})

test('where the lines as a whole are damaged, the summaries are read', t => {
  const { store, short } = writeSome(t)
  const pages = store.db.prepare(`select pageno, pgsize from dbstat where name like '%brief%'`).all()
  assert.ok(pages.length > 1)
  store.db.exec('pragma wal_checkpoint(truncate)')
  const sound = readFileSync(store.paths.database)
  const read = () => {
    const reader = openStoreToRead(store.paths)
    assert.ok(reader.ok && reader.value)
    const listed = briefly(reader.value, (db, form) => list(db, {}, form))
    closeStore(reader.value)
    return { ...listed, summaries: listed.summaries.map(one => shortOf(one as Summary)) }
  }
  for (const { pageno, pgsize } of pages) {
    const bytes = Buffer.from(sound)
    bytes.fill(0xff, (Number(pageno) - 1) * Number(pgsize), Number(pageno) * Number(pgsize))
    writeFileSync(store.paths.database, bytes)
    assert.deepEqual(read(), { summaries: short, damaged: [] }, `page ${pageno}`)
  }
  writeFileSync(store.paths.database, sound)
  store.db.exec(`update brief set loop = 'for~44' where loop = 'four44'`)
  assert.deepEqual(read(), { summaries: short, damaged: [] }, 'an id that no loop has')
})

test('a store of before gets its lines when it is opened to write, and is read without them until then', t => {
  const { store, short } = writeSome(t)
  store.db.exec('drop trigger brief_kept; drop trigger brief_dropped; drop table brief')
  const shown = (from: Store) => briefs(from).summaries.map(one => shortOf(one as Summary))
  const reader = openStoreToRead(store.paths)
  assert.ok(reader.ok && reader.value)
  assert.deepEqual(shown(reader.value), short)
  const writer = openStore(store.paths)
  assert.ok(writer.ok)
  assert.deepEqual(shown(reader.value), short)
  // The one that had it open before writes: the database keeps the line for it.
  const state = writeLoop(store, { id: 'five55', at: 5_000 })
  assert.deepEqual(shown(writer.value), [shortOf(summarize(state)), ...short])
  writer.value.db.exec(`update summary set body = 'x', sum = 'x' where loop = 'five55'`)
  assert.deepEqual(shown(writer.value), [shortOf(summarize(state)), ...short])
  closeStore(reader.value)
  closeStore(writer.value)
})

test('a store of before that can not get its lines now, locked or with a damaged row, is opened without', t => {
  const { store, short } = writeSome(t)
  store.db.exec('drop trigger brief_kept; drop trigger brief_dropped; drop table brief')
  const opened = () => {
    const writer = openStore(store.paths)
    assert.ok(writer.ok, writer.ok ? '' : writer.failure.message)
    const { summaries } = list(writer.value, {}, brief(writer.value))
    assert.deepEqual(
      summaries.map(one => shortOf(one as Summary)),
      short,
    )
    const waits = writer.value.db.prepare('pragma busy_timeout').get()?.['timeout']
    closeStore(writer.value)
    return waits
  }
  // Its host is stopped in the middle of a write; the lock is waited for by who writes, not by who opens.
  store.db.exec('begin immediate')
  assert.equal(opened(), 5_000)
  store.db.exec('rollback')
  // What damage can make of a row: the table of lines can not take it.
  store.db.enableDefensive(false)
  store.db.exec(`
    pragma writable_schema = on;
    update sqlite_schema set sql = replace(sql, 'status text not null', 'status text') where name = 'summary';
    pragma writable_schema = reset;
    update summary set status = null where loop = 'four44'`)
  opened()
})
