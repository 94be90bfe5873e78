/**
 * Points in time as a person writes and reads them, in the time zone of this machine: `2h`, `today`,
 * `yesterday`, `2026-11-16`, `2026-11-16T22:00`. The current time is an argument; nothing here reads a clock.
 */
import { parseDuration } from './units.ts'

/** The accepted forms, for the error message. */
export const momentForms =
  'a time like 12h or 7d, a date like 2026-11-16 or 2026-11-16T22:00, today, or yesterday'

/** The start of the period "since …"; null if the text is not a point in time. */
export function parseSince(text: string, now: number): number | null {
  const trimmed = text.trim()
  if (trimmed === 'today') return midnight(now, 0)
  if (trimmed === 'yesterday') return midnight(now, -1)
  const age = parseDuration(trimmed)
  return age === null ? parseDate(trimmed) : now - age
}

/** The day of this moment: `2026-11-16`. */
export function dayOf(at: number): string {
  const date = new Date(at)
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
}

/** `2026-11-16 22:00` */
export function formatMoment(at: number): string {
  const date = new Date(at)
  return `${dayOf(at)} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** `today 06:00`, `yesterday 21:30`, `2026-11-14 21:30` */
export function momentWords(at: number, now: number): string {
  const [day = '', time = ''] = formatMoment(at).split(' ')
  if (day === dayOf(now)) return `today ${time}`
  return day === dayOf(midnight(now, -1)) ? `yesterday ${time}` : `${day} ${time}`
}

function midnight(now: number, days: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

/** Reads a date as the first moment of its day. A date that does not exist, like 2026-02-30, gives null. */
function parseDate(text: string): number | null {
  const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)
  if (!form) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = form
    .slice(1)
    .map(part => Number(part ?? 0))
  const date = new Date(year, month - 1, day, hour, minute, second)
  const isReal =
    date.getMonth() === month - 1 && date.getDate() === day && hour < 24 && minute < 60 && second < 60
  return isReal ? date.getTime() : null
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}
