/**
 * Asking the person at the terminal. Reads a line in the terminal's own mode, so that echo, editing and Ctrl-C
 * stay what they are everywhere else.
 */
import { readSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Input } from '../command-table.ts'
import { write } from '../terminal.ts'

/** Somebody is there to be asked, and wants to be. */
export function isAttended(input: Input): boolean {
  if (input.given('no-input') || input.given('json')) return false
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** The line that was typed; null when aborted, when time is up, or at the end of input. */
export async function askLine(text: string, signal: AbortSignal): Promise<string | null> {
  const { createInterface } = await import('node:readline')
  write(2, text)
  return new Promise(resolve => {
    const lines = createInterface({ input: process.stdin, terminal: false })
    const end = (line: string | null) => {
      // First: closing the interface says that the input has ended.
      resolve(line)
      signal.removeEventListener('abort', stop)
      lines.close()
      // Else the terminal would keep this program alive.
      process.stdin.pause()
      process.stdin.unref()
    }
    const stop = () => {
      write(2, '\n')
      end(null)
    }
    process.stdin.ref()
    lines.once('line', end)
    lines.once('close', () => end(null))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}

export function isYes(line: string | null): boolean {
  return /^\s*y(es)?\s*$/i.test(line ?? '')
}

/** Yes or no, before anything else is done: for questions of the start, which is not to go on meanwhile. */
export function askNow(question: string): boolean {
  write(2, question)
  return isYes(readLine())
}

/** One line of the terminal; what was typed before its end, when that is all there is. */
function readLine(): string {
  let line = ''
  while (line.length < 1_000) {
    const character = readCharacter()
    if (character === '' || character === '\n') break
    line += character
  }
  return line
}

function readCharacter(): string {
  const byte = Buffer.alloc(1)
  for (;;) {
    try {
      return byte.toString('latin1', 0, readSync(0, byte))
    } catch (error) {
      // A terminal that somebody has made non-blocking; one that is gone answers nothing.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return ''
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

/** The name that stands beside an answer. */
export function whoAnswers({ env }: Input): string {
  if (env['USER']) return env['USER']
  try {
    return userInfo().username
  } catch {
    return 'a human' // a user without a name, as in some containers
  }
}
