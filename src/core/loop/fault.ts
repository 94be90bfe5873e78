/**
 * Whether a run of an agent counts as an agent error. Most endings decide it by themselves. A run that was stopped by a
 * time limit, or exited non-zero, may still have worked: its changes decide, which are known once the iteration is
 * saved and verified.
 *
 *   end of the run          │ some file changed │ none changed │ changes not known (--checkpoint none)
 *   timeout, idle timeout   │ no error          │ error        │ error
 *   exit code other than 0  │ no error          │ error        │ no error
 *
 * Whatever the table says, a run after which the promise is nearer is no error.
 */
import type { CriterionResult } from '../../model/loop/event.ts'
import { formatBytes, formatDuration } from '../../model/units.ts'
import { type Run, wasRefused } from './parts/work.ts'
import { hasProgressed, unmet } from './progress.ts'
import type { State } from './state.ts'

type End = NonNullable<Run['end']>

/** The judgement from the end of a run alone; `open`: its effect has to decide. */
export function faultOf(end: End): 'none' | 'certain' | 'open' {
  if (!('how' in end)) return 'certain'
  if (wasRefused(end)) return 'none'
  if (ranOutOfTime(end)) return 'open'
  if (end.failed !== undefined) return 'certain'
  switch (end.how) {
    case 'exited':
      return end.exitCode === null || end.exitCode === 0 ? 'none' : 'open'
    case 'stopped':
    case 'lingered':
      return 'none'
    default:
      return 'certain'
  }
}

/** Tells whether loop stopped the run: its wall-clock time was up, or it printed nothing for too long. */
export function ranOutOfTime(end: End): boolean {
  return 'how' in end && (end.how === 'timeout' || end.how === 'idle')
}

/** Tells whether the run of the iteration that is being verified did any work, as far as that is known. */
export function hasWorked({ tree, work, judged }: State, results: readonly CriterionResult[]): boolean {
  if ((tree.changes?.files ?? 0) > 0 || unmet(results).length === 0) return true
  if (hasProgressed(judged.results, results, judged.failing)) return true
  const end = work.run?.end ?? null
  return tree.changes === null && end !== null && !ranOutOfTime(end)
}

/**
 * The end of the last run in words, for the message about a failure: `exit 7: boom`, `timed out after 5m, with
 * nothing done`.
 */
export function endWords({ work: { run }, tree, spec }: State): string {
  const { idleTimeoutMs, maxOutputBytes } = spec
  const end = run?.end
  if (!end) return ''
  if (!('how' in end)) return end.why
  const inVain = tree.changes === null ? 'and nothing got better' : 'with nothing done'
  if (end.how === 'timeout') return `timed out after ${formatDuration(run.timeoutMs)}, ${inVain}`
  if (end.how === 'idle') {
    return `printed nothing for ${idleTimeoutMs ? formatDuration(idleTimeoutMs) : 'too long'}, ${inVain}`
  }
  if (end.how === 'flooded') return `printed more than ${formatBytes(maxOutputBytes)} (--max-output)`
  if (end.failed !== undefined) return end.failed
  const how = end.how === 'exited' ? [] : [end.how]
  const exit = end.exitCode === null ? [] : [`exit ${end.exitCode}`]
  const last = lastWords(end)
  return [[...how, ...exit].join(', '), ...(last === '' ? [] : [last])].join(': ')
}

function lastWords({ err, said, out }: Extract<End, { how: string }>): string {
  return lastLine(err.tail) || lastLine(said ?? '') || lastLine(out.tail)
}

/** The same for two runs that failed in the same way; numbers such as times and request ids do not count. */
export function endSignature(end: End): string {
  if (!('how' in end)) return 'lost'
  return [end.how, end.exitCode, (end.failed ?? lastWords(end)).replaceAll(/\d+/g, '0')].join(' ')
}

/** Limits by the flags that raise them, in ms; of output in bytes. */
export type TimeLimits = Partial<Record<'timeout' | 'idle-timeout' | 'verify-timeout' | 'max-output', number>>

/** The limits that the last run and the newest run of the promise have hit. */
export function timedOut({ work: { run }, spec, judged }: State): TimeLimits {
  const how = run?.end && 'how' in run.end ? run.end.how : null
  const { idleTimeoutMs, verifyTimeoutMs, maxOutputBytes } = spec
  const isPromiseLate = [...judged.results, ...judged.mustNot].some(result => result.timedOut)
  return {
    ...(run && how === 'timeout' && { timeout: run.timeoutMs }),
    ...(idleTimeoutMs && how === 'idle' && { 'idle-timeout': idleTimeoutMs }),
    ...(how === 'flooded' && { 'max-output': maxOutputBytes }),
    ...(isPromiseLate && { 'verify-timeout': verifyTimeoutMs }),
  }
}

const longestLine = 200

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim().slice(0, longestLine) ?? ''
}
