/**
 * The record of the running loopd: its process and its addresses, for people and for programs that want to ask it.
 * Only its lock decides whether it runs; an unreadable record counts as none.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { version } from '../../model/version.ts'
import { platform } from '../../platform/platform.ts'
import type { Paths } from '../../store/files/paths.ts'
import { isHeld } from '../../store/sqlite/lock.ts'

const recordSchema = z.object({
  pid: z.int().positive(),
  start: z
    .number()
    .describe('the start time of the process, so that a process with the same pid is not taken for it'),
  version: z.string(),
  socket: z.string().regex(/^\//),
  startedAt: z.number(),
})

export type DaemonRecord = z.infer<typeof recordSchema>

/** The record of this process. */
export function ownRecord(socket: string, startedAt: number): DaemonRecord {
  const start = platform.processes.find(process.pid)?.start ?? 0
  return { pid: process.pid, start, version, socket, startedAt }
}

export function writeRecord(paths: Paths, record: DaemonRecord): void {
  const next = `${paths.daemon.record}.${record.pid}`
  writeFileSync(next, `${JSON.stringify(record)}\n`, { mode: 0o600 })
  renameSync(next, paths.daemon.record)
}

/** A record that cannot be removed, on a read-only disk, is not trusted without the lock anyway. */
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
