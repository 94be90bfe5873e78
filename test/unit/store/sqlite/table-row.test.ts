/** The short rows for tables: they equal the summaries, and if they cannot be trusted the summaries are read. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { folds } from '../../../../src/core/folds.ts'
import { type Brief, briefFields, summarize } from '../../../../src/core/loop/summary.ts'
import type { Summary } from '../../../../src/core/summary.ts'
import type { Choice, Store } from '../../../../src/store/contract.ts'
import { closeDatabase, type Database, openDatabaseToRead } from '../../../../src/store/sqlite/database.ts'
import { brief, chosen, whole } from '../../../../src/store/sqlite/listing.ts'
import { openStoreToRead } from '../../../../src/store/sqlite/open.ts'
import { table } from '../../../../src/views/text/loop-table.ts'
import {
  completed,
  ended,
  failed,
  held,
  nextEntry,
  pass,
  story,
  taken,
  tempDatabase,
  tempStore,
  verified,
  wholeIteration,
  writeLoop,
} from '../../../rig/given.ts'

const briefs = (database: Database, choice: Choice = { all: {} }) => chosen(database, choice, brief(database))

const shownFields = [...briefFields, 'cwd', 'prompt'] as const

function shortOf(summary: Summary): Brief {
  return Object.fromEntries(shownFields.map(field => [field, summary[field]])) as Brief
}

/** One loop of each status, with a promise that has every kind of character. */
function writeSome(t: TestContext): { store: Store; database: Database; short: Brief[] } {
  const { store, database } = tempDatabase(t)
  const criteria = [{ name: 'odd', command: `test "ä\n\t\\ \u2028 😀" != '\u0001'` }]
  const states = [
    writeLoop(store, { id: 'four44', at: 4_000, events: [...story, failed] }),
    writeLoop(store, { id: 'three3', at: 3_000, events: [held()], spec: { session: { run: null } } }),
    writeLoop(store, { id: 'two222', at: 2_000, spec: { criteria, maxIterations: null, budgetUsd: 3 } }),
    writeLoop(store, { id: 'one111', at: 1_000, events: [verified(0, pass), completed] }),
  ]
  return { store, database, short: states.map(state => shortOf(summarize(state))) }
}

test('a table is read from lines that say what the summaries say, and follow them', t => {
  const { store, database, short } = writeSome(t)
  database.db.exec(`update summary set body = 'x', sum = 'x'`)
  database.db.exec('update events set at = at + 1 where seq = 1')
  assert.deepEqual(store.heads.list({ all: {} }), {
    summaries: [],
    damaged: ['four44', 'three3', 'two222', 'one111'],
  })
  assert.deepEqual(briefs(database), { summaries: short, damaged: [] })
  assert.deepEqual(
    briefs(database, { current: 1 }).summaries.map(({ id }) => id),
    ['three3', 'two222', 'four44'],
  )
  const state = writeLoop(store, { id: 'five55', at: 5_000 })
  const next = nextEntry(state, failed)
  store.journals.append(next)
  assert.equal(next.summary.status, 'failed')
  assert.deepEqual(briefs(database).summaries[0], shortOf(next.summary))
  database.db.exec(`delete from summary where loop = 'five55'`)
  assert.deepEqual(briefs(database), { summaries: short, damaged: [] })
})

test('a cost that is a lower bound is one in a table too', t => {
  const { store, database } = tempDatabase(t)
  const cut = ended(1, { how: 'timeout', costUsd: 0.9, costIncomplete: true })
  const events = [verified(0, {}), taken('initial'), ...wholeIteration(1, {}, cut)]
  const shown = () => {
    const [, row] = table([{ summary: briefs(database).summaries[0] as Brief, orphaned: false }], 0)
    return row
  }
  writeLoop(store, { id: 'aaaaaa', at: 1_000, events })
  assert.match(shown() ?? '', /^aaaaaa .* at least \$0\.90 /)
})

