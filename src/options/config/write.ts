/** Writes a small file completely or not at all, even across a power failure: temporary file, fsync, rename. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { makeDirectory } from '../../store/files/directory.ts'

type Content = { text: string; fileMode: number; directoryMode: number }

/** Creates its directories too. Both modes are subject to the umask. */
export function writeWhole(path: string, content: Content): Result<null> {
  const directory = dirname(path)
  const temporary = join(directory, `.${basename(path)}.${process.pid}.tmp`)
  try {
    makeDirectory(directory, content.directoryMode)
    rmSync(temporary, { force: true })
    writeFileSync(temporary, content.text, { mode: content.fileMode, flag: 'wx', flush: true })
    renameSync(temporary, path)
    syncDirectory(directory)
    return ok(null)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { message } = error as NodeJS.ErrnoException
    return fail('system', { kind: 'config-unwritable', path, why: message })
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
