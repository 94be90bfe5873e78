/** Writing to the terminal: results on stdout, progress on stderr, colour only where it is wanted. */
import { writeSync } from 'node:fs'
import type { Failure } from '../model/failure.ts'

export type Terminal = { colour: boolean; tty: boolean }

export function terminalFrom(env: NodeJS.ProcessEnv): Terminal {
  const tty = process.stderr.isTTY === true
  return { tty, colour: tty && !env['NO_COLOR'] && env['TERM'] !== 'dumb' }
}

export function out(text: string): void {
  write(1, `${text}\n`)
}

export function err(text: string): void {
  write(2, `${text}\n`)
}

export function printFailure(failure: Failure, json: boolean, program = 'loop'): void {
  err(json ? JSON.stringify({ error: failure }) : `${program}: ${failure.message}`)
}

const codes = { dim: 2, bold: 1, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export function paint(terminal: Terminal, style: keyof typeof codes, text: string): string {
  return terminal.colour ? `\u001B[${codes[style]}m${text}\u001B[0m` : text
}

/** All of it, in order, before going on; a reader that has gone away, or a full log, is no reason to stop a loop. */
export function write(fd: 1 | 2, text: string): void {
  let bytes = Buffer.from(text)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      else if (['EPIPE', 'EIO', 'EBADF', 'ENOSPC', 'EDQUOT'].includes(code ?? '')) return
      else throw error
    }
  }
}
