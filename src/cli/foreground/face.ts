/**
 * What a terminal shows while a loop runs in its foreground (views/screen/start): lines that stay, and a row below them
 * that moves. With -v, in a pipe, in CI and on a terminal that can only print, it is the announcements (live).
 */
import { join } from 'node:path'
import type { State } from '../../core/loop/state.ts'
import type { Told } from '../../engine/feed.ts'
import type { AgentName } from '../../model/agent.ts'
import { redactAll, type Secret } from '../../secrets/redact.ts'
import { headLines } from '../../views/screen/start/head.ts'
import { emptyFold, loopStep } from '../../views/screen/start/loop.ts'
import { movingRows, type WorkNow, workOf } from '../../views/screen/start/moving.ts'
import type { StartView } from '../../views/screen/start/pieces.ts'
import type { Input } from '../command-table.ts'
import { lookOf, pinRows, terminalColumns, terminalFrom, write } from '../terminal.ts'
import { type Live, liveTerminal, type Stream, streamsOf } from './live.ts'

const tickMs = 100

/** Results and progress are both for a person at a terminal, who has not asked for everything. */
export function hasFace(input: Pick<Input, 'env' | 'given'>): boolean {
  if (input.given('verbose') || input.given('json')) return false
  return liveTerminal(input).tty && terminalFrom(input.env, 1).tty
}

/** The look and the width of now: a terminal can be resized. */
export function viewOf({ env }: Pick<Input, 'env'>): StartView {
  return { look: lookOf(env, 2), width: terminalColumns() }
}

export type Face = Live & {
  /** Shows or hides what the keys do. */
  help(): void
  /** While a person types a line, nothing else is printed; it comes after it. */
  typing(isTyping: boolean): void
}

type Place = {
  input: Input
  rootOf: (loop: string) => string
  secrets: Secret[]
  keys: boolean
  now(): number
}

export function faceView({ input, rootOf, secrets, keys, now }: Place): Face {
  const view = () => viewOf(input)
  const paper = paperOf(secrets)
  const agent = agentOf(secrets)
  let fold = emptyFold
  let state: State | null = null
  let work: { what: WorkNow; since: number } = { what: null, since: 0 }
  let frame = 0
  let isHelped = false
  const pin = () => {
    if (!state) return
    const shown = keys ? (isHelped ? ('help' as const) : ('keys' as const)) : ('none' as const)
    const moving = { work: work.what, since: work.since, now: now(), frame, last: agent.last(), keys: shown }
    const { look, width } = view()
    paper.pin(movingRows(state, moving, { look, width: width - 1 }))
  }
  const timer = setInterval(() => {
    frame += 1
    pin()
  }, tickMs)
  // The timer must not keep a finished program alive.
  timer.unref()
  const follow = (dir: string, { id, work: { agent: name } }: State) =>
    agent.follow(join(rootOf(id), dir), name)
  const is = (next: State, isNew: boolean) => {
    const what = workOf(next)
    if (isNew || what !== work.what) work = { what, since: now() }
    state = next
    // Nothing else is shown where a person types.
    if (what === null) pin()
  }
  return {
    join(joined) {
      if (!state) paper.say(headLines(joined, view(), `iteration ${joined.work.iteration}`))
      if (joined.work.stage === 'running' && joined.work.run) follow(joined.work.run.dir, joined)
      is(joined, true)
    },
    tell(told: Told) {
      const { event, state: next } = told
      if (event.kind === 'run.started') follow(event.data.dir, next)
      if (event.kind === 'run.ended' || event.kind === 'run.lost') agent.forget()
      const done = loopStep(fold, told, view())
      fold = done.fold
      paper.say(done.lines)
      is(next, event.kind === 'run.started')
    },
    help() {
      isHelped = !isHelped
      pin()
    },
    typing: paper.typing,
    stop() {
      clearInterval(timer)
      paper.typing(false)
      paper.pin([])
    },
  }
}

/** Lines that stay and rows that move; while a person types, what would be printed waits. */
export function paperOf(secrets: Secret[]) {
  let kept: string[] | null = null
  const say = (lines: readonly string[]) => {
    if (kept) return void kept.push(...lines)
    for (const line of redactAll([...lines], secrets)) write(2, `${line}\n`)
  }
  return {
    say,
    pin(rows: readonly string[]) {
      if (!kept) pinRows(redactAll([...rows], secrets))
    },
    typing(isTyping: boolean) {
      const lines = kept ?? []
      if (isTyping) pinRows([])
      kept = isTyping ? [] : null
      if (!isTyping) say(lines)
    },
  }
}

/** The newest line of the agent that runs. */
export function agentOf(secrets: Secret[]) {
  let streams: Stream[] = []
  let line = ''
  return {
    follow(dir: string, name: AgentName) {
      streams = streamsOf(dir, name, secrets)
      line = ''
    },
    forget() {
      streams = []
    },
    last() {
      for (const stream of streams) {
        const whole = stream.lines().at(-1) ?? ''
        const partial = stream.partial().trim()
        line = partial === '' ? whole || line : partial
      }
      return line
    },
  }
}
