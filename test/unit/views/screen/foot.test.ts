/** The last rows of a screen: sentences and answers are whole, however narrow the terminal is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { footOf } from '../../../../src/views/screen/frame.ts'

const look = { colour: false, unicode: true }
const size = { columns: 40, rows: 12 }
const keys: [string, string][] = [
  ['p', 'pause'],
  ['c', 'checkpoint'],
  ['x', 'cancel'],
  ['?', 'help'],
  ['q', 'quit'],
]

test('a message takes as many rows as it needs', () => {
  const message = 'Loop a1b2c3 cannot be checkpointed: a name begins with a letter or digit'
  assert.deepEqual(footOf({ asked: null, message, keys }, look, size), {
    rows: [
      ' Loop a1b2c3 cannot be checkpointed: a',
      ' name begins with a letter or digit',
      ' p pause  c checkpoint  ? help  q quit',
    ],
    cursor: null,
  })
})

test('a very long one is cut after four rows', () => {
  const { rows } = footOf({ asked: null, message: 'word '.repeat(100).trim(), keys }, look, size)
  assert.equal(rows.length, 5)
  assert.ok(rows[3]?.endsWith('…'))
})

test('every answer to a question is shown', () => {
  const asked = {
    rows: [],
    top: 0,
    pages: 0,
    message: { text: 'Cancel loop a1b2c3? Its agent is ended now.', cursor: null },
    keys: [
      ['y', 'cancel, keep the files'],
      ['b', 'cancel, bring back 2 files'],
      ['esc', 'leaves it'],
    ] as [string, string][],
  }
  assert.deepEqual(footOf({ asked, message: '', keys }, look, size).rows, [
    ' Cancel loop a1b2c3? Its agent is ended',
    ' now.',
    ' y cancel, keep the files',
    ' b cancel, bring back 2 files',
    ' esc leaves it',
  ])
})

test('a line that is typed has its cursor in the row above the keys', () => {
  const asked = { rows: [], top: 0, pages: 0, message: { text: 'search abc', cursor: 10 }, keys: [] }
  assert.deepEqual(footOf({ asked, message: '', keys }, look, size), { rows: [' search abc'], cursor: 11 })
})
