/**
 * recover(run, files): what to do about an agent run, from the files it left and what is alive.
 * Asked when a run is to be started and again whenever a host reopens a journal: launching twice is safe
 * because the claim is exclusive, so "not launched yet" and "launched by a host that died" are one case.
 *
 *   claim  exit  alive │ then
 *     –     –     –    │ launch (same boot) · lost (another boot: it may have run before the power went)
 *     ✓     –    yes   │ watch
 *     ✓     –  unseen  │ watch until its own wall timeout must have passed, then lost
 *     ✓     –     no   │ lost
 *     ✓     ✓     *    │ ended
 */
import type { RunFiles } from '../model/run.ts'

export type Recovery = 'launch' | 'watch' | 'ended' | { lost: string }

export function recover(run: { boot: string }, files: RunFiles, boot: string): Recovery {
  if (files.exited) return 'ended'
  if (run.boot !== boot) return { lost: 'the machine was restarted while the agent ran' }
  if (!files.claimed) return 'launch'
  if (files.alive === 'yes') return 'watch'
  if (files.alive === 'no') return { lost: 'the agent and its shim were killed from outside' }
  return files.overdue
    ? { lost: 'the agent ran in another PID namespace and left no exit file within its timeout' }
    : 'watch'
}
