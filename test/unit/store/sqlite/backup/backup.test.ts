/** Backups of the store, and restoring from one: written events come back, lost ones are listed. */
import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Store } from '../../../../../src/store/contract.ts'
import type { Paths } from '../../../../../src/store/files/paths.ts'
import { backUpWhenDue, backupsIn, failedBackup, problemOf } from '../../../../../src/store/sqlite/backup.ts'
import { becomeHost } from '../../../../../src/store/sqlite/lock.ts'
import { openStore, openStoreToRead } from '../../../../../src/store/sqlite/open.ts'
import { restoreBackup, restoringFile } from '../../../../../src/store/sqlite/restore.ts'
import { completed, story, tempPaths, tempStore, writeLoop } from '../../../../rig/given.ts'

const day = 24 * 3_600_000
const now = Date.UTC(2026, 0, 31, 12)

function opened(paths: Paths): Store {
  const store = openStore(paths)
  assert.ok(store.ok)
  return store.value
}

/** Moves the content of the -wal into the file itself. */
function inFile(paths: Paths): void {
  const db = new DatabaseSync(paths.database)
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
}

/** The numbers of the events of a loop, or why they cannot be read. */
function events(paths: Paths, loop: string): number[] | string {
  const store = openStoreToRead(paths)
  if (!store.ok || !store.value) return store.ok ? 'no store' : store.failure.reason
  const journal = store.value.journals.read(loop)
  store.value.close()
  return journal.ok ? journal.value.map(({ seq }) => seq) : journal.failure.reason
}

test('one a day, the newest three are kept, and each is a whole store that only its owner may read', async t => {
  const store = tempStore(t)
  const { paths } = store
  writeLoop(store, { id: 'aaaaaa', events: story })
  const times = [0, 0.5, 1, 2, 2.9, 3, 4].map(days => now + days * day)
  for (const at of times) assert.equal(await backUpWhenDue(paths, at), null)
  const backups = backupsIn(paths, now)
  assert.deepEqual(
    backups.map(({ at }) => (at - now) / day),
    [4, 3, 2],
  )
  assert.deepEqual(readdirSync(paths.backups).length, 3, 'and nothing else is left there')
  for (const { file } of backups) {
    assert.equal(problemOf(file), null)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(events({ ...paths, database: file }, 'aaaaaa'), events(paths, 'aaaaaa'))
  }
})

test('one from the future does not keep new ones away', async t => {
  const store = tempStore(t)
  await backUpWhenDue(store.paths, now + 400 * day)
  await backUpWhenDue(store.paths, now)
  assert.equal(backupsIn(store.paths, now).length, 2)
  await backUpWhenDue(store.paths, now + 600_000)
  assert.equal(backupsIn(store.paths, now).length, 2, 'nor make one due at every look')
})

test('three from the future do not push out each new one', async t => {
  const store = tempStore(t)
  for (const days of [400, 401, 402]) await backUpWhenDue(store.paths, now + days * day)
  for (const days of [0, 1]) await backUpWhenDue(store.paths, now + days * day)
  assert.deepEqual(
    backupsIn(store.paths, now + day).map(({ at }) => (at - now) / day),
    [1, 0, 402],
  )
})

test('a backup stays while it has a journal that the store does not', async t => {
  const paths = tempPaths(t)
  const store = opened(paths)
  writeLoop(store, { id: 'aaaaaa', events: story })
  await backUpWhenDue(paths, now)
  store.close()
  for (const end of ['', '-wal', '-shm']) rmSync(`${paths.database}${end}`, { force: true })
  const [lost] = backupsIn(paths, now)
  const other = join(paths.data, 'other')
  mkdirSync(other)
  const fresh = opened({ ...paths, database: join(other, 'loop.db'), backups: join(other, 'backups') })
  writeLoop(fresh, { id: 'bbbbbb', events: story })
  fresh.close()
  copyFileSync(join(other, 'loop.db'), paths.database)
  for (const days of [1, 2, 3, 4, 5]) assert.equal(await backUpWhenDue(paths, now + days * day), null)
  assert.deepEqual(
    backupsIn(paths, now + 5 * day).map(({ at }) => (at - now) / day),
    [5, 4, 3, 0],
  )
  assert.equal(typeof events({ ...paths, database: lost?.file ?? '' }, 'aaaaaa'), 'object')
})

