/** Lines cut to a width: nothing is lost, nothing is too wide, and no colour runs into the next line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assert as holds, integer, property, string } from 'fast-check'
import { hung, wrapped } from '../../../../src/views/layout/columns.ts'

const red = '\u001B[31m'
const end = '\u001B[0m'

test('cut by columns: wide characters are two, joined ones none, a tab goes to the next stop', () => {
  const rows: [string, number, string[]][] = [
    ['', 4, ['']],
    ['abcd', 4, ['abcd']],
    ['abcde', 4, ['abcd', 'e']],
    ['漢字漢', 5, ['漢字', '漢']],
    ['e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301', 'e\u0301']],
    ['🙂🙂', 3, ['🙂', '🙂']],
    ['a\tb', 20, ['a       b']],
  ]
  for (const [line, width, pieces] of rows) assert.deepEqual(wrapped(line, width), pieces)
})

test('colour ends with each piece and goes on in the next', () => {
  assert.deepEqual(wrapped(`ab${red}cdef${end}gh`, 4), [`ab${red}cd${end}`, `${red}ef${end}gh`])
  assert.deepEqual(wrapped(`${red}abcd${end}e`, 4), [`${red}abcd${end}`, 'e'])
})

test('nothing is lost, whatever the text and the width', () => {
  holds(
    property(string({ unit: 'grapheme' }), integer({ min: 1, max: 20 }), (text, width) => {
      const line = text.replaceAll('\t', '').replaceAll('\u001B', '')
      assert.equal(wrapped(line, width).join(''), line)
    }),
  )
})

test('a line with a label is broken below its words, and what is to be typed is not broken', () => {
  const rows: [line: string, width: number | null, rows: string[]][] = [
    ['  promise     tests: FAIL (exit 1)', 40, ['  promise     tests: FAIL (exit 1)']],
    ['  promise     tests: FAIL (exit 1)', 28, ['  promise     tests: FAIL', '              (exit 1)']],
    ['  judged by   check.sh and more', 30, ['  judged by   check.sh and', '              more']],
    ['[LOOP] Pausing after this', 16, ['[LOOP] Pausing', '  after this']],
    ['  next        loop resume a1b2c3', 20, ['  next        loop resume a1b2c3']],
    ['a line for a program', null, ['a line for a program']],
    ['  a-very-long-name-of-it  and words', 20, ['  a-very-long-name-of-it  and words']],
  ]
  for (const [line, width, broken] of rows) assert.deepEqual(hung(line, width), broken)
})
