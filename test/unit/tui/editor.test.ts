/** A line that is typed: the effect of each key. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyLine, type TypedLine, typed } from '../../../src/tui/dialog.ts'
import type { KeyPress } from '../../../src/tui/screen.ts'

const press = (text: string): KeyPress => ({ name: text, text, ctrl: false, pasted: false })
const named = (name: string): KeyPress => ({ name, text: '', ctrl: false, pasted: false })
const ctrl = (name: string): KeyPress => ({ name, text: '', ctrl: true, pasted: false })
const paste = (text: string): KeyPress => ({ name: text, text, ctrl: false, pasted: true })

const after = (keys: KeyPress[]): TypedLine => keys.reduce((line, key) => typed(line, key) ?? line, emptyLine)
const letters = (text: string) => [...text].map(press)

const rows: [name: string, keys: KeyPress[], text: string, at: number][] = [
  ['letters', letters('abc'), 'abc', 3],
  ['a letter in between', [...letters('ac'), named('left'), press('b')], 'abc', 2],
  ['backspace', [...letters('abc'), named('backspace')], 'ab', 2],
  ['backspace at the begin', [named('backspace'), ...letters('a')], 'a', 1],
  ['delete', [...letters('abc'), named('home'), named('delete')], 'bc', 0],
  [
    'a character of several parts is one',
    [press('👨‍👩‍👧‍👦'), press('e\u0301'), named('backspace')],
    '👨‍👩‍👧‍👦',
    11,
  ],
  ['left of a wide one', [press('漢'), named('left'), press('a')], 'a漢', 1],
  ['a word back', [...letters('one two'), ctrl('w')], 'one ', 4],
  ['to the begin', [...letters('one two'), ctrl('u')], '', 0],
  ['to the end', [...letters('one'), ctrl('a'), ctrl('k')], '', 0],
  ['what is pasted stays one line', [paste('a\nb\tc')], 'a b c', 5],
  ['control characters are no text', [...letters('a'), press('\u0007')], 'a', 1],
  ['keys without a meaning', [...letters('a'), named('f5')], 'a', 1],
]

for (const [name, keys, text, at] of rows) test(name, () => assert.deepEqual(after(keys), { text, at }))

const suggested: TypedLine = { text: 'name-1', at: 6, isSuggested: true }

for (const [name, key, text] of [
  ['typing replaces a suggestion', press('a'), 'a'],
  ['so does pasting', paste('abc'), 'abc'],
  ['deleting removes it', named('backspace'), ''],
  ['a move keeps it', named('left'), 'name-1'],
] as const)
  test(name, () => {
    const line = typed(suggested, key)
    assert.equal(line?.text, text)
    assert.ok(!line?.isSuggested)
  })

test('a line has an end', () => {
  const line = after([paste('x'.repeat(10_000)), press('y')])
  assert.equal(line.text.length, 4_000)
})
