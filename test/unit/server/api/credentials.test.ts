/** Access to loopd: the token, the key, the invitation; and the log that is rotated. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { entryFor, readToken, tokenIn } from '../../../../src/server/api/credentials.ts'
import { rotating } from '../../../../src/server/daemon/log.ts'

function directory(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'loop-entry-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('an invitation works once, and only for a minute', () => {
  const entry = entryFor('secret')
  const [used, late] = [entry.invite(0), entry.invite(0)]
  assert.notEqual(entry.redeem(used, 59_999), null)
  assert.equal(entry.redeem(used, 59_999), null)
  assert.equal(entry.redeem(late, 60_001), null)
  assert.equal(entry.redeem('', 0), null)
})

test('a key outlives loopd, but neither its time nor the token', () => {
  const entry = entryFor('secret')
  const key = entry.redeem(entry.invite(0), 0) ?? ''
  const month = 30 * 24 * 3_600_000
  assert.equal(entryFor('secret').isKey(key, month - 1), true)
  assert.equal(entryFor('secret').isKey(key, month + 1), false)
  assert.equal(entryFor('another').isKey(key, 1), false)
  const [until = '', sum = ''] = key.split('.')
  for (const forged of [
    `${Number(until) + 1}.${sum}`,
    until,
    `${until}.`,
    `.${sum}`,
    `${until}.${sum}x`,
    '',
  ]) {
    assert.equal(entry.isKey(forged, 1), false, forged)
  }
})

test('a key that was taken back opens nothing, whatever is added to it', () => {
  const entry = entryFor('secret')
  const [key = '', other = ''] = [entry.redeem(entry.invite(0), 0), entry.redeem(entry.invite(0), 0)].map(
    String,
  )
  assert.equal(entry.isKey(key, 1), true)
  entry.revoke(key, 1)
  for (const form of [key, `${key}.`, `${key}.x`, `0${key}`]) assert.equal(entry.isKey(form, 1), false, form)
  assert.equal(entry.isKey(other, 1), true, 'that of another browser stays')
})

test('a key that was taken back opens nothing after a restart either', t => {
  const file = join(directory(t), 'signed-out')
  const entry = entryFor('secret', file)
  const key = entry.redeem(entry.invite(0), 0) ?? ''
  const other = entry.redeem(entry.invite(0), 0) ?? ''
  entry.revoke(key, 1)
  assert.deepEqual(
    [key, other].map(one => entryFor('secret', file).isKey(one, 1)),
    [false, true],
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(!readFileSync(file, 'utf8').includes(key), 'no key is written down')
})

test('who serves in the place of loopd cannot prove that it is loopd', () => {
  const entry = entryFor('secret')
  const key = entry.redeem(entry.invite(0), 0) ?? ''
  const [until = '', sum = ''] = key.split('.')
  const expected = createHmac('sha256', sum).update('127.0.0.1:7777 a-nonce').digest('base64url')
  assert.equal(entry.prove(until, '127.0.0.1:7777 a-nonce'), expected)
  assert.notEqual(entryFor('another').prove(until, '127.0.0.1:7777 a-nonce'), expected)
  assert.notEqual(entry.prove(until, '127.0.0.1:7778 a-nonce'), expected, 'asked for another port')
})

test('a token is kept; one that others could read, or that is none, is replaced', t => {
  const file = join(directory(t), 'token')
  const first = tokenIn(file)
  assert.match(first, /^[\w-]{43}$/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(tokenIn(file), first)
  chmodSync(file, 0o644)
  const second = tokenIn(file)
  assert.notEqual(second, first)
  writeFileSync(file, 'short')
  assert.equal(readToken(file), null)
  assert.notEqual(tokenIn(file), second)
  rmSync(file)
  const elsewhere = join(directory(t), 'elsewhere')
  writeFileSync(elsewhere, first, { mode: 0o600 })
  symlinkSync(elsewhere, file)
  assert.equal(readToken(file), null, 'a link is not followed')
})

test('a log is turned over before it grows too large, and only the newest are kept', t => {
  const file = join(directory(t), 'log')
  const write = rotating(file, 30, assert.fail)
  for (let n = 0; n < 40; n += 1) write(`line ${String(n).padStart(4, '0')}\n`)
  assert.equal(readFileSync(file, 'utf8').split('\n').at(-2), 'line 0039')
  for (const name of [file, `${file}.1`, `${file}.4`]) assert.ok(statSync(name).size <= 30)
  assert.equal(existsSync(`${file}.5`), false)
  const again = rotating(file, 30, assert.fail)
  again('line 0040\n')
  assert.ok(statSync(file).size <= 30, 'it knows how large the file is that was there')
})
