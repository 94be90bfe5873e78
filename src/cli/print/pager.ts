/**
 * Shows a diff on a terminal through the user's pager: `$PAGER`, or `delta` if it is installed. The pager gets the
 * same safe, coloured text as the terminal would. Without a pager, and elsewhere, the diff is printed.
 */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { diffInk } from '../../views/screen/watch/diff.ts'
import { plainText } from '../../views/text/plain-text.ts'
import { isForProgram, lookOf, write } from '../terminal.ts'

type DiffOut = {
  /** Takes any piece of text; false if nobody reads any more. */
  take(text: string): boolean
  /** Resolves when the pager is closed. */
  end(): Promise<void>
}

/** The command of the pager; null if there is none, or it is switched off. */
function pagerOf(env: NodeJS.ProcessEnv): string | null {
  if (isForProgram(1) || env['TERM'] === 'dumb') return null
  const named = env['PAGER']?.trim()
  if (named !== undefined) return named === '' || named === 'cat' ? null : named
  return isInstalled('delta', env) ? 'delta' : null
}

function isInstalled(program: string, { PATH = '' }: NodeJS.ProcessEnv): boolean {
  return PATH.split(delimiter).some(dir => {
    if (!dir.startsWith('/')) return false
    try {
      accessSync(join(dir, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Coloured lines of a diff, to the terminal or the pager. */
export function diffOut(env: NodeJS.ProcessEnv): DiffOut {
  const look = lookOf(env)
  const lines = lineByLine(line => diffInk(look, line))
  const pager = pagerOf(env)
  if (pager === null) {
    const take = (text: string) => write(1, lines.add(text))
    return { take, end: async () => void take(lines.rest()) }
  }
  const child = spawn('/bin/sh', ['-c', pager], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', ...env },
  })
  const plain = plainText({ colour: look.colour })
  let isOpen = true
  const closed = new Promise<void>(resolve => {
    child.once('error', () => resolve())
    child.once('close', () => resolve())
  })
  // A pager that was quit reads no more.
  child.stdin.on('error', () => {
    isOpen = false
  })
  const take = (text: string) => {
    if (isOpen) child.stdin.write(plain(lines.add(text)))
    return isOpen
  }
  return {
    take,
    async end() {
      child.stdin.end(plain(lines.rest()))
      await closed
    },
  }
}

/** A longer line is passed on as it comes. */
const longestLine = 1 << 16

/** Whole lines, each changed by `change`; the last one at the end. */
function lineByLine(change: (line: string) => string): { add(text: string): string; rest(): string } {
  let held = ''
  return {
    add(text) {
      const parts = (held + text).split('\n')
      held = parts.pop() ?? ''
      const whole = parts.map(line => `${change(line)}\n`).join('')
      if (held.length <= longestLine) return whole
      const long = held
      held = ''
      return whole + long
    },
    rest: () => change(held),
  }
}
