/** The frame of a full screen fits it exactly: a wider row would leave its last character at the edge. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textWidth } from '../../../../../src/views/layout/width.ts'
import { panesFrame } from '../../../../../src/views/screen/watch/layout.ts'
import { ESC } from '../../../../rig/attacks.ts'

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
          message: { text: long, cursor: null },
          keys: Array.from({ length: 30 }, (_, i): [string, string] => [String(i), 'a key']),
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
