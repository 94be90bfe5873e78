/**
 * The operating system this program runs on, single processes of it, and files that are kept. The only file that names
 * an implementation.
 */
import { existsSync, renameSync } from 'node:fs'
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

/** Renames what no journal names, because the one that did is lost: its name is about to be used again. */
export function keepAside(path: string): string {
  let kept = `${path}.unrecorded`
  for (let n = 2; existsSync(kept); n += 1) kept = `${path}.unrecorded-${n}`
  renameSync(path, kept)
  return kept
}
