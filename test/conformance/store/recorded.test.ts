/** The store that version 0.1.0 wrote (test/recordings/store): this version opens, folds and judges every journal. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { failureWords } from '../../../src/failures/words.ts'
import { pathsFrom } from '../../../src/store/files/paths.ts'
import { openStoreToRead } from '../../../src/store/sqlite/open.ts'
import { root } from '../../rig/rig.ts'

test('the store of 0.1.0 is read: each journal folds to the summary that was stored with it', t => {
  const home = mkdtempSync(join(tmpdir(), 'loop-recorded-'))
  t.after(() => rmSync(home, { recursive: true }))
  const paths = pathsFrom({ HOME: home })
  mkdirSync(dirname(paths.database), { recursive: true })
  const recorded = readFileSync(join(root, 'test/recordings/store/0.1.db.gz'))
  writeFileSync(paths.database, gunzipSync(recorded))
  const opened = openStoreToRead(paths)
  if (!opened.ok) assert.fail(failureWords(opened.failure))
  const store = opened.value
  assert.ok(store)
  t.after(() => store.close())
  const { summaries } = store.heads.list({ all: {}, members: true })
  for (const { id, prompt } of summaries) {
    const audit = store.heads.audit(id)
    assert.ok(audit.ok && audit.value.isTrue, `${id}: ${prompt}`)
    assert.ok(store.journals.read(id).ok, id)
  }
  const ended = summaries.filter(({ group }) => !group).map(({ prompt, status }) => `${prompt}: ${status}`)
  // What record.sh asked for, by what has to become of it.
  for (const one of [
    'make it: completed',
    'never: failed',
    'only one: paused',
    'best: completed',
    'suspect: paused',
  ])
    assert.ok(ended.includes(one), `${one} in ${ended.join(', ')}`)
  assert.equal(summaries.filter(({ kind }) => kind === 'group').length, 2, 'a best-of and a workflow')
  assert.equal(summaries.filter(({ group }) => group).length, 4, 'with two members each')
})
