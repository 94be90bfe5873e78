/**
 * The one way out: results on stdout, progress on stderr, colour only where it is wanted. All text goes through
 * the filter of views/text/plain-text here, whoever made it, so that no command can forget it; what steers the terminal
 * on purpose has a name below. That nothing else prints is checked (scripts/check-shape). A reader that has gone away, or a full disk, is no reason to stop a loop; but that a result is lost is said, and is no success.
 */
import { fstatSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import { exitCodeOf, type Failure } from '../model/failure.ts'
import { jsonText, plainText, spelledOut } from '../views/text/plain-text.ts'

export type Terminal = { colour: boolean; tty: boolean }

export function terminalFrom(env: NodeJS.ProcessEnv, fd: 1 | 2 = 2): Terminal {
  const tty = isTerminal(fd)
  return { tty, colour: tty && !env['NO_COLOR'] && env['TERM'] !== 'dumb' }
}

/** How wide the terminal is just now. */
export function terminalColumns(): number {
  return process.stderr.columns || 80
}

/** The columns of the terminal that results go to; null where they go elsewhere, or it does not say. */
export function outputWidth(): number | null {
  return isTerminal(1) ? process.stdout.columns || null : null
}

/** The modules that Node has for a terminal take milliseconds to load: asked only of what may be one. */
function isTerminal(fd: 1 | 2): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(fd)
  } catch {
    return false // closed: whoever prints will say so
  }
}

/** False when there is no sense in printing more. */
export function out(text: string): boolean {
  return write(1, `${text}\n`)
}

export function err(text: string): void {
  write(2, `${text}\n`)
}

export function printFailure(failure: Failure, json: boolean, program = 'loop'): void {
  err(json ? jsonText({ error: failure }) : `${program}: ${failure.message}`)
}

/** Something a person should know that is no failure. */
export function notice({ given }: { given(flag: string): boolean }, message: string): void {
  err(given('json') ? jsonText({ notice: { message } }) : `loop: ${spelledOut(message)}`)
}

const codes = { dim: 2, bold: 1, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export function paint(terminal: Terminal, style: keyof typeof codes, text: string): string {
  return terminal.colour ? `\u001B[${codes[style]}m${text}\u001B[0m` : text
}

/** How loop itself steers a terminal, besides colour. */
const steering = { 'clear line': '\r\u001B[K', 'clear screen': '\u001B[H\u001B[2J' } as const

/**
 * One filter for each stream: what is cut in two by pieces of a log is judged as a whole. Colour, whoever asks for it,
 * is for a terminal whose user wants it.
 */
const filters = {
  1: plainText(terminalFrom(process.env, 1)),
  2: plainText(terminalFrom(process.env, 2)),
}

/** Text in pieces. False when nobody will see it, nor what comes after it. */
export function write(fd: 1 | 2, text: string, before?: keyof typeof steering): boolean {
  return writeAll(fd, Buffer.from(`${before ? steering[before] : ''}${filters[fd](text)}`))
}

/** What is printed there goes to a program or a file: it gets the exact bytes. A terminal gets filtered text. */
export function isForProgram(fd: 1 | 2): boolean {
  return !isTerminal(fd)
}

/** For whoever has asked `isForProgram`. */
export function writeExactly(fd: 1 | 2, bytes: Buffer): boolean {
  return writeAll(fd, bytes)
}

/** For bytes that are no text; whoever asks for it has refused a terminal. */
export function bytesOut(): NodeJS.WritableStream {
  return process.stdout
}

/** All of it, in order, before going on. */
function writeAll(fd: 1 | 2, all: Buffer): boolean {
  let bytes = all
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EAGAIN') return unprinted(fd, error as NodeJS.ErrnoException)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
  return true
}

function unprinted(fd: 1 | 2, error: NodeJS.ErrnoException): false {
  if (fd === 1 && error.code !== 'EPIPE') sayLost(error)
  return false
}

/** Once. The exit code is the one thing that every file of the program shares; it holds where no other is set. */
export function sayLost(error: NodeJS.ErrnoException): void {
  if (process.exitCode) return
  process.exitCode = exitCodeOf('system')
  const why = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno)
  const message = `Standard output cannot be written (${why}): what was printed is lost. Nothing recorded is.`
  const [, program = '', ...args] = process.argv
  printFailure({ reason: 'system', message }, args.includes('--json'), basename(program).split('.')[0])
}
