/** The operating system this program runs on, and single processes of it. The only file that names an implementation. */
import type { Platform, ProcessId } from './contract.ts'
import { linux } from './linux/linux.ts'
import type { SupportedSystem } from './supported.ts'

const implementations: Record<SupportedSystem, Platform> = { linux }

/** On any other system the program has ended before it asks (platform/supported). */
export const platform: Platform = implementations[process.platform as SupportedSystem] ?? linux

/** Asks about, and signals, exactly one process: by pid and start time, since a pid alone may be another's by now. */
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
