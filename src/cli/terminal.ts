/**
 * The only output: results on stdout, progress on stderr, colour only if wanted. All text passes the filter of
 * core/text/plain-text here, so that no command can forget it; intended terminal control has its own functions
 * below. scripts/check-shape verifies that nothing else prints. A reader that has gone, or a full disk, does not
 * stop a loop; but a lost result is reported and is not a success.
 */

import { fstatSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import { jsonText, plainText, spelledOut } from '../core/text/plain-text.ts'
import type { DocumentName, JsonDocument } from '../documents/documents.ts'
import { exitCodeOf } from '../model/failure.ts'
import { hung } from '../views/layout/columns.ts'
import { textWidth } from '../views/layout/width.ts'
import { inCharset, type Look } from '../views/screen/look.ts'
import { lostOutputWords, unbrokenWords } from '../views/words/message.ts'

export type Terminal = { colour: boolean; tty: boolean }

export function terminalFrom(env: NodeJS.ProcessEnv, fd: 1 | 2 = 2): Terminal {
  const tty = isTerminal(fd)
  return { tty, colour: tty && !env['NO_COLOR'] && env['TERM'] !== 'dumb' }
}

/** Whether a program may use the whole terminal: both input and output are one, and it can do more than print. */
export function isScreen(env: NodeJS.ProcessEnv): boolean {
  return isTerminal(1) && process.stdin.isTTY === true && env['TERM'] !== 'dumb' && Boolean(env['TERM'])
}

/** The abilities of the terminal. No Unicode symbols if the locale lacks them. */
export function lookOf(env: NodeJS.ProcessEnv, fd: 1 | 2 = 1): Look {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return { colour: terminalFrom(env, fd).colour, unicode: locale === '' || /utf-?8/i.test(locale) }
}

/** The current width of the terminal. */
export function terminalColumns(): number {
  return process.stderr.columns || 80
}

/** The columns of the terminal for results; null if they go elsewhere, or it does not say. */
export function outputWidth(): number | null {
  return isTerminal(1) ? process.stdout.columns || null : null
}

/** Node's terminal modules take milliseconds to load, so they are used only for a character device. */
function isTerminal(fd: 1 | 2): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(fd)
  } catch {
    return false // closed: whoever prints will say so
  }
}

/** False if further output is pointless. */
export function out(text: string): boolean {
  return write(1, `${text}\n`)
}

/** What `--json` prints: `outDocument<'started'>({ id })`. */
export function outDocument<N extends DocumentName>(document: JsonDocument<N>): boolean {
  return out(jsonText(document))
}

/** For a program the document, for a person the words. */
export function outFor<N extends DocumentName>(
  { given }: { given(flag: string): boolean },
  document: JsonDocument<N>,
  words: string,
): boolean {
  return out(given('json') ? jsonText(document) : words)
}

/** Lines for a person: on a terminal they are broken between words. */
export function outLines(lines: readonly string[]): boolean {
  const width = outputWidth()
  return out(lines.flatMap(line => hung(line, width)).join('\n'))
}

export function err(text: string): void {
  write(2, `${text}\n`)
}

/** Does work that must not be interrupted: a signal that asks for the end is answered, and waits for it. */
export async function unbroken<T>(work: () => Promise<T>): Promise<T> {
  const say = () => err(unbrokenWords)
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, say)
  try {
    return await work()
  } finally {
    for (const signal of signals) process.off(signal, say)
  }
}

/** Information for a person that is not a failure. */
export function notice({ given }: { given(flag: string): boolean }, message: string): void {
  err(given('json') ? jsonText({ notice: { message } }) : `loop: ${spelledOut(message)}`)
}

