/**
 * A user-defined metric: `min:<command>` or `max:<command>`, whose last line of output is a number. The parser
 * is strict because the number decides: with a unit (`900ms`, `1.2s`) two values could not be compared, and of
 * several numbers the meant one is unknown.
 */
import type { Facts } from '../../../failures/all.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'

type Metric = { better: 'less' | 'more'; command: string }

export function parseMetric(text: string): Result<Metric> {
  const [, which, command = ''] = /^(min|max):([\s\S]*)$/.exec(text) ?? []
  if (which !== undefined && command.trim() !== '')
    return ok({ better: which === 'min' ? 'less' : 'more', command: command.trim() })
  return fail('invalid-arguments', { kind: 'bad-metric', text })
}

const number = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi
const mostShown = 80

/** The number that the metric's command printed, or what is wrong with it. */
export function metricValue(output: string, exitCode: number | null): { value: number } | { trouble: Facts } {
  if (exitCode === null) return { trouble: { kind: 'metric-killed' } }
  if (exitCode !== 0) return { trouble: { kind: 'metric-failed', exitCode } }
  const last = output
    .split(/\r?\n/)
    .findLast(one => one.trim() !== '')
    ?.trim()
  if (last === undefined) return { trouble: { kind: 'metric-silent' } }
  const line = last.length > mostShown ? `${last.slice(0, mostShown)}…` : last
  if (/\b(?:nan|inf(?:inity)?)\b/i.test(last)) return { trouble: { kind: 'metric-not-finite', line } }
  const found = last.match(number) ?? []
  const [only] = found
  if (only === undefined) return { trouble: { kind: 'metric-without-number', line } }
  if (found.length > 1) return { trouble: { kind: 'metric-with-numbers', line, count: found.length } }
  // A name may precede the number (`score: 12`); a unit may not follow it.
  const before = last.slice(0, last.indexOf(only))
  if (!last.endsWith(only) || /[^\s:=]$/.test(before)) return { trouble: { kind: 'metric-not-alone', line } }
  const value = Number(only)
  return Number.isFinite(value) ? { value } : { trouble: { kind: 'metric-too-large', line } }
}
