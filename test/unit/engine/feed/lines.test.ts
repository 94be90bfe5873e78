/** Lines as they are shown: safe, redacted from whichever line one starts, cut, and searched in bounded steps. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type OutputLines, shownLines } from '../../../../src/engine/feed/lines.ts'
import { linesOf } from '../../../../src/store/files/lines.ts'

const secrets = [{ name: 'API_TOKEN', value: 'k9-very-secret-value-77' }]

function shown(t: TestContext, text: string): OutputLines {
  const dir = mkdtempSync(join(tmpdir(), 'loop-lines-'))
  t.after(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'out'), text)
  const lines = shownLines(linesOf(join(dir, 'out'), null), secrets)
  lines.grow()
  return lines
}

test('escapes of a terminal are not shown, colour is, also one that began before', t => {
  const lines = shown(t, '\u001B[31mred\nstill\u001B]0;title\u0007 red\u001B[2J\n\u001B[0mplain\n')
  assert.deepEqual(lines.read(1, 2), [
    { n: 1, text: 'still red', colour: '\u001B[31m', cut: 0 },
    { n: 2, text: '\u001B[0mplain', colour: '\u001B[31m', cut: 0 },
  ])
})

const key = [
  '-----BEGIN RSA PRIVATE KEY-----',
  ...Array.from(
    { length: 20 },
    (_, n) => `MIIEow${String(n).padStart(2, '0')}IBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MaXaMpq3`,
  ),
  '-----END RSA PRIVATE KEY-----',
]

test('a private key is not shown, whichever of its lines one begins with, and every line keeps its number', t => {
  const all = ['before', ...key, 'after', `token ${secrets[0]?.value}`, 'end']
  const lines = shown(t, `${all.join('\n')}\n`)
  for (let from = 0; from < all.length; from += 1) {
    const read = lines.read(from, all.length)
    assert.deepEqual(
      read.map(({ n }) => n),
      all.map((_, n) => n).slice(from),
    )
    assert.doesNotMatch(read.map(({ text }) => text).join('\n'), /MIIEow|very-secret/)
    assert.equal(read.at(-1)?.text, 'end')
  }
  assert.equal(lines.read(23, 1)[0]?.text, 'after')
})

test('a line of a megabyte is cut at 8 kB, and a secret at the cut is seen', t => {
  const lines = shown(t, `${'x '.repeat(4_090)}${secrets[0]?.value} ${'y'.repeat(1_000_000)}\nnext\n`)
  const [long, next] = lines.read(0, 2)
  assert.equal(long?.text.length, 8_192)
  assert.equal(long?.cut, 1_000_000 + 4_090 * 2 + 24 + 1 - 8_192)
  assert.doesNotMatch(long?.text ?? '', /k9-ver/)
  assert.deepEqual(next, { n: 1, text: 'next', colour: '', cut: 0 })
})

test('search goes both ways, through colour, in bounded steps, and never over a secret', t => {
  const many = Array.from({ length: 30_000 }, (_, n) => `line ${n} with some words in it`)
  many[25_000] = 'here is the Nee\u001B[31mdle'
  many[100] = `token ${secrets[0]?.value}`
  const lines = shown(t, `${many.join('\n')}\n`)
  assert.deepEqual(lines.find({ text: 'needle', from: 0 }), { line: 25_000, next: null })
  assert.deepEqual(lines.find({ text: 'needle', from: 29_999, back: true }), { line: 25_000, next: null })
  assert.deepEqual(lines.find({ text: 'needle', from: 25_001 }), { line: null, next: null })
  assert.deepEqual(lines.find({ text: 'very-secret', from: 0 }), { line: null, next: null })
  assert.deepEqual(lines.find({ text: 'line 7', from: 8, back: true }), { line: 7, next: null })
  assert.deepEqual(lines.find({ text: '', from: 0 }), { line: null, next: null })
  let found = lines.find({ text: 'needle', from: 0, mostBytes: 100_000 })
  assert.equal(found.line, null)
  let steps = 1
  for (; found.next !== null; steps += 1)
    found = lines.find({ text: 'needle', from: found.next, mostBytes: 100_000 })
  assert.equal(found.line, 25_000)
  assert.ok(steps > 5, `${steps} steps`)
})
