/** Making directories, with a mode for each that is new. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** One directory after the other: the recursive way of Node never ends where mkdir says ENOENT (/proc). */
export function makeDirectory(path: string, mode = 0o700): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeDirectory(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
