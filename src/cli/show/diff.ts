/**
 * Prints the changes between two checkpoints of a loop, for `diff` and `history --diff`: to a program as a patch that
 * applies; on a terminal in colour and with line numbers, through the user's pager: `$PAGER`, else `delta` or `less` if it
 * is installed. The pager gets the same safe text as the terminal would; delta numbers the lines itself.
 */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { type Checkpoints, patchJson, wholeDiff } from '../../checkpoints/contract.ts'
import { fold } from '../../core/loop/evolve.ts'
import { namesOf } from '../../core/loop/parts/tree.ts'
import { plainText } from '../../core/text/plain-text.ts'
import { savedTree } from '../../engine/garbage/discarded.ts'
import { allOf, invalid, ok, type Result } from '../../model/failure.ts'
import { checkpointName } from '../../model/units.ts'
import { redactor, secretsIn } from '../../secrets/redact.ts'
import { ink } from '../../views/screen/look.ts'
import { diffInk } from '../../views/screen/loop-panes.ts'
import { diffNumbers } from '../../views/text/diff-numbers.ts'
import { withSecretNames } from '../../wiring/secret-names.ts'
import { checkpointsOf } from '../../wiring/world.ts'
import type { OpenJournal } from '../find-loop.ts'
import { isForProgram, lookOf, outDocument, write, writeExactly } from '../terminal.ts'

export type DiffWish = {
  /** `A..B`, each a number (before that iteration) or a name; null is the whole loop. */
  range: string | null
  /** Includes the result of B, if B is the number of an iteration. */
  after: boolean
  json: boolean
}

export async function printDiff(
  { id, events, paths }: OpenJournal,
  { range, after, json }: DiffWish,
): Promise<Result<number>> {
  const state = fold(events)
  const names = namesOf(state.tree.checkpoints).filter(name => !name.startsWith('before-rollback-'))
  const [from = '', to, ...more] = range === null ? ['initial', names.at(-1)] : range.split('..')
  if (!to || more.length > 0) {
    return invalid({ kind: 'not-a-range', range })
  }
  if (after && !isNumber(to)) return invalid({ kind: 'after-range-without-iteration' })
  const saved = allOf({
    from: savedTree(paths, state, { name: named(from, false), typed: from }),
    to: savedTree(paths, state, { name: named(to, after), typed: to }),
  })
  if (!saved.ok) return saved
  const checkpoints = checkpointsOf(paths, state.spec)
  if (!json) return printPatch(checkpoints, saved.value)
  const diff = await wholeDiff(checkpoints, saved.value)
  if (!diff.ok) return diff
  outDocument<'diff'>({ id, from, to: after ? named(to, after) : to, ...patchJson(diff.value) })
  return ok(0)
}

function isNumber(typed: string): boolean {
  return /^\d+$/.test(typed)
}

function named(typed: string, after: boolean): string {
  return isNumber(typed) ? checkpointName(Number(typed), after) : typed
}

/** A program gets a patch that applies; a person one in colour, without secrets and binary content. */
export async function printPatch(
  saved: Checkpoints,
  range: { from: string; to: string },
): Promise<Result<number>> {
  if (isForProgram(1)) {
    const exact = await saved.diff({ ...range, binary: true, take: piece => writeExactly(1, piece) })
    return exact.ok ? ok(0) : exact
  }
  const decoder = new StringDecoder('utf8')
  const redact = redactor(secretsIn(await withSecretNames(process.env)))
  const { take, end } = diffOut(process.env)
  const show = (piece: Uint8Array) => take(redact.push(decoder.write(piece)))
  const printed = await saved.diff({ ...range, binary: false, take: show })
  take(redact.end())
  await end()
  return printed.ok ? ok(0) : printed
}

type DiffOut = {
  /** Takes any piece of text; false if nobody reads any more. */
  take(text: string): boolean
  /** Resolves when the pager is closed. */
  end(): Promise<void>
}

/** The command of the pager; null if there is none, or it is switched off. */
function pagerOf(env: NodeJS.ProcessEnv): string | null {
  if (isForProgram(1) || env['TERM'] === 'dumb') return null
  const own = env['PAGER']?.trim()
  if (own !== undefined) return own === '' || own === 'cat' ? null : own
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
function diffOut(env: NodeJS.ProcessEnv): DiffOut {
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
