/** The colour in effect after some escapes, as the codes that set it again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colourAfter } from '../../../../src/store/files/line-scan.ts'

const rows: [before: string, codes: string, after: string][] = [
  ['', '31', '31'],
  ['31', '', ''],
  ['31', '0', ''],
  ['31', '1', '1;31'],
  ['1;31', '22', '31'],
  ['1;2;31', '22', '31'],
  ['31', '39', ''],
  ['31', '92', '92'],
  ['31;42', '49', '31'],
  ['', '38;5;208', '38;5;208'],
  ['38;5;208', '1', '1;38;5;208'],
  ['', '38;2;1;2;3;48;5;7', '38;2;1;2;3;48;5;7'],
  ['', '38;5', ''],
  ['', '38:2::1:2:3', '38:2::1:2:3'],
  ['31', '0;1', '1'],
  ['', '4', '4'],
  ['4', '24', ''],
  ['', '5', ''],
  ['', '8;31', '31'],
  ['', '58;5;1;31', '31'],
  ['7', '27;9', '9'],
]

for (const [before, codes, after] of rows) {
  test(`${codes || 'nothing'} after ${before || 'nothing'}`, () => {
    assert.equal(colourAfter(before, codes), after)
  })
}
