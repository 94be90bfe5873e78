/** The meaning of a store error, told by its code: real errors, each caused in the real way. */

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import { isDamaged, isLocked, isStoreError, isUnwritable, unusable } from '../../../src/store/failures.ts'
import { tempDatabase, tempDir, tempPaths } from '../../rig/given.ts'

function errorOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('It worked')
}

/** Whether the error is one of the store, and which of the three kinds. */
function kindsOf(error: unknown): string[] {
  const all = { store: isStoreError, locked: isLocked, damaged: isDamaged, unwritable: isUnwritable }
  return Object.entries(all).flatMap(([name, is]) => (is(error) ? [name] : []))
}

test('locked, damaged, not writable, and other errors', t => {
  const { store, database } = tempDatabase(t)
  database.db.exec('begin immediate')
  const other = new DatabaseSync(store.paths.database, { timeout: 0 })
  const locked = errorOf(() => other.exec('begin immediate'))
  database.db.exec('rollback')
  other.close()
  const garbage = join(tempDir(t), 'x.db')
  writeFileSync(garbage, 'garbage'.repeat(1_000))
  const reader = new DatabaseSync(store.paths.database, { readOnly: true })
  t.after(() => reader.close())
  const errors = {
    locked,
    garbage: errorOf(() => new DatabaseSync(garbage).exec('create table x (y)')),
    missing: errorOf(() => new DatabaseSync(join(garbage, 'no', 'such.db'))),
    readOnly: errorOf(() => reader.exec('create table x (y)')),
    mistake: errorOf(() => reader.exec('select malformed from locked')),
    file: errorOf(() => mkdirSync('/proc/1/nothing')),
    words: new Error('database disk image is malformed, and is locked'),
    nothing: null,
  }
  const found = Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, kindsOf(error)]))
  assert.deepEqual(found, {
    locked: ['store', 'locked'],
    garbage: ['store', 'damaged'],
    missing: ['store', 'unwritable'],
    readOnly: ['store', 'unwritable'],
    mistake: ['store'],
    file: [],
    words: [],
    nothing: [],
  })
  const paths = tempPaths(t)
  const reasons = [errors.garbage, errors.locked, errors.file].map(error => unusable(paths, error).failure)
  assert.deepEqual(
    reasons.map(({ reason }) => reason),
    ['store-damaged', 'store-unavailable', 'store-unavailable'],
  )
  assert.match(reasons[1] ? failureWords(reasons[1]) : '', /has been locked by another process for too long/)
})
