/** Writing a small file whole or not at all, also across a power cut: temporary file, fsync, rename. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { makeDirectory } from '../../store/files/directory.ts'

type Content = { text: string; fileMode: number; directoryMode: number }

/** Makes its directories as well. Both modes are before the umask. */
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
    return fail('system', `${path} cannot be written (${message}). Check its directory; nothing was changed.`)
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
