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
import type { RunFiles } from '../../../model/run.ts'

export type Recovery = 'launch' | 'watch' | 'ended' | { lost: 'restarted' | 'killed' }

export function recover(run: { boot: string }, files: RunFiles, boot: string): Recovery {
  if (files.exited) return 'ended'
  if (run.boot !== boot) return { lost: 'restarted' }
  if (!files.claimed) return 'launch'
  return files.alive ? 'watch' : { lost: 'killed' }
}
