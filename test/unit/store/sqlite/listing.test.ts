/** The journals of a list and their order: those of a directory first, and those that were touched since a time. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Choice, Store } from '../../../../src/store/contract.ts'
import {
  completed,
  failed,
  held,
  nextEntry,
  pass,
  tempDatabase,
  verified,
  writeLoop,
} from '../../../rig/given.ts'
import { attemptsBegun, writeGroup } from '../../../rig/given-group.ts'

const done = [verified(0, pass), completed]

/** Four ended loops in each of three trees, one after the other, and one open loop in each. */
function writeTrees(t: TestContext) {
  const { store, database } = tempDatabase(t)
  for (let n = 0; n < 12; n += 1) {
    const tree = ['/home/a', '/home/a/web', '/home/ab'][n % 3] ?? ''
    writeLoop(store, {
      id: `done${String(n).padStart(2, '0')}`,
      at: 1_000 + n,
      spec: { cwd: tree },
      events: done,
    })
  }
  for (const [n, cwd] of ['/home/a', '/home/a/web', '/home/ab'].entries())
    writeLoop(store, { id: `open0${n}`, at: 500 + n, spec: { cwd }, events: [held()] })
  return { store, database }
}

function ids(store: Store, choice: Choice): string {
  const brief = store.heads.briefs(choice).summaries.map(({ id }) => id)
  const whole = store.heads.list(choice).summaries.map(({ id }) => id)
  assert.deepEqual(brief, whole, 'lines and summaries agree')
  return brief.join(' ')
}

test('the loops of a directory, of a tree above it or below it come first, also where few are wanted', t => {
  const { store, database } = writeTrees(t)
  const rows: [Choice, string][] = [
    [{ all: { limit: 3 } }, 'done11 done10 done09'],
    [{ all: { limit: 3 }, near: '/home/ab/deep' }, 'done11 done08 done05'],
    [{ all: { limit: 5 }, near: '/home/ab' }, 'done11 done08 done05 done02 open02'],
    [{ all: { limit: 6 }, near: '/home/ab' }, 'done11 done08 done05 done02 open02 done10'],
    // Loops in directories below count as near too, if they are shown at all.
    [{ all: { limit: 3, status: ['completed'] }, near: '/home/a' }, 'done09 done06 done03'],
    [{ all: { since: 1_007 }, near: '/home/a' }, 'done10 done09 done07 done11 done08'],
    [{ all: { limit: 2 }, near: '/elsewhere' }, 'done11 done10'],
    [{ current: 2, near: '/home/ab' }, 'open02 done11 done08 open01 open00'],
    [{ current: 2, near: '/home/a/web/src' }, 'open01 open00 done10 done09 open02'],
    [{ current: 0, near: '/home/ab' }, 'open02 open01 open00'],
  ]
  for (const [choice, expected] of rows) assert.equal(ids(store, choice), expected, JSON.stringify(choice))
  database.db.exec('drop table about')
  assert.equal(ids(store, { all: { limit: 2 }, near: '/home/ab' }), 'done11 done10', 'a courtesy, no more')
})

test('the newest of a directory is its own, else that of the nearest above it', t => {
  const { store, database } = writeTrees(t)
  const rows: [string, string | null][] = [
    ['/home/a', 'done09'],
    ['/home/a/web', 'done10'],
    ['/home/a/web/src/deep', 'done10'],
    ['/home/a/other', 'done09'],
    ['/home/ab', 'done11'],
    ['/home', null],
    ['/home/abc', null],
    ['/', null],
  ]
  const check = (why: string) => {
    for (const [directory, id] of rows)
      assert.equal(store.heads.newestAt(directory), id, `${directory} ${why}`)
  }
  check('')
  database.db.exec('drop table about')
  check('without the table')
})

