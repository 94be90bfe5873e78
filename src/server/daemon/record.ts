/**
 * The record of the loopd that runs: who it is and where it serves. For people and for programs that want to
 * ask it; whether it runs is decided by its lock alone, and a record that cannot be read is none.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { procOf } from '../../adapters/process/proc.ts'
import { folds } from '../../core/folds.ts'
import { version } from '../../model/version.ts'
import type { Paths } from '../../store/files/paths.ts'
import { isHeld } from '../../store/sqlite/lock.ts'

const recordSchema = z.object({
  pid: z.int().positive(),
  start: z.number().describe('of the process, so that its number used again is not taken for it'),
  version: z.string(),
  socket: z.string().startsWith('/'),
  startedAt: z.number(),
  kinds: z.array(z.string()).optional().describe('of journals that it knows; the first versions name none'),
})

export type DaemonRecord = z.infer<typeof recordSchema>

/** That of this process. */
export function ownRecord(socket: string, startedAt: number): DaemonRecord {
  const start = procOf(process.pid)?.start ?? 0
  return { pid: process.pid, start, version, socket, startedAt, kinds: Object.keys(folds) }
}

export function writeRecord(paths: Paths, record: DaemonRecord): void {
  const next = `${paths.daemon.record}.${record.pid}`
  writeFileSync(next, `${JSON.stringify(record)}\n`, { mode: 0o600 })
  renameSync(next, paths.daemon.record)
}

/** One that cannot be removed, on a disk that has become read-only, is not believed without the lock anyway. */
export function removeRecord(paths: Paths): void {
  try {
    rmSync(paths.daemon.record, { force: true })
  } catch {
    return
  }
}

export function readRecord(paths: Paths): DaemonRecord | null {
  try {
    return recordSchema.safeParse(JSON.parse(readFileSync(paths.daemon.record, 'utf8'))).data ?? null
  } catch {
    return null // not there, or damaged: the lock says whether one runs
  }
}

export function isRunning(paths: Paths): boolean {
  return isHeld(paths.daemon.lock)
}
