/**
 * A command line over the configuration files: says what was left out, and asks about a file that is not trusted
 * where somebody can answer.
 */
import { readSync } from 'node:fs'
import { ok, type Result } from '../../model/failure.ts'
import type { TrustQuestion } from '../../options/config/layers.ts'
import { withConfig } from '../../options/config/load.ts'
import type { System } from '../../options/system.ts'
import { spelledOut } from '../../views/text/plain-text.ts'
import type { Input } from '../command-table.ts'
import { notice, write } from '../terminal.ts'
import { setLines } from './print.ts'

export async function configured(input: Input, system: System): Promise<Result<Input>> {
  const wish = { wanted: input.given('trust'), ask: system.isAttended ? askTrust : null }
  const found = await withConfig(input, system, wish)
  if (!found.ok) return found
  if (found.value.notice !== null) notice(input, found.value.notice)
  return ok({ ...input, ...found.value.values })
}

function askTrust({ path, changed, entries }: TrustQuestion): boolean {
  const why = changed ? 'has changed since you trusted it' : 'has not been trusted yet'
  const question = 'Use it? You are asked again only when it changes. [y/N] '
  write(2, [`${spelledOut(path)} ${why}. It sets:`, ...setLines(entries), question].join('\n'))
  return /^y(es)?$/i.test(readLine().trim())
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
