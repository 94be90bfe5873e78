/** The width of text on a terminal, and text that is made to fit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bothEnds,
  cutTo,
  fitRight,
  fitTo,
  textWidth,
  withoutTabs,
} from '../../../../src/views/layout/width.ts'

const red = '\u001B[31m'
const end = '\u001B[0m'

const widths: [text: string, width: number][] = [
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['漢字', 4],
  ['ﾊﾝ', 2],
  ['한글', 4],
  ['😀', 2],
  ['👨‍👩‍👧‍👦', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['❤', 1],
  ['✓ ok', 4],
  [`${red}abc${end}`, 3],
  ['–…·', 3],
]

for (const [text, width] of widths)
  test(`${JSON.stringify(text)} is ${width} wide`, () => assert.equal(textWidth(text), width))

const cuts: [text: string, width: number, cut: string][] = [
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['abcdef', 1, '…'],
  ['abcdef', 0, ''],
  ['漢字漢字', 5, '漢字…'],
  ['漢字漢字', 4, '漢…'],
  [`${red}abcdef${end}`, 4, `${red}abc…${end}`],
  [`${red}ab${end}cdef`, 4, `${red}ab${end}c…`],
  ['👨‍👩‍👧‍👦abc', 3, '👨‍👩‍👧‍👦…'],
]

for (const [text, width, cut] of cuts)
  test(`${JSON.stringify(text)} cut to ${width}`, () => assert.equal(cutTo(text, width), cut))

test('what is made to fit is exactly so wide, whatever is in it', () => {
  for (const [text] of widths)
    for (const width of [1, 2, 3, 7, 20]) {
      assert.ok(textWidth(cutTo(text, width)) <= width)
      assert.equal(textWidth(fitTo(text, width)), width, JSON.stringify([text, width]))
      assert.equal(textWidth(fitRight(text, width)), width)
    }
  assert.equal(bothEnds('left', 'right', 20), 'left           right')
  assert.equal(bothEnds('a long text at the left', 'right', 20), 'a long text a… right')
  assert.equal(bothEnds('left', 'a right end that is long', 10), 'left      ')
})

test('a tab goes to the next eighth column', () => {
  assert.equal(withoutTabs('a\tb'), 'a       b')
  assert.equal(withoutTabs('12345678\tb'), '12345678        b')
  assert.equal(withoutTabs('漢\tb'), '漢      b')
})

test('every character of the fast path is one column wide', () => {
  const narrow = `~ ¡ÿſʯ … – — ‘’“” ← ↔ ⇒ ─ ┼ █ ▁ ● ✓ ✗ ⠋`
  const slow = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(narrow)].length
  assert.equal(textWidth(narrow), slow)
  assert.equal(textWidth(`${red}${narrow}${end}`), slow)
  assert.equal(cutTo(narrow, 5), '~ ¡ÿ…')
  assert.equal(cutTo(`${red}${narrow}${end}`, 5), `${red}~ ¡ÿ…${end}`)
})
