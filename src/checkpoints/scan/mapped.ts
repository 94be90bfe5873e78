/**
 * Files that a process can change without a trace in their stat. The first write to a page of a shared mapping sets
 * the modification time; further writes to the same page do not, until the kernel has written it back. So an id
 * that was read from a file that changed a moment ago is not believed by the stat alone: it is read again next time.
 * Where that would be many files, only those that some process has mapped for shared writing are.
 * Mappings by processes of other users cannot be seen; tmpfs never writes back, so there only the age counts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as breath } from 'node:timers/promises'
import type { File } from './snapshot.ts'

/** The kernel writes dirty pages back after 30 seconds, and looks every 5. */
const writtenBackMs = 60_000
/** To read this many again takes less time than to look at all processes. */
const few = 32
const processesPerBreath = 20

export function isYoung({ ctimeMs }: { ctimeMs: number }, nowMs: number): boolean {
  return ctimeMs > nowMs - writtenBackMs
}

/** Marks those of these young files as racy whose bytes may change while their stat stays. */
export async function distrustMapped(young: readonly File[]): Promise<void> {
  const mapped = young.length > few ? await mappedInodes() : null
  for (const file of young) file.racy ||= mapped === null || mapped.has(file.ino)
}

/** `7f1a…-7f1b… rw-s 00000000 fd:01 1234 /path`: the inode of each mapping that is writable and shared. */
const sharedAndWritable = /^\S+ .w.s \S+ \S+ (\d+)/gm

async function mappedInodes(): Promise<Set<number>> {
  const found = new Set<number>()
  for (const [i, pid] of readdirSync('/proc').filter(isPid).entries()) {
    if (i % processesPerBreath === processesPerBreath - 1) await breath()
    for (const [, inode] of mapsOf(pid).matchAll(sharedAndWritable)) found.add(Number(inode))
  }
  return found
}

function isPid(name: string): boolean {
  return /^\d+$/.test(name)
}

function mapsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'latin1')
  } catch {
    return '' // it has ended, or is another user's
  }
}
