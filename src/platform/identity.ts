/** Asks about, and signals, exactly one process: by pid and start time, since a pid alone may be another's by now. */
import type { ProcessId } from './contract.ts'
import { platform } from './platform.ts'

export function isAlive({ pid, start }: ProcessId): boolean {
  const proc = platform.processes.find(pid)
  return proc !== null && proc.start === start && !proc.dead
}

/** True when the signal was sent to exactly this process. */
export function signalProcess(identity: ProcessId, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false
  try {
    return process.kill(identity.pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // It ended just now, or is another user's.
    if (code === 'ESRCH' || code === 'EPERM') return false
    throw error
  }
}