const codes = { dim: 2, bold: 1, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export function paint(terminal: Terminal, style: keyof typeof codes, text: string): string {
  return terminal.colour ? `\u001B[${codes[style]}m${text}\u001B[0m` : text
}

/** The control sequences that loop itself uses, besides colour. */
const steering = {
  clear: '\u001B[H\u001B[2J',
  // The alternate screen without a cursor, without line wrap, with bracketed paste; and back.
  open: '\u001B[?1049h\u001B[?25l\u001B[?7l\u001B[?2004h\u001B[H\u001B[2J',
  close: '\u001B[?2004l\u001B[?7h\u001B[?25h\u001B[?1049l',
} as const

/** Colour is only for a terminal whose user wants it. Asked on first use: most commands print to one stream. */
const colourOf = { 1: once(() => terminalFrom(process.env, 1)), 2: once(() => terminalFrom(process.env, 2)) }

/** One filter per stream, so that text cut into pieces is judged as a whole. */
const filterOf = { 1: once(() => filterFor(1)), 2: once(() => filterFor(2)) }

/** A terminal whose locale has no Unicode gets ASCII; a program or a file gets the text as it is. */
function filterFor(fd: 1 | 2): (text: string) => string {
  const filter = plainText(colourOf[fd]())
  const look = lookOf(process.env, fd)
  return look.unicode || !colourOf[fd]().tty ? filter : text => inCharset(look, filter(text))
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** Text in pieces. False if nobody will see it or anything after it. */
export function write(fd: 1 | 2, text: string, before?: keyof typeof steering): boolean {
  if (fd === 2 && pinned.length > 0) return printAbove(text, text.endsWith('\n') ? pinned : [])
  return writeAll(fd, Buffer.from(`${before ? steering[before] : ''}${filterOf[fd]()(text)}`))
}

/** The rows that stay below the output on stderr. */
let pinned: readonly string[] = []

/** Sets the rows at the bottom of the terminal; later output appears above them. */
export function pinRows(rows: readonly string[]): boolean {
  if (rows.length === pinned.length && rows.every((row, i) => row === pinned[i])) return true
  return printAbove('', rows)
}

/**
 * Erases the rows, prints, and draws them again. It uses neither a scroll region nor the alternate screen, so that
 * all output is in the scrollback. On a terminal that has become narrower, a row takes several rows.
 */
function printAbove(text: string, rows: readonly string[]): boolean {
  const columns = Math.max(1, terminalColumns())
  const height = pinned.reduce((sum, row) => sum + Math.max(1, Math.ceil(textWidth(row) / columns)), 0)
  const up = height > 1 ? `\u001B[${height - 1}A` : ''
  const erased = height > 0 ? `\r${up}\u001B[J` : ''
  pinned = rows
  const drawn = rows.map(row => oneRow(row, 2)).join('\n')
  return writeAll(2, Buffer.from(`${together}${erased}${filterOf[2]()(text)}${drawn}${shown}`))
}

/** A row of a screen, from 0. */
type Drawn = { row: number; text: string }

/** Terminals that know these marks show everything between them at once. */
const [together, shown] = ['\u001B[?2026h', '\u001B[?2026l']

/** Rows of a screen, each filtered by itself, so that none can affect another. False if nobody sees them. */
export function drawRows(rows: readonly Drawn[], cursor: { row: number; column: number } | null): boolean {
  // Erased before drawing: erasing after a full row would delete its last character.
  const drawn = rows.map(({ row, text }) => `${placed(row, 0)}\u001B[0m\u001B[K${oneRow(text, 1)}`)
  const end = cursor ? `${placed(cursor.row, cursor.column)}\u001B[?25h` : '\u001B[?25l'
  return writeAll(1, Buffer.from(`${together}\u001B[?25l${drawn.join('')}${end}${shown}`))
}

function placed(row: number, column: number): string {
  return `\u001B[${row + 1};${column + 1}H`
}

function oneRow(text: string, fd: 1 | 2): string {
  return plainText(colourOf[fd]())(text).replaceAll('\n', ' ')
}

/** Opens or closes the alternate screen. */
export function switchScreen(to: 'open' | 'close'): boolean {
  return write(1, '', to)
}

/** The size of the output terminal. */
export function screenSize(): { columns: number; rows: number } {
  return { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }
}

/**
 * Listens to the signal, not to the event of the stream: a terminal that was made small and large again has lost its
 * content, although its size is the same as before. The stream is created first, so it handles the signal first.
 */
export function onResize(listener: () => void): () => void {
  if (!process.stdout.isTTY) return () => {}
  process.on('SIGWINCH', listener)
  return () => void process.off('SIGWINCH', listener)
}

/** Whether the stream goes to a program or a file, which gets exact bytes; a terminal gets filtered text. */
export function isForProgram(fd: 1 | 2): boolean {
  return !isTerminal(fd)
}

/** For callers that have checked `isForProgram`. */
export function writeExactly(fd: 1 | 2, bytes: Buffer): boolean {
  return writeAll(fd, bytes)
}

/** For bytes that are not text; the caller has refused a terminal. */
export function bytesOut(): NodeJS.WritableStream {
  return process.stdout
}

/** Writes everything in order before returning. */
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

/** Once. The exit code is global to the program; this one is used if no other is set. */
export function sayLost(error: NodeJS.ErrnoException): void {
  if (process.exitCode) return
  process.exitCode = exitCodeOf('system')
  const why = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno)
  const message = lostOutputWords(why)
  const facts = { kind: 'output-lost', why }
  const [, program = '', ...args] = process.argv
  const [name] = basename(program).split('.')
  err(
    args.includes('--json')
      ? jsonText({ error: { reason: 'system', message, facts } })
      : `${name}: ${message}`,
  )
}
