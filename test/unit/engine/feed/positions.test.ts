/** The position of a tab in the feed, as text and back; invalid text is refused or ignored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  mostFollowed,
  positionsFrom,
  positionText,
  resumedAt,
} from '../../../../src/engine/feed/positions.ts'

const query = {
  list: '812',
  journals: 'a1b2c3:40,d4e5f6:0',
  outputs: 'a1b2c3/2/out:1200',
  words: 'a1b2c3/2:7',
}

test('the id of a frame brings a reader back to where it was, for what it still follows', () => {
  const asked = positionsFrom(query)
  assert.ok(asked)
  assert.equal(positionText(asked), '812;a1b2c3:40;d4e5f6:0;a1b2c3/2/out:1200;a1b2c3/2:7')
  const later = resumedAt(asked, '900;a1b2c3:44;a1b2c3/2/out:1300;a1b2c3/2:9;gone12:3')
  assert.equal(positionText(later), '900;a1b2c3:44;d4e5f6:0;a1b2c3/2/out:1300;a1b2c3/2:9')
  for (const id of [null, '', 'x', ';a1b2c3:44', '-1', '1e9'])
    assert.equal(positionText(resumedAt(asked, id)), positionText(asked), String(id))
  assert.equal(
    positionText(resumedAt(asked, '5;a1b2c3:x;;d4e5f6:-1')),
    positionText({ ...asked, revision: 5 }),
  )
})

test('what is not written as it should be, or asks for too much, is refused', () => {
  const many = Array.from({ length: mostFollowed + 1 }, (_, i) => `aaaa${String(i).padStart(2, '0')}:0`)
  const rows = [
    { journals: 'a1b2c3' },
    { journals: '../etc:1' },
    { journals: 'A1B2C3:1' },
    { journals: many.join(',') },
    { outputs: 'a1b2c3/2/prompt:0' },
    { outputs: 'a1b2c3/0/out:0' },
    { outputs: 'a1b2c3/2/out:1.5' },
    { words: 'a1b2c3/2/out:0' },
  ]
  for (const row of rows) assert.equal(positionsFrom(row), null, JSON.stringify(row))
  assert.deepEqual(positionsFrom({})?.followsList, false)
  assert.ok(positionsFrom({ journals: many.slice(1).join(',') }))
})