test('a backup stays while it has more of a journal than the store does', async t => {
  const paths = tempPaths(t)
  const store = opened(paths)
  writeLoop(store, { id: 'aaaaaa', events: story })
  const whole = events(paths, 'aaaaaa')
  await backUpWhenDue(paths, now)
  store.close()
  for (const end of ['', '-wal', '-shm']) rmSync(`${paths.database}${end}`, { force: true })
  const other = { ...paths, backups: join(paths.data, 'none') }
  const older = opened(other)
  writeLoop(older, { id: 'aaaaaa', events: story.slice(0, 1) })
  older.close()
  for (const days of [1, 2, 3, 4]) assert.equal(await backUpWhenDue(paths, now + days * day), null)
  const kept = backupsIn(paths, now + 4 * day)
  assert.deepEqual(
    kept.map(({ at }) => (at - now) / day),
    [4, 3, 2, 0],
  )
  assert.notDeepEqual(events(paths, 'aaaaaa'), whole)
  assert.deepEqual(events({ ...paths, database: kept.at(-1)?.file ?? '' }, 'aaaaaa'), whole)
  const grown = opened(other)
  writeLoop(grown, { id: 'bbbbbb', events: story })
  grown.close()
  for (const days of [5, 6, 7]) assert.equal(await backUpWhenDue(paths, now + days * day), null)
  assert.deepEqual(
    backupsIn(paths, now + 7 * day).map(({ at }) => (at - now) / day),
    [7, 6, 5, 0],
    'whatever else is added',
  )
})

test('a damaged store is no backup: the sound backups stay, and the reason is noted until one succeeds', async t => {
  const store = tempStore(t)
  const { paths } = store
  for (let i = 0; i < 40; i += 1) writeLoop(store, { id: `loop${10 + i}`, events: story })
  await backUpWhenDue(paths, now)
  inFile(paths)
  const whole = readFileSync(paths.database)
  writeFileSync(paths.database, damagedMiddle(whole))
  assert.match((await backUpWhenDue(paths, now + day)) ?? '', /./)
  assert.match(failedBackup(paths) ?? '', /^2026-02-01T12:00:00\.000Z: ./)
  assert.deepEqual(
    backupsIn(paths, now).map(({ file }) => problemOf(file)),
    [null],
  )
  writeFileSync(paths.database, whole)
  assert.equal(await backUpWhenDue(paths, now + day), null)
  assert.equal(failedBackup(paths), null)
})

/** The file with every second page but the first overwritten. */
function damagedMiddle(whole: Buffer): Buffer {
  const bytes = Buffer.from(whole)
  for (let at = 8_192; at < bytes.length; at += 8_192) bytes.fill(0xa5, at, at + 4_096)
  return bytes
}

/** A store with 40 loops and a backup of it, then 40 more loops and one that goes on; closed. */
async function busyStore(paths: Paths): Promise<void> {
  const store = opened(paths)
  for (let i = 0; i < 40; i += 1) writeLoop(store, { id: `loop${10 + i}`, events: story })
  await backUpWhenDue(paths, now)
  for (let i = 0; i < 40; i += 1) writeLoop(store, { id: `late${10 + i}`, events: [...story, completed] })
  store.close()
}

test('from a file that can be read in part, what is newer than the backup comes back or is listed', async t => {
  const paths = tempPaths(t)
  await busyStore(paths)
  const before = new Map(allLoops().map(loop => [loop, events(paths, loop)]))
  const damaged = onePageLost(readFileSync(paths.database), 'late20')
  writeFileSync(paths.database, damaged)
  const restored = restoreBackup(paths, now + day)
  assert.ok(restored.ok)
  const { aside, broughtBack, missing } = restored.value
  assert.deepEqual(readFileSync(join(aside ?? '', 'loop.db')), damaged, 'the damaged file is kept as it was')
  assert.equal(problemOf(paths.database), null)
  assert.ok(broughtBack.length > 0 && missing.length > 0, 'or this test says nothing')
  for (const [loop, was] of before) {
    const gone = missing.find(span => span.loop === loop)
    const is = events(paths, loop)
    assert.ok(Array.isArray(was) && Array.isArray(is), loop)
    assert.deepEqual(was.slice(is.length), gone ? range(gone) : [], loop)
    if (loop.startsWith('loop')) assert.equal(is.length, was.length, `${loop} is in the backup`)
  }
  for (const { loop, to } of broughtBack) assert.deepEqual((events(paths, loop) as number[]).at(-1), to)
})

/** The file with one page of a loop's events overwritten. */
function onePageLost(whole: Buffer, loop: string): Buffer {
  const bytes = Buffer.from(whole)
  for (let at = 4_096; at < bytes.length; at += 4_096) {
    const page = bytes.subarray(at, at + 4_096)
    if (page.includes(loop) && page.includes('checkpoint.taken'))
      return Buffer.from(bytes.fill(0xa5, at, at + 4_096))
  }
  throw new Error(`no page with events of ${loop}`)
}

function allLoops(): string[] {
  return ['loop', 'late'].flatMap(name => Array.from({ length: 40 }, (_, i) => `${name}${10 + i}`))
}

function range({ from, to }: { from: number; to: number }): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

