/** Secrets are removed, text that only looks like one stays, and how the text is split changes nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { array, constantFrom, assert as holds, nat, oneof, property, tuple } from 'fast-check'
import { redactAll, redactor, redactText, secretsIn } from '../../../src/secrets/redact.ts'
import { cpuMs } from '../../rig/cpu.ts'
import { broken, brokenSecrets, env, escapes, harmless, secrets, spelledEscapes } from './samples.ts'

test('what is a secret is taken out, and nothing around it', () => {
  for (const [text, shown] of secrets) assert.equal(redactText(text, []), shown)
})

test('what only looks like one stays as it is', () => {
  for (const text of harmless) assert.equal(redactText(text, []), text)
  const everything = harmless.join('\n')
  assert.equal(redactText(everything, []), everything)
})

test('doing it again changes nothing', () => {
  const once = redactText(secrets.map(([text]) => text).join('\n'), [])
  assert.equal(redactText(once, []), once)
})

test('of the environment the values whose name says so, by their name', () => {
  const known = secretsIn(env)
  assert.deepEqual(
    known.map(({ name }) => name),
    ['GITHUB_TOKEN', 'MY_SECRET', 'APP_PASSWORD'],
  )
  const text =
    'x=plainlookingvalue, plainlookingvalu, plainlooking; with "quotes" and\nlines some-editor-of-mine'
  const shown =
    'x=[redacted:$GITHUB_TOKEN], [redacted:$MY_SECRET]valu, [redacted:$MY_SECRET]; [redacted:$APP_PASSWORD] some-editor-of-mine'
  assert.equal(redactText(text, known), shown)
  assert.deepEqual(redactAll({ a: ['plainlooking', 1, null], plainlooking: true }, known), {
    a: ['[redacted:$MY_SECRET]', 1, null],
    '[redacted:$MY_SECRET]': true,
  })
})

test('an ordinary word is a secret only where the text calls it one', () => {
  const known = secretsIn({
    PGPASSWORD: 'postgres',
    SESSION_SECRET: 'dev-secret',
    SORT_KEY: 'lastName',
    APP_TOKEN: 'development',
    REAL_TOKEN: 'kq7xwz9p',
    LONG_TOKEN: 'abcdefghijklmnop',
  })
  const rows: [string, string][] = [
    ['using postgres in development, by lastName', 'using postgres in development, by lastName'],
    ['PGPASSWORD=postgres psql', 'PGPASSWORD=[redacted:password] psql'],
    ['{"password": "postgres", "db": "postgres"}', '{"password": "[redacted:password]", "db": "postgres"}'],
    ['postgres://postgres:postgres@db/postgres', 'postgres://postgres:[redacted:url]@db/postgres'],
    ['login --token development', 'login --token [redacted:token]'],
    ['secret: dev-secret', 'secret: [redacted:secret]'],
    ['kq7xwz9p and abcdefghijklmnop', '[redacted:$REAL_TOKEN] and [redacted:$LONG_TOKEN]'],
  ]
  for (const [text, shown] of rows) assert.equal(redactText(text, known), shown)
})

test('however the text is cut, the same comes out', () => {
  const known = secretsIn({ ...env, PGPASSWORD: 'postgres' })
  const parts = [
    ...secrets.map(([text]) => text),
    ...brokenSecrets.map(([text]) => text),
    ...harmless,
    ...known.map(({ value }) => value),
    'x'.repeat(9_000),
    `${'\u001B[31m'.repeat(2_000)}x`,
    `\u001B]0;${'x'.repeat(5_000)}`,
  ]
  const codes = [...escapes, ...spelledEscapes]
  const bits = [
    'postgres',
    ' ',
    '\n',
    '"',
    '\\',
    'plainlooking',
    'token=',
    '://',
    '\u001B',
    '\u001B[3',
    '\u001B]',
    '\u001BP',
  ]
  const text = array(constantFrom(...parts, ...codes, ...bits), { minLength: 1, maxLength: 8 })
  const inside = array(tuple(nat(30_000), constantFrom(...codes)), { maxLength: 4 })
  const cut = oneof(nat(400), nat(8))
  holds(
    property(text, inside, array(cut, { maxLength: 60 }), (pieces, put, cuts) => {
      const whole = broken(pieces.join(''), put)
      const redact = redactor(known)
      let shown = ''
      let at = 0
      for (const length of cuts) {
        shown += redact.push(whole.slice(at, at + length))
        at += length
      }
      shown += redact.push(whole.slice(at)) + redact.end()
      assert.equal(shown, redactText(whole, known))
    }),
    { numRuns: process.env['LOOP_LONG'] ? 20_000 : 700 },
  )
})

test('nothing is kept back longer than to the end of its word', () => {
  const redact = redactor(secretsIn(env))
  assert.equal(redact.push('Continue? [y/N] '), 'Continue? [y/N] ')
  assert.equal(redact.push('half'), '')
  assert.equal(redact.push(' a '), 'half a ')
  assert.equal(redact.push('x'.repeat(100_000)).length > 90_000, true)
})

test('a JSON document stays one, whatever is taken out of it', () => {
  for (const [text] of [...secrets, ...brokenSecrets]) {
    const document = JSON.stringify({ text, list: [text, { [text]: 1 }] })
    assert.doesNotThrow(() => JSON.parse(redactText(document, [])), text)
  }
})

test('hostile text does not make it slow', () => {
  const slow = [
    'eyJ',
    'token',
    'token=',
    '://a:',
    '-----BEGIN RSA PRIVATE ',
    'sk-',
    'a.',
    'password: ',
    '\\n',
    'A',
    '\u001B',
    '\u001B[',
    '\u001B]',
    '\u001B[1m',
    'token\u001B[1m',
    '\u001B]0;token\u0007',
    '\\u001b',
    '\\u001b]',
  ]
  for (const part of slow) {
    const text = part.repeat(Math.ceil(300_000 / part.length))
    const took = cpuMs(() => redactText(text, []))
    assert.ok(took < 600, `${part}: ${took} ms`)
  }
})

test('a short value inside a key does not hide the key', () => {
  const known = [{ name: 'DB_PASSWORD', value: '12345678' }]
  const text = redactText('token ghp_abcdefghijklmnopqrstuvwxyz0123456789 end', known)
  assert.doesNotMatch(text, /ghp_|abcdef/)
})
