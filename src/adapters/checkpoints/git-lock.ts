/**
 * What a kill -9 left of our own git: its index.lock and temporary objects. The caller guarantees one loop
 * per tree, so a lock nobody holds open is stale. A git that outlived its loop still holds its lock: it is
 * waited for, since with the lock gone it would move somebody else's half-written index into place.
 */
import { existsSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { GitStore } from './git-store.ts'

const pollMs = 50
const patienceMs = 60_000

export async function clearStaleLock(
  store: GitStore,
  signal: AbortSignal | undefined,
): Promise<Result<null>> {
  const lock = `${store.index}.lock`
  for (let waitedMs = 0; existsSync(lock); waitedMs += pollMs) {
    const holder = holderOf(lock)
    if (holder === null) {
      rmSync(lock, { force: true })
      clearLeftovers(join(store.dir, 'objects'))
    } else if (waitedMs >= patienceMs || signal?.aborted) {
      return fail('step-failed', `Process ${holder} still holds ${lock}. End it, then resume.`)
    } else await wait(pollMs)
  }
  return ok(null)
}

function clearLeftovers(objects: string): void {
  for (const name of readdirSync(objects, { recursive: true, encoding: 'utf8' })) {
    if (/(^|\/)tmp_[^/]*$/.test(name)) rmSync(join(objects, name), { recursive: true, force: true })
  }
}

function holderOf(path: string): number | null {
  if (!existsSync('/proc/self/fd')) return null
  const real = join(realpathSync(dirname(path)), 'index.lock')
  const processes = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  const holder = processes.find(pid => openFiles(pid).includes(real))
  return holder === undefined ? null : Number(holder)
}

// A process of another user, and what ended while we look, is not a git of ours.
function openFiles(pid: string): string[] {
  const fds = orNull(() => readdirSync(`/proc/${pid}/fd`)) ?? []
  return fds.flatMap(fd => orNull(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? [])
}

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
