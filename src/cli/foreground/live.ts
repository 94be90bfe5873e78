/**
 * The live view of a foreground loop on stderr: the announcements, the agent's output, and on a terminal a few
 * moving rows at the bottom. It reads only files and events and never blocks the loop.
 */
import { join } from 'node:path'
import { breakers } from '../../core/loop/breaker.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { plainText } from '../../core/text/plain-text.ts'
import { outputAfter } from '../../engine/feed/output.ts'
import type { Told } from '../../engine/feed.ts'
import { piecesOf, type Words, wordsOfRun } from '../../engine/shown/runs.ts'
import type { AgentName } from '../../model/agent.ts'
import type { Recorded } from '../../model/loop/event.ts'
import { formatBytes, formatDuration } from '../../model/units.ts'
import { redactAll, redactor, type Secret } from '../../secrets/redact.ts'
import { hung, wrapped } from '../../views/layout/columns.ts'
import { liveRows } from '../../views/screen/live.ts'
import type { Look } from '../../views/screen/look.ts'
import { announce, blockAfter, joined } from '../../views/text/announce.ts'
import { stateHint } from '../../views/text/plan.ts'
import { breakerWords } from '../../views/text/status.ts'
import type { Input } from '../command-table.ts'
import { lookOf, paint, pinRows, type Terminal, terminalColumns, terminalFrom, write } from '../terminal.ts'

export type Live = {
  /** Shows the running agent of a loop that existed before this program. */
  join(state: State): void
  tell(told: Told): void
  stop(): void
}

const tickMs = 100
/** If output grows faster than this per tick, only the newest part is shown. */
const mostBytes = 32_768

/** `keys`: the keys named in the bottom line can be pressed. */
type View = Terminal & { keys: boolean; unicode?: boolean }

/** Plain lines on request, in CI, and on a terminal that can only print. */
export function liveTerminal({ env, given }: Pick<Input, 'env' | 'given'>): Terminal & { unicode: boolean } {
  const isPlain = given('plain') || Boolean(env['CI']) || env['TERM'] === 'dumb'
  const { unicode } = lookOf(env, 2)
  return { ...(isPlain ? { tty: false, colour: false } : terminalFrom(env)), unicode }
}

export function liveView(terminal: View, rootOf: (loop: string) => string, secrets: Secret[]): Live {
  let streams: Stream[] = []
  const now: LiveNow = {
    state: null,
    doing: { what: '', note: '', since: performance.now() },
    failing: [],
    frame: 0,
  }
  const look = { colour: terminal.colour, unicode: terminal.unicode ?? true }
  const { showOutput, showLine } = printerOn(terminal)
  const pour = () => {
    for (const stream of streams) for (const line of stream.lines()) showOutput(line)
  }
  const pin = () => {
    if (terminal.tty)
      pinRows(rowsNow(now, { look, keys: terminal.keys, last: streams.map(one => one.partial()).join(' ') }))
  }
  const timer = setInterval(() => {
    pour()
    now.frame += 1
    pin()
  }, tickMs)
  // The timer must not keep a finished program alive.
  timer.unref()
  const lines = (told: Told) => saidOf(told, terminal)
  const followRun = (state: State, run: { dir: string }) => {
    streams = streamsOf(join(rootOf(state.id), run.dir), state.work.agent, secrets)
  }
  const is = (state: State, before: Doing | null) => {
    now.state = state
    now.doing = doingAfter(state, before)
    // Nothing else is shown where the person types.
    if (now.doing.what === '') pin()
  }
  return {
    join(state) {
      for (const line of redactAll(joined(state), secrets)) showLine(line)
      if (state.work.stage === 'running' && state.work.run) followRun(state, state.work.run)
      is(state, null)
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
      if (event.kind === 'promise.verified') now.failing.push(...failingIn(event.data.results))
      is(state, event.kind === 'run.started' ? null : now.doing)
    },
    stop() {
      clearInterval(timer)
      if (terminal.tty) pinRows([])
    },
  }
}

function saidOf({ event, state, before }: Told, { tty }: Terminal): string[] {
  const said = announce(event, state, before)
  if (!tty) return [...said, ...blockAfter(event, state)]
  if (event.kind === 'loop.created' && !state.spec.deleteState) said.splice(-1, 0, stateHint)
  // The status block is for programs; a person gets one line.
  return [...said, ...counters(event, state)]
}

export function streamsOf(dir: string, agent: AgentName, secrets: Secret[]): Stream[] {
  const words = wordsOfRun(dir, agent, secrets)
  return words ? [followWords(words)] : ['out', 'err'].map(name => follow(join(dir, name), secrets))
}

