/** Points in time as people write them, in any time zone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf, formatMoment, momentWords, parseSince } from '../../../src/model/moment.ts'

const now = new Date(2026, 10, 17, 9, 30).getTime()
const hours = (n: number) => n * 3_600_000

test('a moment is an age, a day, or a date with a time', () => {
  const rows: [text: string, at: number][] = [
    ['12h', now - hours(12)],
    [' 90s ', now - 90_000],
    ['today', new Date(2026, 10, 17).getTime()],
    ['yesterday', new Date(2026, 10, 16).getTime()],
    ['2026-11-16', new Date(2026, 10, 16).getTime()],
    ['2026-11-16T22:00', new Date(2026, 10, 16, 22).getTime()],
    ['2026-11-16 22:00:30', new Date(2026, 10, 16, 22, 0, 30).getTime()],
    ['2024-02-29', new Date(2024, 1, 29).getTime()],
  ]
  for (const [text, at] of rows) assert.equal(parseSince(text, now), at, text)
})

test('what the calendar does not have is no moment', () => {
  const wrong = [
    '',
    'tomorrow',
    'Yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-11-16T24:00',
    '2026-11-16T22:60',
  ]
  for (const text of [...wrong, '16.11.2026', '2026-11-16T22', 'NaN', '-2h', '2026-1-1']) {
    assert.equal(parseSince(text, now), null, text)
  }
})

test('a day is that of the local calendar, and today begins with it', () => {
  assert.equal(dayOf(now), '2026-11-17')
  assert.equal(formatMoment(now), '2026-11-17 09:30')
  assert.equal(momentWords(now - hours(3), now), 'today 06:30')
  assert.equal(momentWords(now - hours(12), now), 'yesterday 21:30')
  assert.equal(momentWords(now - hours(72), now), '2026-11-14 09:30')
  const midnight = parseSince('today', now) ?? 0
  assert.deepEqual([dayOf(midnight), dayOf(midnight - 1)], ['2026-11-17', '2026-11-16'])
})
