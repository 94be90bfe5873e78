/**
 * Text that is produced while it is read (an agent's words, a diff), as lines by number. It is kept in an unnamed
 * file that disappears with this program, so that memory does not grow with it.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Lines, linesIn } from '../../store/files/lines.ts'

/** `add` returns false once the spool is closed. */
export type Spool = { lines: Lines; add(text: string | Buffer): boolean }

/** `dir`: the directory of the file, created if missing. */
export function spoolIn(dir: string): Spool {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, `spool-${randomUUID()}`)
  const write = openSync(file, 'wx', 0o600)
  const read = openSync(file, 'r')
  rmSync(file)
  const lines = linesIn(read)
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    lines.close()
    closeSync(write)
  }
  return {
    lines: { ...lines, close },
    add(text) {
      // The writer may not know yet that the spool is closed, and its file descriptor may be reused by now.
      if (!isOpen) return false
      let bytes = Buffer.from(text)
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(write, bytes))
      return true
    },
  }
}