function printerOn(terminal: View): { showOutput(line: string): void; showLine(line: string): void } {
  const showOutput = (line: string) => {
    const pieces = terminal.tty ? wrapped(line, Math.max(20, terminalColumns() - bar.length)) : [line]
    for (const piece of pieces) write(2, `${paint(terminal, 'dim', `${bar}${piece}`)}\n`)
  }
  const showLine = (line: string) => {
    // The promise's output, in the style of the agent's.
    if (line.startsWith(bar)) showOutput(line.slice(bar.length))
    else
      for (const row of hung(line, terminal.tty ? terminalColumns() : null))
        write(2, `${styled(terminal, line, row)}\n`)
  }
  return { showOutput, showLine }
}

type LiveNow = { state: State | null; doing: Doing; failing: number[]; frame: number }

/** The rows at the bottom; none while nothing is under way. */
function rowsNow(
  { state, doing, failing, frame }: LiveNow,
  { look, keys, last }: { look: Look; keys: boolean; last: string },
): string[] {
  if (!state || doing.what === '') return []
  const { iteration, maxIterations, costUsd, budgetUsd, costEstimated, costIncomplete } = summarize(state)
  return liveRows(
    {
      iteration,
      maxIterations,
      failing,
      cost: { costUsd, budgetUsd, costEstimated, costIncomplete },
      last,
      moving: movingLine(doing, keys),
      frame,
    },
    look,
    terminalColumns() - 1,
  )
}

/** The sum over all criteria, if the promise reported a number. */
function failingIn(results: readonly { failing: number | null }[]): number[] {
  const known = results.flatMap(({ failing }) => failing ?? [])
  return known.length === 0 ? [] : [known.reduce((sum, one) => sum + one, 0)]
}

const bar = '  │ '

/** `partial`: the unfinished line. */
export type Stream = { lines(): string[]; rest(): string[]; partial(): string }

/** For an agent whose output loop understands; one piece at a time, since the next tick comes soon. */
function followWords(words: Words): Stream {
  let partial = ''
  const split = (text: string) => {
    const parts = (partial + text).slice(-mostBytes).split('\n')
    partial = parts.pop() ?? ''
    return parts.filter(line => line.trim() !== '')
  }
  return {
    lines: () => split(words.more().text),
    partial: () => partial,
    rest: () => [...[...piecesOf(words)].flatMap(split), ...split(`${words.end()}\n`)],
  }
}

/** The new lines of a growing file. */
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
    // Text around a gap cannot be judged: the word before it and the line after it are dropped.
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
    partial: () => partial,
    rest: () => [...lines(true), ...(partial.trim() === '' ? [] : [partial])],
  }
}

function counters(event: Recorded, state: State): string[] {
  if (event.kind !== 'promise.verified') return []
  const counting = breakers(state).filter(({ count, limit }) => limit !== null && (count ?? 0) > 0)
  return counting.length === 0 ? [] : [`  breakers ${counting.map(breakerWords).join(', ')}`]
}

/** A row in the style of the line that it is part of. */
function styled(terminal: Terminal, line: string, row: string): string {
  if (line.startsWith('[LOOP] ✓')) return paint(terminal, 'green', row)
  if (line.startsWith('[LOOP] ⏸')) return paint(terminal, 'yellow', row)
  return line.startsWith('[LOOP]') ? paint(terminal, 'bold', row) : row
}

/** The current activity, its start, and what comes after it. */
type Doing = { what: string; note: string; since: number }

/** The same activity keeps its start, whatever is asked for meanwhile. */
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

/** No more commands are possible. */
const stopping = 'stopping the agent'
const stoppingHook = 'stopping the hook'
const runningHook = 'running the hook'

/** `keys`: they can be pressed; Ctrl-C always can. */
function hintFor({ what, note }: Doing, keys: boolean): string {
  if (what === stopping || what === stoppingHook) return ''
  if (!keys) return note === '' ? 'Ctrl-C pauses, twice cancels' : 'Ctrl-C cancels'
  if (what === runningHook) return 'x stops it'
  return note === '' ? 'p pause · x cancel' : 'r no pause · x cancel'
}

function movingLine(doing: Doing, keys: boolean): string {
  const hint = hintFor(doing, keys)
  const since = formatDuration(performance.now() - doing.since)
  return `${doing.what}${doing.note} ${since}${hint === '' ? '' : `   (${hint})`}`
}
