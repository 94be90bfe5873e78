/** Creates directories, each new one with the given mode, and makes what was written in them durable. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** One directory after the other: the recursive mkdir of Node never returns where mkdir answers ENOENT, as below /proc. */
export function makeDirectory(path: string, mode = 0o700): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeDirectory(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** A file or a directory. */
export function fsyncPath(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
