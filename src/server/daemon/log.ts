/**
 * The log of loopd: one JSON object per line, in rotated files, of which the newest few are kept. A log that cannot
 * be written is no reason to stop.
 */
import { appendFileSync, lstatSync, renameSync } from 'node:fs'
import pino, { type Logger } from 'pino'
import { daemonWords } from '../../views/words/daemon.ts'

const mostBytes = 10_000_000
const kept = 5

export type Log = Logger

/** `say` tells the person who started loopd, once, that the log cannot be written; `also` gets every line. */
export function logTo(
  file: string,
  say: (message: string) => void,
  also: ((line: string) => void) | null,
): Log {
  let isSaid = false
  const write = rotating(file, mostBytes, error => {
    if (!isSaid) say(daemonWords.noLog(error.message))
    isSaid = true
  })
  return pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime, level: 'info' },
    {
      write(line: string) {
        write(line)
        also?.(line)
      },
    },
  )
}

/** Appends; before a file would exceed `most`, it becomes `.1`, `.1` becomes `.2`, and the last one is removed. */
export function rotating(file: string, most: number, failed: (error: Error) => void): (line: string) => void {
  let size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
  return line => {
    const bytes = Buffer.byteLength(line)
    try {
      if (size > 0 && size + bytes > most) {
        turnOver(file)
        size = 0
      }
      appendFileSync(file, line, { mode: 0o600 })
      size += bytes
    } catch (error) {
      // A full or read-only disk: the journal has these facts too.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
      failed(error as Error)
    }
  }
}

function turnOver(file: string): void {
  for (let n = kept - 1; n >= 1; n -= 1) {
    const older = n === 1 ? file : `${file}.${n - 1}`
    if (lstatSync(older, { throwIfNoEntry: false })) renameSync(older, `${file}.${n}`)
  }
}
