/**
 * Stopping the agent of a loop whose journal can not be written (disk full) or read (damage). Stopping
 * processes needs neither: they are known by the files of the newest run and by their mark. Records nothing.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Here } from '../adapters/process/proc.ts'
import { clear, stop } from '../adapters/process/run.ts'
import type { Summary } from '../core/summary.ts'
import type { Process } from '../model/event.ts'
import { loopDir, type Paths, runDir } from '../store/paths.ts'

const graceMs = 5_000

/** What of the newest run is still alive afterwards: nothing, unless it refuses to die. */
export async function stopWithoutJournal(paths: Paths, loop: Summary, here: Here): Promise<Process[]> {
  const root = loopDir(paths, loop.id)
  const run = newestRun(join(root, 'runs'))
  if (run === 0) return []
  const dir = join(root, runDir(run))
  const handle = { dir, marker: `${loop.id}/${runDir(run)}`, tree: loop.cwd, here, identity: null }
  await stop(handle, graceMs)
  return (await clear(handle)).alive
}

function newestRun(dir: string): number {
  try {
    return Math.max(0, ...readdirSync(dir).map(Number).filter(Number.isInteger))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
