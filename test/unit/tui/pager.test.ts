/** The window on lines: every row can be reached, in both directions, and the end is followed. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { shownLines } from '../../../src/engine/feed/lines.ts'
import { spoolIn } from '../../../src/engine/feed/spool.ts'
import { move, pagingOf, rowsIn, searchStep, toEnd, toLine } from '../../../src/tui/pager.ts'

const window = { width: 10, height: 4 }

function paged(t: TestContext, text: string, follows = false) {
  const dir = mkdtempSync(join(tmpdir(), 'loop-pager-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const { lines, add } = spoolIn(dir)
  add(text)
  lines.grow()
  const paging = pagingOf(shownLines(lines, []), { follows })
  return {
    paging,
    rows: () => rowsIn(paging, window).map(({ text: row }) => row),
    add(more: string) {
      add(more)
      lines.grow()
    },
  }
}

const text = 'one\n0123456789abcdefghijKLMNOPQRST!\nthree\nfour\nfive\n'
const all = ['one', '0123456789', 'abcdefghij', 'KLMNOPQRST', '!', 'three', 'four', 'five']

test('row by row down and up, through a line that is wider than the window', t => {
  const { paging, rows } = paged(t, text)
  for (let top = 0; top <= 4; top += 1) {
    assert.deepEqual(rows(), all.slice(top, top + 4))
    move(paging, 1, window)
  }
  assert.deepEqual(rows(), all.slice(4), 'the end stays in sight')
  for (let top = 3; top >= 0; top -= 1) {
    move(paging, -1, window)
    assert.deepEqual(rows(), all.slice(top, top + 4))
  }
  move(paging, -5, window)
  assert.deepEqual(rows(), all.slice(0, 4))
})

test('page by page reaches the end, and then follows it', t => {
  const { paging, rows, add } = paged(t, text)
  move(paging, 3, window)
  assert.deepEqual(rows(), all.slice(3, 7))
  assert.equal(paging.follows, false)
  move(paging, 3, window)
  assert.equal(paging.follows, true)
  add('six\n')
  assert.deepEqual(rows(), ['three', 'four', 'five', 'six'])
  move(paging, -1, window)
  assert.equal(paging.follows, false)
  add('seven\n')
  assert.deepEqual(rows(), ['!', 'three', 'four', 'five'])
  toEnd(paging)
  assert.deepEqual(rows(), ['four', 'five', 'six', 'seven'])
  toLine(paging, 0)
  assert.deepEqual(rows(), all.slice(0, 4))
})

test('fewer lines than rows, and none', t => {
  const { paging, rows, add } = paged(t, '', true)
  assert.deepEqual(rows(), [])
  move(paging, 1, window)
  move(paging, -1, window)
  add('only\n')
  assert.deepEqual(rows(), ['only'])
})

test('a match comes into the window', t => {
  const many = Array.from({ length: 100 }, (_, n) => `line ${n}`).join('\n')
  const { paging, rows } = paged(t, many)
  assert.equal(searchStep(paging, { text: 'LINE 42', from: 0, back: false }).line, 42)
  assert.ok(rows().includes('line 42'))
  assert.deepEqual(paging.search, { text: 'LINE 42', found: 42 })
})

test('text for reading is broken between words, and what is longer than a row where the row ends', t => {
  const { paging, rows } = paged(t, 'find the root cause\n  of it first\nabcdefghijklmn\n')
  paging.isProse = true
  const broken = ['find the', 'root cause', '  of it', '  first', 'abcdefghij', 'klmn']
  assert.deepEqual(rows(), broken.slice(0, 4))
  move(paging, 1, window)
  assert.deepEqual(rows(), broken.slice(1, 5))
  toEnd(paging)
  assert.deepEqual(rows(), broken.slice(2))
})

test('what stands beside a line takes room from it, and is never wider than a quarter of the window', t => {
  const { paging } = paged(t, ' abcdefgh\n+12345678\nhead\n')
  const numbers = ['    7    9 ', '        10 ', '']
  const beside = (from: number, many: number) => numbers.slice(from, from + many)
  const numbered = { ...paging, beside }
  const seen = (width: number) => rowsIn(numbered, { width, height: 8 }).map(row => row.beside + row.text)
  assert.deepEqual(seen(44), ['    7    9  abcdefgh', '        10 +12345678', 'head'])
  assert.deepEqual(seen(12), ['    9  abcde', '      fgh', '   10 +12345', '      678', 'head'])
  const small = { width: 12, height: 2 }
  move(numbered, 3, small)
  assert.deepEqual(
    rowsIn(numbered, small).map(row => row.beside + row.text),
    ['      678', 'head'],
  )
  move(numbered, -2, small)
  assert.equal(rowsIn(numbered, small)[0]?.text, 'fgh')
})
