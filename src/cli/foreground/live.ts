/**
 * What a foreground loop shows while it runs, on stderr: the announcements as they happen, the agent's output
 * as it comes, and on a terminal one moving line at the bottom. Reads files and events only; never in the way.
 */
import { join } from 'node:path'
import { breakers } from '../../core/loop/breaker.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { outputAfter } from '../../engine/feed/output.ts'
import type { Told } from '../../engine/feed.ts'
import type { Recorded } from '../../model/loop/event.ts'
import { formatBytes, formatDuration } from '../../model/units.ts'
import { wrapped } from '../../views/layout/columns.ts'
import { redactAll, redactor, type Secret } from '../../views/secrets/redact.ts'
import { announce, blockAfter, joined } from '../../views/text/announce.ts'
import { plainText } from '../../views/text/plain-text.ts'
import { breakerWords } from '../../views/text/status.ts'
import { piecesOf, type Words, wordsOfRun } from '../run-text.ts'
import { paint, type Terminal, terminalColumns, write } from '../terminal.ts'

export type Live = {
  /** A loop that was there before this program: shows the agent that is at work in it. */
  join(state: State): void
  tell(told: Told): void
  stop(): void
}

const tickMs = 100
/** Of output that comes faster than this per tick, only the newest is shown. */
const mostBytes = 32_768

/** `keys`: those that the line at the bottom names can be pressed. */
type View = Terminal & { keys: boolean }

export function liveView(terminal: View, rootOf: (loop: string) => string, secrets: Secret[]): Live {
  let streams: Stream[] = []
  let doing: Doing = { what: '', note: '', since: performance.now() }
  let frame = 0
  const show = (text: string) => write(2, text, terminal.tty ? 'clear line' : undefined)
  const showOutput = (line: string) => {
    const pieces = terminal.tty ? wrapped(line, Math.max(20, terminalColumns() - bar.length)) : [line]
    for (const piece of pieces) show(`${paint(terminal, 'dim', `${bar}${piece}`)}\n`)
  }
  const showLine = (line: string) => {
    // What the promise printed, in the manner of what the agent prints.
    if (line.startsWith(bar)) showOutput(line.slice(bar.length))
    else show(`${styled(terminal, line)}\n`)
  }
  const pour = () => {
    for (const stream of streams) for (const line of stream.lines()) showOutput(line)
  }
  const timer = setInterval(() => {
    pour()
    if (!terminal.tty || doing.what === '') return
    frame += 1
    const mark = paint(terminal, 'cyan', spinner[frame % spinner.length] ?? '')
    // A line that wraps could not be cleared.
    const line = movingLine(doing, terminal.keys).slice(0, terminalColumns() - 3)
    write(2, `${mark} ${line}`, 'clear line')
  }, tickMs)
  // What is shown must not keep a program alive that has nothing more to do.
  timer.unref()
  const lines = ({ event, state, before }: Told) =>
    // The status block is for programs; a person gets one line.
    [...announce(event, state, before), ...(terminal.tty ? counters(event, state) : blockAfter(event, state))]
  const followRun = ({ id, work: { agent } }: State, run: { dir: string }) => {
    const dir = join(rootOf(id), run.dir)
    const words = wordsOfRun(dir, agent, secrets)
    streams = words ? [followWords(words)] : ['out', 'err'].map(name => follow(join(dir, name), secrets))
  }
  return {
    join(state) {
      for (const line of redactAll(joined(state), secrets)) showLine(line)
      if (state.work.stage === 'running' && state.work.run) followRun(state, state.work.run)
      doing = doingAfter(state, null)
    },
    tell(told) {
      const { event, state } = told
      pour()
      if (event.kind === 'run.started') followRun(state, event.data)
      if (event.kind === 'run.ended' || event.kind === 'run.lost') {
        for (const stream of streams) for (const line of stream.rest()) showOutput(line)
        streams = []
      }
      for (const line of redactAll(lines(told), secrets)) showLine(line)
      doing = doingAfter(state, event.kind === 'run.started' ? null : doing)
    },
    stop() {
      clearInterval(timer)
      if (terminal.tty) write(2, '', 'clear line')
    },
  }
}