test('touched: open loops, and loops with an event since then, however old they are', t => {
  const { store } = tempDatabase(t)
  writeLoop(store, { id: 'old111', at: 1_000, events: done })
  const late = writeLoop(store, { id: 'late22', at: 1_001, spec: { cwd: '/late' } })
  writeLoop(store, { id: 'open33', at: 1_002, spec: { cwd: '/open' }, events: [held()] })
  store.journals.append(nextEntry(late, failed, { at: 9_000 }))
  const touched = (since: number) => store.heads.touched(since).summaries.map(({ id }) => id)
  assert.deepEqual(touched(9_000), ['open33', 'late22'])
  assert.deepEqual(touched(9_001), ['open33'])
  assert.deepEqual(touched(0), ['open33', 'late22', 'old111'])
})

/** A loop that has ended, and two groups of two: the first has ended, the second has members in its own tree. */
function writeGroups(t: TestContext) {
  const { store, database } = tempDatabase(t)
  writeLoop(store, { id: 'alone1', at: 1_000, events: done })
  const end = { kind: 'group.failed', data: { reason: 'nobody-passed', why: '' } } as const
  writeGroup(store, {
    id: 'group1',
    at: 2_000,
    events: [...attemptsBegun({ '1-direct': 'mema01', '2-other': 'mema02' }), end],
  })
  for (const id of ['mema01', 'mema02'])
    writeLoop(store, { id, at: 2_001, spec: { cwd: `/copies/${id}`, group: 'group1' }, events: done })
  writeGroup(store, { id: 'group2', at: 3_000, events: attemptsBegun({ build: 'memb01', test: 'memb02' }) })
  for (const id of ['memb01', 'memb02']) writeLoop(store, { id, at: 3_001, spec: { group: 'group2' } })
  return { store, database }
}

test('a member of a group is no row of its own, and takes no place among those that are shown', t => {
  const { store, database } = writeGroups(t)
  const rows: [Choice, string][] = [
    [{ all: {} }, 'group2 group1 alone1'],
    [{ all: { limit: 2 } }, 'group2 group1'],
    [{ all: { limit: 2 }, near: '/tree' }, 'group2 group1'],
    [{ all: { status: ['completed'] } }, 'alone1'],
    [{ current: 1 }, 'group2 group1'],
    [{ current: 2, near: '/tree' }, 'group2 group1 alone1'],
    [{ all: {}, members: true }, 'memb02 memb01 group2 mema02 mema01 group1 alone1'],
  ]
  for (const [choice, expected] of rows) assert.equal(ids(store, choice), expected, JSON.stringify(choice))
  database.db.exec('drop table journals')
  assert.equal(
    ids(store, { all: {} }),
    'memb02 memb01 group2 mema02 mema01 group1 alone1',
    'where groups cannot be read, everything is shown',
  )
})

test('a member whose group is not there is a row of its own', t => {
  const { store } = tempDatabase(t)
  writeLoop(store, { id: 'left01', spec: { group: 'gone11' } })
  assert.equal(ids(store, { all: {} }), 'left01')
  assert.equal(ids(store, { current: 0 }), 'left01')
})

test('the members of groups are found at once, each with the name of its group', t => {
  const { store } = writeGroups(t)
  const found = (groups: string[]) =>
    store.heads.members(groups).summaries.map(({ id, group }) => `${group}:${id}`)
  assert.deepEqual(found(['group1', 'group2', 'alone1']), [
    'group1:mema01',
    'group1:mema02',
    'group2:memb01',
    'group2:memb02',
  ])
  assert.deepEqual(found(['group2']), ['group2:memb01', 'group2:memb02'])
  assert.deepEqual(found([]), [])
})

test('the newest of a tree, and of all, is a group and not its member; in a copy it is the group too', t => {
  const { store, database } = writeGroups(t)
  assert.equal(store.heads.newestAt('/tree'), 'group2')
  assert.equal(store.heads.newestAt('/copies/mema01/src'), 'group1')
  const last = store.heads.find('@last')
  assert.ok(last.ok && last.value.id === 'group2')
  database.db.exec('drop table about')
  assert.equal(store.heads.newestAt('/tree'), 'group2')
})