test('loops of the same moment come in the same order, from lines and from summaries', t => {
  const { store, database } = tempDatabase(t)
  for (const id of ['bbbbbb', 'dddddd', 'aaaaaa', 'cccccc'])
    writeLoop(store, { id, spec: { cwd: `/${id < 'bz' ? 2 : 1}${id}` }, events: id < 'c' ? [] : [failed] })
  const ids = (listed: { summaries: Brief[] }) => listed.summaries.map(({ id }) => id)
  const newest = ['dddddd', 'cccccc', 'bbbbbb', 'aaaaaa']
  const openFirst = ['bbbbbb', 'aaaaaa', 'dddddd', 'cccccc']
  assert.deepEqual(ids(store.heads.list({ all: {} })), newest)
  assert.deepEqual(ids(briefs(database)), newest)
  assert.deepEqual(ids(store.heads.list({ current: 2 })), openFirst)
  assert.deepEqual(ids(briefs(database, { current: 2 })), openFirst)
})

test('a loop that ends while they are read is shown once', t => {
  const store = tempStore(t)
  const state = writeLoop(store, { id: 'aaaaaa' })
  const reader = openDatabaseToRead(store.paths, folds)
  assert.ok(reader.ok && reader.value)
  const form: typeof whole = {
    ...whole,
    parse(from, row) {
      if (row['open'] === 1) store.journals.append(nextEntry(state, failed))
      return whole.parse(from, row)
    },
  }
  const { summaries } = chosen(reader.value, { current: 10 }, form)
  closeDatabase(reader.value)
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
  const { store, database, short } = writeSome(t)
  const changes = [
    `update brief set line = replace(line, '"failed"', '"completed"') where loop = 'four44'`,
    `update brief set copy = null where loop = 'four44'`,
    `update brief set line = o.line, copy = o.line from brief o where o.loop = 'one111' and brief.loop = 'four44'`,
    `delete from brief where loop = 'four44'`,
    `update brief set open = 1 - open where loop = 'four44'`,
    `update brief set open = 1 - open where loop = 'three3'`,
    `update about set words = replace(words, '/', '/x') where loop = 'four44'`,
    `update about set again = null where loop = 'four44'`,
    `update about set words = o.words, again = o.words from about o where o.loop = 'one111' and about.loop = 'four44'`,
    `delete from about where loop = 'four44'`,
  ]
  const now = store.heads.list({ current: 1 }).summaries.map(shortOf)
  for (const change of changes) {
    database.db.exec('begin')
    database.db.exec(change)
    const { summaries, damaged } = briefs(database)
    assert.deepEqual(
      { summaries: summaries.map(one => shortOf(one as Summary)), damaged },
      { summaries: short, damaged: [] },
      change,
    )
    assert.deepEqual(
      briefs(database, { current: 1 }).summaries.map(one => shortOf(one as Summary)),
      now,
      change,
    )
    database.db.exec(`update summary set sum = 'x' where loop = 'four44'`)
    database.db.exec(`update events set at = at + 1 where seq = 1 and loop = 'four44'`)
    assert.deepEqual(briefs(database).damaged, ['four44'], change)
    database.db.exec('rollback')
  }
})

test('where the lines as a whole are damaged, the summaries are read', t => {
  const { store, database, short } = writeSome(t)
  const pages = database.db
    .prepare(`select pageno, pgsize from dbstat where name like '%brief%' or name like '%about%'`)
    .all()
  assert.ok(pages.length > 1)
  database.db.exec('pragma wal_checkpoint(truncate)')
  const sound = readFileSync(store.paths.database)
  const read = () => {
    const reader = openStoreToRead(store.paths)
    assert.ok(reader.ok && reader.value)
    const listed = reader.value.heads.briefs({ all: {} })
    reader.value.close()
    return { ...listed, summaries: listed.summaries.map(one => shortOf(one as Summary)) }
  }
  for (const { pageno, pgsize } of pages) {
    const bytes = Buffer.from(sound)
    bytes.fill(0xff, (Number(pageno) - 1) * Number(pgsize), Number(pageno) * Number(pgsize))
    writeFileSync(store.paths.database, bytes)
    assert.deepEqual(read(), { summaries: short, damaged: [] }, `page ${pageno}`)
  }
  writeFileSync(store.paths.database, sound)
  database.db.exec(`update brief set loop = 'for~44' where loop = 'four44'`)
  assert.deepEqual(read(), { summaries: short, damaged: [] }, 'an id that no loop has')
})
