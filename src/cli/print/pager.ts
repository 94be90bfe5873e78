/**
 * Shows a diff on a terminal, in colour and with line numbers, through the user's pager: `$PAGER`, else `delta` or
 * `less` if it is installed. The pager gets the same safe text as the terminal would; delta numbers the lines itself.
 * Without a pager, and elsewhere, the diff is printed.
 */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { plainText } from '../../core/text/plain-text.ts'
import { ink } from '../../views/screen/look.ts'
import { diffInk } from '../../views/screen/loop-panes.ts'
import { diffNumbers } from '../../views/text/diff-numbers.ts'
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
  return ['delta', 'less'].find(program => isInstalled(program, env)) ?? null
}

function isDelta(pager: string): boolean {
  return /^(?:\S*\/)?delta(?:\s|$)/.test(pager)
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
  const pager = pagerOf(env)
  const numbers = pager !== null && isDelta(pager) ? () => '' : diffNumbers()
  const lines = lineByLine(line => `${ink(look, 'dim', numbers(line))}${diffInk(look, line)}`)
  if (pager === null) {
    const take = (text: string) => write(1, lines.add(text))
    return { take, end: async () => void write(1, lines.rest()) }
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
  // The beginning of this line was passed on already.
  let isRest = false
  const changed = (line: string) => {
    const whole = isRest ? line : change(line)
    isRest = false
    return whole
  }
  return {
    add(text) {
      const parts = (held + text).split('\n')
      held = parts.pop() ?? ''
      const whole = parts.map(line => `${changed(line)}\n`).join('')
      if (held.length <= longestLine) return whole
      const long = changed(held)
      isRest = true
      held = ''
      return whole + long
    },
    rest: () => (held === '' ? '' : changed(held)),
  }
}
