/**
 * Lines by number: compared with a plain split of the whole text, while it grows, and with an index that cannot be
 * trusted.
 */
import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { safeText } from '../../../../../src/core/text/plain-text.ts'
import { indexFile, linesOf } from '../../../../../src/store/files/lines.ts'
import { seeded } from '../../../../rig/seeded.ts'

function fileIn(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'loop-lines-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return join(dir, 'out')
}

/** The lines as a person counts them: a line begins where the terminal filter begins one. */
function linesIn(text: string): string[] {
  const lines = safeText(text).split('\n')
  return text === '' || /[\r\n]$/.test(text) ? lines.slice(0, -1) : lines
}

function texts(lines: { bytes: Buffer }[]): string[] {
  return lines.map(({ bytes }) => safeText(bytes.toString()))
}

const parts = [
  'a',
  'bc ',
  'word',
  '\n',
  '\n',
  '\r\n',
  '\r',
  'é',
  '漢',
  '\u001B[31m',
  '\u001B[0m',
  '\u001B[1;4',
  '\t',
]

test('every line of a text that grows piece by piece is the line that a plain split finds', t => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = seeded(seed)
    const file = fileIn(t)
    const lines = linesOf(file, null)
    const pick = () => parts[Math.floor(random() * parts.length)] ?? ''
    let text = ''
    for (let round = 0; round < 8; round += 1) {
      const piece = Array.from({ length: Math.floor(random() * 60) }, pick).join('')
      appendFileSync(file, piece)
      text += piece
      while (lines.grow(1 + Math.floor(random() * 40)));
      // An escape or a \r at the end may be continued by the next piece.
      if (text.endsWith('\r') || text.endsWith('\u001B[1;4')) continue
      const expected = linesIn(text)
      assert.equal(lines.count().lines, expected.length, `seed ${seed}: ${JSON.stringify(text)}`)
      const from = Math.floor(random() * (expected.length + 1))
      assert.deepEqual(
        texts(lines.read(from, 5)),
        expected.slice(from, from + 5),
        `seed ${seed}, from ${from}`,
      )
    }
    lines.close()
  }
})

/** 40 000 lines with colours that span lines, some lines very long. */
function bigText(): { text: string; lines: string[] } {
  const lines = Array.from({ length: 40_000 }, (_, n) => {
    if (n % 9_973 === 5_000) return `long ${n} ${'x'.repeat(200_000)}`
    return n % 700 === 3 ? `\u001B[3${n % 8}mline ${n}` : `line ${n} with some words in it`
  })
  return { text: `${lines.join('\n')}\n`, lines }
}

test('a line of a large output is reached by reading a little, also behind a very long one', t => {
  const file = fileIn(t)
  const { text, lines: expected } = bigText()
  writeFileSync(file, text)
  const lines = linesOf(file, null)
  assert.equal(lines.grow(), false)
  assert.deepEqual(lines.count(), { lines: 40_000, bytes: text.length, size: text.length })
  for (const n of [0, 1, 511, 512, 4_999, 5_000, 5_001, 14_973, 14_974, 39_999]) {
    const [line] = lines.read(n, 1)
    assert.equal(line?.line, n)
    assert.equal(line?.bytes.toString(), expected[n]?.slice(0, 8_192))
    assert.equal(line?.length, (expected[n]?.length ?? 0) + 1)
    const around = lines.around(n)
    assert.ok(around.first <= n && n < around.end)
    assert.ok(around.bytes.length < 100_000, `${around.bytes.length} bytes about line ${n}`)
  }
  assert.deepEqual(lines.read(40_000, 5), [])
  assert.deepEqual(
    lines.read(4_998, 4).map(({ line }) => line),
    [4_998, 4_999, 5_000, 5_001],
  )
  assert.equal(lines.read(704, 1)[0]?.colour, '37', '703 began a colour that goes on')
})

test('the index is kept beside the output, and the next reader goes on from it', t => {
  const file = fileIn(t)
  const { text, lines: expected } = bigText()
  writeFileSync(file, text.repeat(5))
  const first = linesOf(file)
  first.grow()
  first.close()
  assert.equal(statSync(indexFile(file)).mode & 0o777, 0o600)
  const second = linesOf(file)
  assert.equal(second.grow(0), false, 'nothing is left to read')
  assert.equal(second.count().lines, 200_000)
  assert.equal(second.read(199_999, 1)[0]?.bytes.toString(), expected.at(-1))
  appendFileSync(file, 'one more')
  second.grow()
  assert.equal(second.read(200_000, 1)[0]?.bytes.toString(), 'one more')
  second.close()
})

/** Attacks of an agent on the index, or on the output behind it. */
const attacks: Record<string, (file: string) => void> = {
  'is garbage': file => writeFileSync(indexFile(file), Buffer.alloc(10_000, 0xff)),
  'is cut short': file => truncateSync(indexFile(file), 200),
  'is empty': file => truncateSync(indexFile(file), 0),
  'names other places': file =>
    writeFileSync(indexFile(file), readFileSync(indexFile(file), 'latin1').replaceAll(/ (\d+) - /g, ' 7 - ')),
  'is a link to a device': file => {
    rmSync(indexFile(file))
    symlinkSync('/dev/zero', indexFile(file))
  },
  'is of another file of the same size': file => {
    const other = readFileSync(file, 'latin1').replaceAll('words', 'w\nrds')
    writeFileSync(`${file}.new`, other, 'latin1')
    renameSync(`${file}.new`, file)
  },
  'is of what stood in the file before': file =>
    writeFileSync(file, readFileSync(file, 'latin1').replaceAll('words', 'w\nrds'), 'latin1'),
  'is longer than the file': file => truncateSync(file, 3_000_000),
}

for (const [what, attack] of Object.entries(attacks)) {
  test(`an index that ${what} is not believed`, t => {
    const file = fileIn(t)
    writeFileSync(file, bigText().text.repeat(5))
    const first = linesOf(file)
    first.grow()
    first.close()
    attack(file)
    const expected = linesIn(readFileSync(file, 'utf8'))
    const lines = linesOf(file)
    lines.grow()
    assert.equal(lines.count().lines, expected.length)
    for (const n of [0, 600, 20_000, 50_000, expected.length - 1])
      assert.deepEqual(
        texts(lines.read(n, 2)),
        expected.slice(n, n + 2).map(line => line.slice(0, 8_192)),
      )
    lines.close()
  })
}

test('an output that is replaced while it is read is read anew', t => {
  const file = fileIn(t)
  writeFileSync(file, 'token=secret\nnext\n')
  const lines = linesOf(file, null)
  lines.grow()
  writeFileSync(`${file}.redacted`, 'token=…\nnext\nlast\n')
  renameSync(`${file}.redacted`, file)
  lines.grow()
  assert.deepEqual(texts(lines.read(0, 9)), ['token=…', 'next', 'last'])
  rmSync(file)
  lines.grow()
  assert.equal(lines.count().lines, 3, 'what is open can still be read')
})

for (const [what, make] of Object.entries({
  'not there': () => {},
  'a link': (file: string) => symlinkSync('/etc/hostname', file),
  'a device': (file: string) => symlinkSync('/dev/zero', file),
})) {
  test(`an output that is ${what} has no lines`, t => {
    const file = fileIn(t)
    make(file)
    const lines = linesOf(file)
    assert.equal(lines.grow(), false)
    assert.deepEqual(lines.count(), { lines: 0, bytes: 0, size: 0 })
    assert.deepEqual(lines.read(0, 5), [])
  })
}
