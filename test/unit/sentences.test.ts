/**
 * Every sentence of a failure or a recorded reason is the one of the table in test/recordings/sentences.txt. After a
 * change that is meant: npm run sentences, then read its difference.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sentenceTable } from '../rig/sentences/samples.ts'

const recorded = readFileSync(new URL('../recordings/sentences.txt', import.meta.url), 'utf8')

test('every kind of failure says what the table of sentences has', () => {
  assert.deepEqual(sentenceTable(), recorded.split(/(?<=\n)\n(?=\S)/))
})
