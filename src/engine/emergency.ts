/**
 * Stopping the agent of a loop whose journal cannot be written (disk full) or read (damage). Stopping
 * processes needs neither: all that any run of the loop ever started carries its mark. Records nothing, and
 * believes no file that an agent can reach.
 */
import type { Here } from '../adapters/process/proc.ts'
import { clear } from '../adapters/process/run.ts'
import type { Head } from '../core/head.ts'
import type { Process } from '../model/loop/event.ts'
import { loopDir, type Paths } from '../store/files/paths.ts'

/** What is still alive afterwards: nothing, unless it refuses to die. */
export async function stopWithoutJournal(paths: Paths, loop: Head, here: Here): Promise<Process[]> {
  const dir = loopDir(paths, loop.id)
  const everything = { dir, marker: `${loop.id}/`, tree: loop.cwd, here, identity: null }
  return (await clear(everything)).alive
}
