/**
 * Asks the person at the terminal. It reads a line in the terminal's normal mode, so that echo, editing and Ctrl-C
 * work as usual.
 */
import { readSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Input } from '../command-table.ts'
import { runHere } from '../run-here.ts'
import { write } from '../terminal.ts'

/** A person is there to be asked, and wants to be. The terminal of an agent's run has no person. */
export function isAttended(input: Input): boolean {
  if (input.given('no-input') || input.given('json')) return false
  return process.stdin.isTTY === true && process.stderr.isTTY === true && runHere(input.env) === null
}

/** The typed line; null if aborted, timed out, or at end of input. */
export async function askLine(text: string, signal: AbortSignal): Promise<string | null> {
  const { createInterface } = await import('node:readline')
  write(2, text)
  return new Promise(resolve => {
    const lines = createInterface({ input: process.stdin, terminal: false })
    const end = (line: string | null) => {
      // First: closing the interface also signals the end of input.
      resolve(line)
      signal.removeEventListener('abort', stop)
      lines.close()
      // Otherwise the terminal would keep this program alive.
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

/** A yes-or-no question that blocks everything else, for questions of a start. */
export function askNow(question: string): boolean {
  write(2, question)
  return isYes(readLine())
}

/** One line from the terminal; at end of input, the part typed so far. */
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
      // The terminal is non-blocking and has no input yet; one that is gone gives no answer.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return ''
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

/** The name recorded with an answer. */
export function whoAnswers({ env }: Input): string {
  if (env['USER']) return env['USER']
  try {
    return userInfo().username
  } catch {
    return 'a human' // a user without a name, as in some containers
  }
}
