/** Agent output as safe text: colour stays, every other escape goes, however the output is cut into chunks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import xterm from '@xterm/headless'
import * as fc from 'fast-check'
import { jsonText, plainText, safeLine, spelledOut } from '../../../../src/core/text/plain-text.ts'

const ESC = '\u001B'
const BEL = '\u0007'
const ST = `${ESC}\\`
const plain = (...chunks: string[]) => chunks.map(plainText()).join('')

/** The number of cases in the long form. */
const many = process.env['LOOP_LONG'] ? 100_000 : null

const colour = new RegExp(`${ESC}\\[[\\d;:]*m`, 'g')

test('of all characters, those that show nothing are spelled out and no others', () => {
  const unseen = /[\p{DI}\u2028\u2029\uFFF9-\uFFFB]/u
  for (let code = 0xa0; code <= 0x10_ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const text = `}${String.fromCodePoint(code)}`
    const shown = unseen.test(text) ? `}\\u{${code.toString(16)}}` : text
    if (plain(text) !== shown)
      assert.fail(`U+${code.toString(16)} is shown as ${JSON.stringify(plain(text))}`)
  }
})

test('colour is kept as it is', () => {
  for (const codes of ['', '0', '1;31', '38;5;208', '38;2;1;2;3', '4:3', ';;']) {
    const text = `a${ESC}[${codes}mb`
    assert.equal(plain(text), text)
  }
})

test('of a colour, what would hide text is left out', () => {
  const rows: [string, string | null][] = [
    ['8', null],
    ['08', null],
    ['5', null],
    ['6;8', null],
    ['8;31', '31'],
    ['1;8;31', '1;31'],
    [';8', ''],
    ['38;5;8', '38;5;8'],
    ['48;2;8;5;6;8', '48;2;8;5;6'],
    ['38:5:8', '38:5:8'],
    ['8:1', null],
    ['28', '28'],
    // Invalid colours: a terminal may read the following numbers as codes of their own.
    ['38;8', null],
    ['38;5', null],
    ['38;2;8;8', '2'],
  ]
  for (const [codes, kept] of rows)
    assert.equal(plain(`a${ESC}[${codes}mb`), kept === null ? 'ab' : `a${ESC}[${kept}mb`, codes)
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

test('a string without an end hides nothing of the next line', () => {
  assert.equal(plain(`a${ESC}]52;c;cm0=\nb`), 'a\nb')
  assert.equal(plain(`a${ESC}P`, 'x\r\nb'), 'a\nb')
})

test('what reorders or is not seen is spelled out', () => {
  const rows: [string, string][] = [
    ['\u202E\u2066x\u2069', '\\u{202e}\\u{2066}x\\u{2069}'],
    ['a\u200Bb\u200Cc\u200Dd\u2060\uFEFF', 'a\\u{200b}b\\u{200c}c\\u{200d}d\\u{2060}\\u{feff}'],
    ['a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
    ['\u{E0041}\u{E007F}', '\\u{e0041}\\u{e007f}'],
    ['x\uFE0F\uFE0F\u{E0100}', 'x\uFE0F\\u{fe0f}\\u{e0100}'],
    ['\u061C\u200E\u00AD\u3164', '\\u{61c}\\u{200e}\\u{ad}\\u{3164}'],
  ]
  for (const [text, expected] of rows) {
    assert.equal(plain(text), expected)
    assert.equal(plain(...text.split('')), expected, 'one unit at a time')
  }
})

test('emoji, and scripts whose letters join, are whole', () => {
  // A family, a heart on fire, a keycap, a skin tone, Persian with a ZWNJ, Hindi with a ZWJ, a Han variant.
  const whole = ['👨\u200D👩\u200D👧', '❤\uFE0F\u200D🔥', '1\uFE0F\u20E3', '👩🏽\u200D💻']
  for (const text of [...whole, 'می\u200Cخواهم', 'क्\u200Dष', '葛\u{E0100}']) {
    assert.equal(plain(text), text)
    assert.equal(plain(...text.split('')), text, 'one unit at a time')
  }
})

test('a line stays one, and a name is shown with every character', () => {
  assert.equal(safeLine(`a\r\nb${ESC}[2J${ESC}[31mc`), `a\\nb${ESC}[31mc`)
  assert.equal(
    spelledOut(`ff${ESC}]0;x${BEL}\n\u202E\t\u009B é`),
    'ff\\u{1b}]0;x\\u{7}\\n\\u{202e}\\u{9}\\u{9b} é',
  )
})

test('JSON that is safe to show says the same', () => {
  const value = { text: `${ESC}]0;x${BEL}\u007F\u009B\u202E\u200D\u{E0041}\u2028é👍` }
  assert.deepEqual(JSON.parse(jsonText(value)), value)
  assert.doesNotMatch(jsonText(value), /[\p{Cc}\p{Cf}\p{Zl}]/u)
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
  ['\u009B', '\u202E', '👩', '\u200D', '\uFE0F', '\u{E0041}', 'x\uFE0F', '8', '38'],
  ['text', 'é', `${ESC}[1;32m`, `${ESC}]0;t${BEL}`, 'x'.repeat(4_090), '1'.repeat(255), '\0'],
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
    { numRuns: many ?? 2_000 },
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
        assert.doesNotMatch(bare, /[^\P{Cc}\n\t]|[\u202E\u{E0041}]/u)
        assert.equal(plain(plain(text)), plain(text), 'what is safe is not changed again')
        for (const [codes] of plain(text).matchAll(colour))
          assert.doesNotMatch(
            codes.replaceAll(/[34]8[;:]5[;:]\d+|[34]8[;:]2([;:]\d*){3}/g, ''),
            /[[;]0*[568](?!\d)/,
          )
      },
    ),
    { numRuns: many ?? 300 },
  )
})

test('text without control characters and invisible ones is not changed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      if (!/[\p{DI}\p{Zl}\p{Zp}]/u.test(text))
        assert.equal(plain(text), text.replaceAll(/[^\P{Cc}\n\t]/gu, ''))
    }),
  )
})

test('a terminal that gets it keeps its title, its screen and its answers to itself', async () => {
  const terminal = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true })
  const heard: string[] = []
  terminal.onTitleChange(title => heard.push(`title ${title}`))
  terminal.onData(answer => heard.push(`answer ${JSON.stringify(answer)}`))
  terminal.onBell(() => heard.push('bell'))
  terminal.buffer.onBufferChange(() => heard.push('screen'))
  const raw = fc.string({ unit: fc.nat(0x9f).map(unit => String.fromCharCode(unit)), maxLength: 60 })
  for (const batch of batches(fc.sample(fc.oneof(texts, raw), many ?? 1_000), 500)) {
    await new Promise<void>(written => terminal.write(batch.map(text => plain(text)).join('\n'), written))
  }
  assert.deepEqual(heard, [])
  // The same text without the filter has an effect: the terminal does listen.
  await new Promise<void>(written => terminal.write(`${ESC}]0;had${BEL}${ESC}[c`, written))
  assert.ok(heard.length >= 2, String(heard))
})

function batches<T>(all: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))
}
