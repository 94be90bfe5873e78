/** The frame of a full screen fits it exactly: a wider row would leave its last character at the edge. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textWidth } from '../../../../../src/views/layout/width.ts'
import { footOf } from '../../../../../src/views/screen/frame.ts'
import { headIn, panesFrame } from '../../../../../src/views/screen/panes.ts'
import { ESC } from '../../../../rig/attacks.ts'

const manyKeys = Array.from({ length: 30 }, (_, i): [string, string] => [String(i), 'a key'])
const long = `begin ${'wide 表 '.repeat(60)}end`

for (const columns of [40, 72, 110, 150])
  for (const look of [
    { colour: true, unicode: true },
    { colour: false, unicode: false },
  ]) {
    test(`no row is wider than ${columns} columns${look.unicode ? '' : ' in ASCII'}, and one that is cut says so`, () => {
      const { rows } = panesFrame(
        {
          head: [long],
          list: { title: long, rows: () => [long], selected: 0, strip: () => long },
          tabs: { names: ['One', 'Two'], selected: 0, info: long },
          body: [long, 'short'],
          foot: footOf({ asked: null, message: long, keys: manyKeys }, look, { columns, rows: 12 }),
        },
        look,
        { columns, rows: 12 },
      )
      assert.equal(rows.length, 12)
      for (const row of rows) assert.ok(textWidth(row) <= columns, row)
      const [body = ''] = rows.filter(row => row.includes('begin')).slice(-2)
      const end = body.replace(`${ESC}[0m`, '').at(-1) ?? ''
      assert.ok((look.unicode ? '…' : '>~').includes(end), body)
      if (!look.unicode) for (const row of rows) assert.doesNotMatch(row, /[^ -~]/)
    })
  }

test('a low screen keeps how it stands, why, and what to type; under a question only the first row', () => {
  const head = ['loop a1b2c3 failed', 'the prompt', 'the agent', 'the cost', 'why', 'next']
  assert.deepEqual(headIn(head, { columns: 40, rows: 12 }, false), [
    'loop a1b2c3 failed',
    'the prompt',
    'the cost',
    'why',
    'next',
  ])
  assert.deepEqual(headIn(head, { columns: 40, rows: 10 }, false), ['loop a1b2c3 failed', 'why', 'next'])
  assert.deepEqual(headIn(head, { columns: 40, rows: 8 }, false), ['loop a1b2c3 failed'])
  assert.deepEqual(headIn(head, { columns: 40, rows: 12 }, true), ['loop a1b2c3 failed'])
  assert.deepEqual(headIn(head, { columns: 80, rows: 24 }, true), head)
})

test('what has no room beside the tabs is above the keys, while no message is there', () => {
  const size = { columns: 80, rows: 12 }
  const look = { colour: false, unicode: true }
  const rowsWith = (message: string) =>
    panesFrame(
      {
        head: ['head'],
        list: { title: 'LIST', rows: () => [], selected: 0, strip: () => '' },
        tabs: { names: ['Output', 'Promise', 'Diff', 'Prompt', 'Criteria'], selected: 0, info: '1-5 of 40' },
        body: [],
        foot: footOf(
          {
            asked: null,
            message,
            keys: [
              ['?', 'help'],
              ['q', 'quit'],
            ],
          },
          look,
          size,
        ),
      },
      look,
      size,
    ).rows.slice(-2)
  assert.deepEqual(rowsWith(''), [`${' '.repeat(70)}1-5 of 40`, ' ? help  q quit'])
  assert.deepEqual(rowsWith('found in line 3'), [' found in line 3', ' ? help  q quit'])
})