test('a loop that lost its last events is as far as its remaining rows say', async t => {
  const paths = tempPaths(t)
  const store = opened(paths)
  writeLoop(store, { id: 'aaaaaa', events: story })
  await backUpWhenDue(paths, now)
  writeLoop(store, { id: 'bbbbbb', events: [...story, completed] })
  const last = story.length + 2
  store.close()
  const db = new DatabaseSync(paths.database)
  db.prepare(`update events set data = '{"x":1}' where loop = 'bbbbbb' and seq = ?`).run(last - 1)
  db.close()
  const restored = restoreBackup(paths, now)
  assert.ok(restored.ok)
  assert.deepEqual(restored.value.broughtBack, [{ loop: 'bbbbbb', from: 1, to: last - 2 }])
  assert.deepEqual(restored.value.missing, [{ loop: 'bbbbbb', from: last - 1, to: last }])
  const again = opened(paths)
  const summary = again.heads.find('bbbbbb')
  assert.equal(summary.ok && summary.value.status, 'running')
  again.close()
})

for (const [what, spoil] of Object.entries({
  'its first bytes': (bytes: Buffer) => bytes.fill(0xa5, 0, 100),
  'its first page': (bytes: Buffer) => bytes.fill(0, 0, 4_096),
})) {
  test(`from a file that has lost ${what} and cannot be opened, every other row comes back`, async t => {
    const paths = tempPaths(t)
    await busyStore(paths)
    const before = new Map(allLoops().map(loop => [loop, events(paths, loop)]))
    const damaged = spoil(readFileSync(paths.database))
    writeFileSync(paths.database, damaged)
    const restored = restoreBackup(paths, now + day)
    assert.ok(restored.ok)
    assert.deepEqual(restored.value.missing, [])
    for (const [loop, was] of before) assert.deepEqual(events(paths, loop), was, loop)
    assert.deepEqual(readFileSync(join(restored.value.aside ?? '', 'loop.db')), damaged, 'kept as it was')
    assert.deepEqual(
      readdirSync(paths.data).filter(name => name.includes('spliced')),
      [],
    )
  })
}

test('from a file that is no database the backup alone comes back, and files without a journal are listed', async t => {
  const paths = tempPaths(t)
  await busyStore(paths)
  for (const dir of ['loop10/runs/1', 'loop10/runs/2', 'late10/runs/1'])
    mkdirSync(join(paths.loops, dir), { recursive: true })
  writeFileSync(join(paths.loops, 'loop10/runs/2/out'), 'said')
  writeFileSync(paths.database, 'no database\n'.repeat(1_000))
  const restored = restoreBackup(paths, now)
  assert.ok(restored.ok)
  const { broughtBack, unknownLoops, unknownRuns } = restored.value
  const kept = join(paths.loops, 'loop10/runs/2.unrecorded')
  assert.deepEqual([broughtBack, unknownLoops, unknownRuns], [[], ['late10'], [kept]])
  assert.equal(readFileSync(join(kept, 'out'), 'utf8'), 'said')
  assert.ok(existsSync(join(paths.loops, 'loop10/runs/1')))
  assert.equal(events(paths, 'loop10').length, story.length + 1)
})

test('a restore that was killed after it moved the -wal finds its content the second time', async t => {
  const paths = tempPaths(t)
  const store = opened(paths)
  writeLoop(store, { id: 'aaaaaa', events: story })
  await backUpWhenDue(paths, now)
  inFile(paths)
  writeLoop(store, { id: 'bbbbbb', events: story })
  const aside = join(paths.damaged, '2026-01-31T12-00-00.000Z')
  mkdirSync(aside, { recursive: true })
  for (const end of ['', '-wal']) copyFileSync(`${paths.database}${end}`, join(aside, `loop.db${end}`))
  store.close()
  copyFileSync(join(aside, 'loop.db'), paths.database)
  for (const end of ['-wal', '-shm']) rmSync(`${paths.database}${end}`, { force: true })
  writeFileSync(restoringFile(paths), 'half')
  assert.deepEqual(events(paths, 'bbbbbb'), [], 'it was in the -wal alone')
  const restored = restoreBackup(paths, now + 1)
  assert.ok(restored.ok)
  assert.equal(events(paths, 'bbbbbb').length, story.length + 1)
  assert.equal(existsSync(restoringFile(paths)), false)
})

test('refused while a host lives and where no backup is sound; then nothing is changed', async t => {
  const paths = tempPaths(t)
  await busyStore(paths)
  const store = opened(paths)
  const host = becomeHost(store, '4711-abc')
  const refused = restoreBackup(paths, now)
  assert.deepEqual(refused, {
    ok: false,
    failure: {
      reason: 'not-allowed',
      facts: { kind: 'store-in-use', pids: ['4711'] },
    },
  })
  host.release()
  store.close()
  writeFileSync(backupsIn(paths, now)[0]?.file ?? '', 'no database')
  const before = readFileSync(paths.database)
  const none = restoreBackup(paths, now)
  assert.equal(!none.ok && none.failure.reason, 'store-damaged')
  assert.deepEqual(readFileSync(paths.database), before)
})
