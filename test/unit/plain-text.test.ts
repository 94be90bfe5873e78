/** Agent output as safe text: colour stays, every other escape goes, however the output is cut into chunks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { plainText } from '../../src/views/plain-text.ts'

const ESC = '\u001B'
const BEL = '\u0007'
const ST = `${ESC}\\`
const plain = (...chunks: string[]) => chunks.map(plainText()).join('')

const colour = new RegExp(`${ESC}\\[[\\d;:]*m`, 'g')

test('colour is kept as it is', () => {
  for (const codes of ['', '0', '1;31', '38;5;208', '38;2;1;2;3', '4:3', ';;']) {
    const text = `a${ESC}[${codes}mb`
    assert.equal(plain(text), text)
  }
})

test('newline and tab stay, a carriage return is a newline', () => {
  assert.equal(plain('a\n\tb\r\nc\rd'), 'a\n\tb\nc\nd')
  assert.equal(plain('50%\r', '100%\r', '\ndone'), '50%\n100%\ndone')
  assert.equal(plain('a\r\r\nb'), 'a\n\nb')
})

test('every other escape is dropped with all that belongs to it', () => {
  const escapes: Record<string, string> = {
    'clear screen': `${ESC}[2J`,
    'cursor home': `${ESC}[H`,
    'alternate screen': `${ESC}[?1049h`,
    'scroll region': `${ESC}[1;20r`,
    'a private m, which is no colour': `${ESC}[>4;2m`,
    'with an intermediate character': `${ESC}[0 q`,
    'device status, which would be answered': `${ESC}[6n`,
    'window title, BEL': `${ESC}]0;owned${BEL}`,
    'window title, ST': `${ESC}]0;owned${ST}`,
    clipboard: `${ESC}]52;c;cm0gLXJm${BEL}`,
    link: `${ESC}]8;;http://x${ST}`,
    DCS: `${ESC}P1$r0m${ST}`,
    APC: `${ESC}_payload${ST}`,
    PM: `${ESC}^payload${ST}`,
    SOS: `${ESC}Xpayload${ST}`,
    reset: `${ESC}c`,
    'save cursor': `${ESC}7`,
    'character set': `${ESC}(B`,
    'wide character set': `${ESC}$(C`,
    'alignment test': `${ESC}#8`,
    'cut short by CAN': `${ESC}]0;owned\u0018`,
    'cut short by SUB': `${ESC}Powned\u001A`,
  }
  for (const [name, escape] of Object.entries(escapes)) assert.equal(plain(`a${escape}b`), 'ab', name)
})

test('an escape inside a string ends the string', () => {
  assert.equal(plain(`a${ESC}]0;title${ESC}[31mred`), `a${ESC}[31mred`)
  assert.equal(plain(`a${ESC}]0;one${ESC}]0;two${BEL}b`), 'ab')
})

test('a lone ESC goes, what follows it stays', () => {
  assert.equal(plain(`a${ESC}\nb`), 'a\nb')
  assert.equal(plain(`a${ESC}${ESC}[31mb`), `a${ESC}[31mb`)
  assert.equal(plain(`a${ESC}éb`), 'aéb')
  assert.equal(plain(`a${ESC}[31\nmb`), 'a\nmb')
  assert.equal(plain(`done${ESC}`), 'done')
})

test('control characters of both sets go, letters of any script stay', () => {
  for (let code = 0; code < 0xa0; code += 1) {
    const char = String.fromCharCode(code)
    const isControl = code < 0x20 || code >= 0x7f
    const expected = isControl ? (char === '\r' ? '\n' : '\n\t'.includes(char) ? char : '') : char
    if (char !== ESC) assert.equal(plain(`é${char}漢`), `é${expected}漢`, code.toString(16))
  }
  assert.equal(plain('🙂 é ß 漢'), '🙂 é ß 漢')
})

test('a string that never ends hides at most 4096 characters, and nothing is kept of it', () => {
  const rest = 'what comes after'
  for (const open of [']', 'P', 'X', '^', '_']) {
    assert.equal(plain(`a${ESC}${open}${'x'.repeat(4_096)}${rest}`), `a${rest}`)
    assert.equal(plain(`a${ESC}${open}${'x'.repeat(4_095)}`), 'a')
  }
  const step = plainText()
  let shown = step(`${ESC}]0;`).length
  for (let i = 0; i < 100; i += 1) shown += step('x'.repeat(1_000)).length
  assert.equal(shown, 100_000 + '0;'.length - 4_096)
})

test('a CSI that never ends is kept back up to a bound', () => {
  const step = plainText()
  let shown = step(`${ESC}[`).length
  for (let i = 0; i < 100; i += 1) shown += step('1'.repeat(1_000)).length
  assert.ok(shown >= 100_000 - 300, String(shown))
})

const pieces = [
  [ESC, BEL, ST, '[', ']', 'P', '\\', '31', ';', 'm', '?', ' ', 'J', '(', 'B', '\r', '\n', '\u0018'],
  ['\u009B', 'text', 'é', `${ESC}[1;32m`, `${ESC}]0;t${BEL}`, 'x'.repeat(4_090), '1'.repeat(255), '\0'],
].flat()
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map(parts => parts.join(''))

test('any split of the output gives the same text as no split', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(200), { maxLength: 40 }), (text, sizes) => {
      const chunks: string[] = []
      let at = 0
      for (const size of sizes) chunks.push(text.slice(at, (at += size)))
      assert.equal(plain(...chunks, text.slice(at)), plain(text))
    }),
    { numRuns: 2_000 },
  )
  fc.assert(
    fc.property(texts, text => assert.equal(plain(...text), plain(text))),
    { numRuns: 100 },
  )
})

test('what comes out holds no control character but newline, tab and colour', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        texts,
        fc.uint8Array().map(bytes => String.fromCharCode(...bytes)),
      ),
      text => {
        const bare = plain(text).replaceAll(colour, '')
        assert.doesNotMatch(bare, /[^\P{Cc}\n\t]/u)
      },
    ),
    { numRuns: 300 },
  )
})

test('text without control characters is not changed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      assert.equal(plain(text), text.replaceAll(/[^\P{Cc}\n\t]/gu, ''))
    }),
  )
})
