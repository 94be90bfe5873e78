/**
 * The meaning of a command's end, and what to do about a run by the files it left. For a promise: PASS, FAIL, or ERROR if
 * it could not be judged. For an agent: how it ended. It is pure, and the only rule about exit codes.
 */

import type { NodeEnd } from '../../model/group/event.ts'
import type { EventOf, Verdict } from '../../model/loop/event.ts'
import type { Exit, RunFiles } from '../../model/run.ts'
import { formatBytes, formatDuration } from '../../model/units.ts'

/** `script`: the script that the command runs, if everything that its own line names is there. */
export function verdictOf(
  exit: Exit | null,
  timeoutMs: number,
  script: string | null = null,
): { verdict: Verdict; why: string } {
  if (!exit) return { verdict: 'ERROR', why: 'killed from outside before it ended' }
  if (exit.timedOut) return { verdict: 'ERROR', why: `timed out after ${formatDuration(timeoutMs)}` }
  if (exit.code === 0) return { verdict: 'PASS', why: 'exit 0' }
  if (exit.code === 126) return { verdict: 'ERROR', why: 'exit 126: found but cannot be executed' }
  if (exit.code === 127 && script !== null)
    return { verdict: 'FAIL', why: `exit 127: a command in ${script} was not found` }
  if (exit.code === 127) return { verdict: 'ERROR', why: 'exit 127: command not found' }
  if (crashes.has(exit.code - 128)) return { verdict: 'FAIL', why: `crashed by signal ${exit.code - 128}` }
  if (wasKilled(exit.code)) return { verdict: 'ERROR', why: `killed by signal ${exit.code - 128}` }
  return { verdict: 'FAIL', why: `exit ${exit.code}` }
}

/** SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE and SIGSEGV: a program brings them upon itself, by a failed assert() in C. */
const crashes = new Set([4, 5, 6, 7, 8, 11])

/** A promise that swallows or turns round what a runner says: `! npm test`, `pytest || true`, `loop check red`. */
const swallows = /[|;!\n]|(?<!&)&(?!&)|\bcheck\s/

type Counts = { failing: number | null; total?: number | undefined }

/** A runner that counts failures and ends with 0 has not passed, unless the text of the promise itself wants that. */
export function withCounts(
  ended: { verdict: Verdict; why: string },
  command: string,
  { failing, total }: Counts,
): { verdict: Verdict; why: string } {
  const isContrary = ended.verdict === 'PASS' && (failing ?? 0) > 0 && total !== undefined
  if (!isContrary || swallows.test(command)) return ended
  return { verdict: 'FAIL', why: `exit 0, but ${failing} of ${total} tests failed` }
}

export function floodVerdict(mostBytes: number): { verdict: Verdict; why: string } {
  return { verdict: 'ERROR', why: `stopped: it printed more than ${formatBytes(mostBytes)}` }
}

export function endOf(exit: Exit): EventOf<'run.ended'>['data']['how'] {
  if (exit.timedOut) return 'timeout'
  if (exit.code === 126 || exit.code === 127) return 'unstartable'
  return wasKilled(exit.code) ? 'killed' : 'exited'
}

/** A shell reports 128 + signal, and there are 64 signals: 255 is an ordinary exit code, as of ssh or perl. */
function wasKilled(code: number): boolean {
  return code > 128 && code <= 128 + 64
}

/**
 * The result of a command that judges the tree of a plan. PASS and FAIL are what its exit says; a command that did not
 * come to its end says nothing: ERROR.
 */

export type CheckVerdict = { verdict: Verdict; why: string }

export function checkVerdict({ exitCode = null, why }: Pick<NodeEnd, 'exitCode' | 'why'>): CheckVerdict {
  if (why !== undefined) return { verdict: 'ERROR', why }
  return verdictOf(exitCode === null ? null : { code: exitCode, timedOut: false, durationMs: 0 }, 0)
}

/**
 * recover(run, files): what to do about an agent run, from the files it left and what is alive.
 * Asked when a run is to be started and again whenever a host reopens a journal: launching twice is safe
 * because the claim is exclusive, so "not launched yet" and "launched by a host that died" are one case.
 *
 *   claim  exit  alive │ then
 *     –     –     –    │ launch (same boot) · lost (another boot: it may have run before the power went)
 *     ✓     –     ✓    │ watch
 *     ✓     –     –    │ lost
 *     ✓     ✓     *    │ ended
 *
 * `killed`: the run and its shim, or its files were spoiled.
 */

export type Recovery = 'launch' | 'watch' | 'ended' | { lost: 'restarted' | 'killed' }

export function recover(run: { boot: string }, files: RunFiles, boot: string): Recovery {
  if (files.exited) return 'ended'
  if (run.boot !== boot) return { lost: 'restarted' }
  if (!files.claimed) return 'launch'
  return files.alive ? 'watch' : { lost: 'killed' }
}
