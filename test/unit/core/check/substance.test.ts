/** Which part of a change is code, and which small changes a test should notice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeIn, isSource, mutantsOf, newCode } from '../../../../src/core/check.ts'

test('comments and spaces are no code', () => {
  const before = 'function a(b) {\n  return b // the same\n}\n'
  const after = '/** Gives it back. */\nfunction a(b) {\n\n    return b /* yes */\n}\n'
  assert.deepEqual(newCode('a.js', before, after), [])
  assert.deepEqual(newCode('a.py', 'x = 1\n', '"""What it is."""\nx = 1  # one\n'), [])
  assert.deepEqual(newCode('a.js', before, before.replace('return b', 'return b + 1')), ['returnb+1'])
})

test('a URL in a text is not taken for a comment', () => {
  assert.deepEqual(codeIn('a.js', "const a = 'http://b'\n"), ["consta='http://b'"])
})

test('documents, data and lock files are no sources', () => {
  assert.deepEqual(['a.md', 'b.json', 'c.lock', 'd.txt', 'e.yaml'].filter(isSource), [])
  assert.deepEqual(['a.ts', 'b.py', 'c.go', 'd.rs'].filter(isSource), ['a.ts', 'b.py', 'c.go', 'd.rs'])
})

test('a mutant changes one line, and leaves imports and comments alone', () => {
  const text =
    "import { a } from '../check/a1.js'\n// 1 + 1\nexport const b = c => c + 1\nif (c === 2) return true\n"
  assert.deepEqual(
    mutantsOf([{ path: 'b.js', text }], 9).map(({ line, text: now }) => [line, now.split('\n')[line - 1]]),
    [
      [3, 'export const b = c => c - 1'],
      [4, 'if (c !== 2) return true'],
    ],
  )
})

test('of many mutants some are taken, spread over the file', () => {
  const text = Array.from({ length: 100 }, (_, i) => `a = ${i}`).join('\n')
  assert.deepEqual(
    mutantsOf([{ path: 'a.py', text }], 4).map(({ line }) => line),
    [1, 26, 51, 76],
  )
})
