/**
 * A user-defined metric: `min:<command>` or `max:<command>`, whose last line of output is a number. The parser
 * is strict because the number decides: with a unit (`900ms`, `1.2s`) two values could not be compared, and of
 * several numbers the meant one is unknown.
 */
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

/** The number that the metric's command printed, or what is wrong with it, in words. */
export function metricValue(output: string, exitCode: number | null): { value: number } | { why: string } {
  if (exitCode !== 0)
    return { why: exitCode === null ? 'its command was killed' : `its command failed: exit ${exitCode}` }
  const line = output
    .split(/\r?\n/)
    .findLast(one => one.trim() !== '')
    ?.trim()
  if (line === undefined) return { why: 'its command printed nothing' }
  const shown = `"${line.length > mostShown ? `${line.slice(0, mostShown)}…` : line}"`
  if (/\b(?:nan|inf(?:inity)?)\b/i.test(line))
    return { why: `its last line is not a finite number: ${shown}` }
  const found = line.match(number) ?? []
  const [only] = found
  if (only === undefined) return { why: `its last line has no number: ${shown}` }
  if (found.length > 1) return { why: `its last line has ${found.length} numbers: ${shown}. Print one` }
  // A name may precede the number (`score: 12`); a unit may not follow it.
  const before = line.slice(0, line.indexOf(only))
  if (!line.endsWith(only) || /[^\s:=]$/.test(before))
    return { why: `its last line is not a number alone: ${shown}. Print it without a unit` }
  const value = Number(only)
  return Number.isFinite(value) ? { value } : { why: `its last line is too large a number: ${shown}` }
}