const bar = '  │ '
const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

type Stream = { lines(): string[]; rest(): string[] }

/** Of an agent whose output loop can read; a piece at a time, since the next tick comes soon. */
function followWords(words: Words): Stream {
  let partial = ''
  const split = (text: string) => {
    const parts = (partial + text).slice(-mostBytes).split('\n')
    partial = parts.pop() ?? ''
    return parts.filter(line => line.trim() !== '')
  }
  return {
    lines: () => split(words.more().text),
    rest: () => [...[...piecesOf(words)].flatMap(split), ...split(`${words.end()}\n`)],
  }
}

/** The lines a growing file has got since last asked. */
function follow(file: string, secrets: Secret[]): Stream {
  let plain = plainText()
  let redact = redactor(secrets)
  const decoder = new TextDecoder()
  let at = 0
  let partial = ''
  const read = (): string => {
    const { gap, bytes } = outputAfter(file, at, { pieceBytes: mostBytes, mostBehind: mostBytes })
    at += gap + bytes.length
    if (gap === 0) return redact.push(plain(decoder.decode(bytes, { stream: true })))
    // What a gap cuts in two cannot be judged: the word before it and the line after it go with it.
    plain = plainText()
    redact = redactor(secrets)
    const line = bytes.indexOf('\n')
    const whole = bytes.subarray(line === -1 ? bytes.length : line + 1)
    const mark = `\n… ${formatBytes(gap)} not shown: see loop logs …\n`
    return mark + redact.push(plain(decoder.decode(whole, { stream: true })))
  }
  const lines = (last: boolean) => {
    const text = partial + read() + (last ? redact.end() : '')
    const parts = text.split('\n')
    partial = parts.pop() ?? ''
    return parts.filter(line => line.trim() !== '')
  }
  return {
    lines: () => lines(false),
    rest: () => [...lines(true), ...(partial.trim() === '' ? [] : [partial])],
  }
}

function counters(event: Recorded, state: State): string[] {
  if (event.kind !== 'promise.verified') return []
  const counting = breakers(state).filter(({ count, limit }) => limit !== null && (count ?? 0) > 0)
  return counting.length === 0 ? [] : [`  breakers ${counting.map(breakerWords).join(', ')}`]
}

function styled(terminal: Terminal, line: string): string {
  if (line.startsWith('[LOOP] ✓')) return paint(terminal, 'green', line)
  if (line.startsWith('[LOOP] ⏸')) return paint(terminal, 'yellow', line)
  return line.startsWith('[LOOP]') ? paint(terminal, 'bold', line) : line
}

/** What is under way, since when, and what comes after it. */
type Doing = { what: string; note: string; since: number }

/** The same thing goes on since it began, whatever is wished for meanwhile. */
function doingAfter(state: State, before: Doing | null): Doing {
  const what = activity(state)
  const note = state.turn.hold && !state.turn.cancelRequested ? ', then a pause' : ''
  return { what, note, since: before?.what === what ? before.since : performance.now() }
}

function activity(state: State): string {
  const { status } = summarize(state)
  // The person is typing there.
  if (state.human.question && state.spec.attended) return ''
  if (state.hook.open) return state.hook.open.isUnwanted ? stoppingHook : runningHook
  if (status === 'waiting') return 'waiting'
  if (status !== 'running') return ''
  if (state.turn.cancelRequested) return stopping
  if (state.work.stage === 'running') return 'agent at work'
  return state.work.stage === 'settled' || state.work.stage === 'baseline' ? 'running the promise' : ''
}

/** Nothing can be wished for any more. */
const stopping = 'stopping the agent'
const stoppingHook = 'stopping the hook'
const runningHook = 'running the hook'

function hintFor(what: string, note: string): string {
  if (what === runningHook) return 'x stops it'
  return note === '' ? 'p pause · x cancel' : 'r no pause · x cancel'
}

function movingLine({ what, note, since }: Doing, keys: boolean): string {
  const shown = keys && what !== stopping && what !== stoppingHook ? `   (${hintFor(what, note)})` : ''
  return `${what}${note} ${formatDuration(performance.now() - since)}${shown}`
}
