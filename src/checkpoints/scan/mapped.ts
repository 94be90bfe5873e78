/**
 * Files that a process can change without a change of their stat: those mapped into its memory. The first write to a
 * page of a shared mapping sets the modification time; further writes to the same page do not, until the kernel has
 * written the page back. So a file that changed in the last minute is read again in the next scan, whatever its stat
 * says. If those are many files, only the ones that some process has mapped for writing are read again.
 * Not covered: mappings of other users' processes, and old mappings on tmpfs, which never writes back.
 */
import { platform } from '../../platform/platform.ts'
import type { File } from './snapshot.ts'

/** The kernel writes dirty pages back after 30 seconds, and checks every 5. */
const writtenBackMs = 60_000
/** Reading so many files again takes less time than looking at the mappings of all processes. */
const few = 32

export function isYoung({ ctimeMs }: { ctimeMs: number }, nowMs: number): boolean {
  return ctimeMs > nowMs - writtenBackMs
}

/** Marks as racy those of the given files whose bytes may change while their stat stays the same. */
export async function distrustMapped(young: readonly File[]): Promise<void> {
  const mapped = young.length > few ? await platform.files.mappedForWriting() : null
  for (const file of young) file.racy ||= mapped === null || mapped.has(file.ino)
}
