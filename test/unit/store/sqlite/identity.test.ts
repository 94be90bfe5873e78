/** Files that are no store of this version are told apart by their header, and are left as they are to the byte. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { failureWords } from '../../../../src/failures/words.ts'
import { sumOf } from '../../../../src/store/files/checksum.ts'
import type { Paths } from '../../../../src/store/files/paths.ts'
import { backUpWhenDue, backupsIn, problemOf } from '../../../../src/store/sqlite/backup.ts'
import { applicationId, identityInHeader } from '../../../../src/store/sqlite/identity.ts'
import { openStore, openStoreForList, openStoreToRead } from '../../../../src/store/sqlite/open.ts'
import { restoreBackup } from '../../../../src/store/sqlite/restore.ts'
import { story, tempPaths, tempStore, writeLoop } from '../../../rig/given.ts'
import { unreleasedStore, writeUnreleased } from '../../../rig/unreleased-store.ts'

/** Every file below the data directory with its bytes, its mode and its time. */
function everything({ data }: Paths) {
  const names = readdirSync(data, { recursive: true, encoding: 'utf8' }).sort()
  return names.map(name => {
    const stat = statSync(join(data, name))
    return [name, stat.mode, stat.mtimeMs, stat.isFile() && sumOf(readFileSync(join(data, name), 'latin1'))]
  })
}

const openings = { openStore, openStoreToRead, openStoreForList }

function assertRefused(paths: Paths, file = paths.database): void {
  for (const [name, open] of Object.entries(openings)) {
    const opened = open(paths)
    assert.ok(!opened.ok, name)
    assert.equal(opened.failure.reason, 'store-unavailable')
    assert.equal(
      failureWords(opened.failure),
      `${file} was written by a loop from before the first release, and this loop cannot read it. ` +
        `Nothing was changed. End what still uses it, then move its directory away: ` +
        `mv ${paths.data} ${paths.data}-unreleased`,
    )
  }
}

test('a store has an application id and a version of its own in its header', t => {
  const paths = tempPaths(t)
  writeAndClose(paths)
  assert.deepEqual(identityInHeader(paths.database), { application: applicationId, version: 100 })
  assert.equal(readFileSync(paths.database).toString('latin1', 68, 72), 'loop')
  assert.equal(identityInHeader(join(paths.data, 'nothing')), null)
})

test('a store from before the first release is refused in one sentence, and nothing in it is touched', t => {
  const paths = tempPaths(t)
  writeUnreleased(paths.database)
  const before = everything(paths)
  assertRefused(paths)
  assert.deepEqual(everything(paths), before, 'nor is a file made beside it')
})

test('the same where its tables are still in its log', t => {
  const paths = tempPaths(t)
  const writer = unreleasedStore(t, join(paths.data, 'elsewhere', 'loop.db'))
  for (const end of ['', '-wal']) copyFileSync(`${writer}${end}`, `${paths.database}${end}`)
  assert.deepEqual(
    identityInHeader(paths.database),
    { application: 0, version: 0 },
    'the header does not tell',
  )
  const bytes = () => ['', '-wal'].map(end => readFileSync(`${paths.database}${end}`))
  const before = bytes()
  assertRefused(paths)
  assert.deepEqual(bytes(), before)
})

test('a store whose tables are still in its log is opened', t => {
  const store = tempStore(t)
  writeLoop(store, { id: 'aaaaaa', events: story })
  const paths = tempPaths(t)
  mkdirSync(paths.data, { recursive: true })
  for (const end of ['', '-wal']) copyFileSync(`${store.paths.database}${end}`, `${paths.database}${end}`)
  assert.deepEqual(identityInHeader(paths.database), { application: 0, version: 0 })
  const opened = openStore(paths)
  assert.ok(opened.ok)
  assert.deepEqual(opened.value.journals.ids(), ['aaaaaa'])
  opened.value.close()
})

test('it is not restored over, also where there are sound backups', async t => {
  const paths = await backedUp(t)
  writeUnreleased(paths.database)
  const before = everything(paths)
  assert.deepEqual(restoreBackup(paths, 2), unreleased(paths, paths.database))
  assert.deepEqual(everything(paths), before)
})

test('a backup of it is not restored, and is named', async t => {
  const paths = await backedUp(t)
  const [backup] = backupsIn(paths, 2)
  assert.ok(backup)
  writeUnreleased(backup.file, 'delete')
  writeFileSync(paths.database, 'no database\n'.repeat(1_000))
  assert.equal(problemOf(backup.file), 'it is not a store of this loop')
  const before = everything(paths)
  assert.deepEqual(restoreBackup(paths, 2), unreleased(paths, backup.file))
  assert.deepEqual(everything(paths), before)
})

/** The paths of a store that is closed and has one backup. */
async function backedUp(t: TestContext): Promise<Paths> {
  const paths = tempPaths(t)
  writeAndClose(paths)
  assert.equal(await backUpWhenDue(paths, 1), null)
  return paths
}

function writeAndClose(paths: Paths): void {
  const opened = openStore(paths)
  assert.ok(opened.ok)
  writeLoop(opened.value, { id: 'aaaaaa', events: story })
  opened.value.close()
}

function unreleased({ data }: Paths, file: string) {
  const facts = { kind: 'store-unreleased', file, data }
  return { ok: false, failure: { reason: 'store-unavailable', facts } }
}
