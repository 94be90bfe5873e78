/** Durations, money and limits as a person writes them, and how they, sizes and ids are printed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  checkpointName,
  formatBytes,
  formatCost,
  formatDuration,
  formatMoney,
  loopId,
  parseDuration,
  parseLimit,
  parseMoney,
} from '../../../src/model/units.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test('a duration is read in the forms a person types', () => {
  const table: [string, number][] = [
    ['90s', 90 * second],
    ['5m', 5 * minute],
    ['1h30m', hour + 30 * minute],
    ['7d', 7 * day],
    ['250ms', 250],
    ['1.5m', 90 * second],
    ['1m30s500ms', 90.5 * second],
    ['45', 45 * second],
    ['0.5', 500],
    [' 5m ', 5 * minute],
    ['0', 0],
  ]
  for (const [text, ms] of table) assert.equal(parseDuration(text), ms, text)
})

test('what is no duration is not guessed at', () => {
  const texts = ['', 'm', '5 m', '5x', '-5m', '1h 30m', '1e3', 'five', '5m30', '.5s', '5.s', 'Infinity']
  for (const text of texts) assert.equal(parseDuration(text), null, text)
  assert.equal(parseDuration('999999999999999d'), null, 'more than can be counted exactly')
  assert.equal(parseDuration('9'.repeat(400)), null)
})

test('a duration is printed in one or two units', () => {
  const table: [number, string][] = [
    [0, '0ms'],
    [12.4, '12ms'],
    [99, '99ms'],
    [100, '0.1s'],
    [400, '0.4s'],
    [9_949, '9.9s'],
    [9_950, '10s'],
    [45 * second, '45s'],
    [59_499, '59s'],
    [59_500, '1m'],
    [62 * second, '1m 2s'],
    [5 * minute, '5m'],
    [2 * hour + 5 * minute, '2h 5m'],
    [2 * hour + 5 * minute + 20 * second, '2h 5m'],
    [24 * hour, '24h'],
    [47 * hour + 59 * minute, '47h 59m'],
    [2 * day, '2d'],
    [3 * day + 4 * hour, '3d 4h'],
  ]
  for (const [ms, text] of table) assert.equal(formatDuration(ms), text, String(ms))
})

test('what is printed for a duration can be typed again and means about the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 * day }), ms => {
      const again = parseDuration(formatDuration(ms).replaceAll(' ', ''))
      assert.ok(again !== null)
      const off = ms < 10 * second ? 50 : ms < hour ? second / 2 : ms < 2 * day ? minute : hour
      assert.ok(Math.abs(again - ms) <= off, `${ms} → ${formatDuration(ms)}`)
    }),
  )
})

test('a limit is a whole number of at least one, or unlimited', () => {
  assert.deepEqual(parseLimit('1'), { limit: 1 })
  assert.deepEqual(parseLimit('250'), { limit: 250 })
  assert.deepEqual(parseLimit('unlimited'), { limit: null })
  for (const text of ['', '0', '-1', '1.5', '01', 'ten', 'none', '1e3', '9999999999', ' 3'])
    assert.equal(parseLimit(text), null, text)
})

test('money is an amount in dollars, or none', () => {
  assert.deepEqual(parseMoney('25'), { limit: 25 })
  assert.deepEqual(parseMoney('$25'), { limit: 25 })
  assert.deepEqual(parseMoney('2.50'), { limit: 2.5 })
  assert.deepEqual(parseMoney('none'), { limit: null })
  for (const text of ['', '$', '0', '0.00', '-5', '1,50', '25€', 'unlimited', '$$5', '2.', '9999999999'])
    assert.equal(parseMoney(text), null, text)
})

test('money is printed with cents only where there are some', () => {
  const table: [number, string][] = [
    [0, '$0'],
    [25, '$25'],
    [2.5, '$2.50'],
    [0.1 + 0.2, '$0.30'],
    [0.004, '$0.00'],
  ]
  for (const [usd, text] of table) assert.equal(formatMoney(usd), text)
})

test('a cost says how much of it is known, and a lower bound is never rounded up', () => {
  const all = { costEstimated: true, costIncomplete: true }
  const table: [number, Parameters<typeof formatCost>[1], string][] = [
    [0.9, {}, '$0.90'],
    [0.9, { costEstimated: true }, '~$0.90'],
    [0.9, { costIncomplete: true }, 'at least $0.90'],
    [0.999, all, 'at least ~$0.99'],
    [0.0069, { costIncomplete: true }, 'at least $0.0069'],
    [3, { costIncomplete: true }, 'at least $3'],
    [0.1 + 0.2, { costIncomplete: true }, 'at least $0.30'],
  ]
  for (const [usd, known, text] of table) assert.equal(formatCost(usd, known), text)
})

test('a size is printed in the unit that fits, never as 1000 of a smaller one', () => {
  const table: [number, string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [1_234, '1.2 kB'],
    [99_940, '99.9 kB'],
    [99_960, '100 kB'],
    [123_456, '123 kB'],
    [999_400, '999 kB'],
    [999_600, '1.0 MB'],
    [2_000_000_000, '2.0 GB'],
    [5e15, '5000 TB'],
  ]
  for (const [bytes, text] of table) assert.equal(formatBytes(bytes), text, String(bytes))
})

test('an id is six of a-z0-9 whatever the bytes it is made of', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 6, maxLength: 9 }), bytes => {
      assert.match(loopId(bytes), /^[a-z0-9]{6}$/)
    }),
  )
  assert.notEqual(loopId(Uint8Array.of(1, 2, 3, 4, 5, 6)), loopId(Uint8Array.of(1, 2, 3, 4, 5, 7)))
})

test('a checkpoint is named after its iteration', () => {
  assert.equal(checkpointName(3), 'iter-003')
  assert.equal(checkpointName(3, true), 'iter-003-after')
  assert.equal(checkpointName(1_234), 'iter-1234')
})
