/**
 * Stops the agent of a loop whose journal cannot be written (disk full) or read (damage). Stopping processes needs
 * no journal: every process of a run carries the loop's mark. It records nothing, and trusts no file that an agent
 * can reach.
 */

import { clear } from '../adapters/process/run.ts'
import type { Head } from '../core/head.ts'
import type { Process } from '../model/loop/event.ts'
import type { Here } from '../platform/contract.ts'
import { loopDir, type Paths } from '../store/files/paths.ts'

/** The processes that are still alive afterwards: none, unless one cannot be killed. */
export async function stopWithoutJournal(paths: Paths, loop: Head, here: Here): Promise<Process[]> {
  const dir = loopDir(paths, loop.id)
  const everything = { dir, marker: `${loop.id}/`, tree: loop.cwd, here, identity: null }
  return (await clear(everything)).alive
}
