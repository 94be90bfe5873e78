/** A loop as its terminal shows it: the lines that stay, from events that the real fold has seen. */
import { creation } from '../../src/core/loop/assess/assess.ts'
import { begin, evolve } from '../../src/core/loop/evolve.ts'
import type { Changed } from '../../src/core/loop/parts/tree.ts'
import type { State } from '../../src/core/loop/state.ts'
import type { Event, Recorded } from '../../src/model/loop/event.ts'
import type { Spec } from '../../src/model/loop/spec.ts'
import { closingLines } from '../../src/views/screen/start/closing.ts'
import { emptyFold, loopStep } from '../../src/views/screen/start/loop.ts'
import type { StartView } from '../../src/views/screen/start/pieces.ts'
import { aSpec, cleared, createdAt, ended, recorded, started, taken, verified } from './given.ts'

/** A number is the time before the next event, in ms; otherwise nothing takes any. */
type Step = Event | number

export type Played = { lines: string[]; state: State }

export function viewOf(width: number): StartView {
  return { look: { colour: false, unicode: true }, width }
}

export function play(spec: Partial<Spec>, steps: readonly Step[], view = viewOf(84)): Played {
  const first = recorded(creation(aSpec(spec)))
  let state = begin(first)
  let { fold, lines } = loopStep(emptyFold, { event: first, state, before: null }, view)
  let at = createdAt
  for (const step of steps) {
    if (typeof step === 'number') {
      at += step
      continue
    }
    const event: Recorded = recorded(step, { seq: state.seq + 1, at })
    const before = state
    state = evolve(state, event)
    const done = loopStep(fold, { event, state, before }, view)
    fold = done.fold
    lines = [...lines, ...done.lines]
  }
  return { lines, state }
}

export function closed(played: Played, changed: Changed | null, view = viewOf(84)): string[] {
  return closingLines(played.state, changed, view)
}

/** A verdict about these tests, all in one file. */
export function fails(...names: string[]) {
  return {
    failing: names.length,
    fails: names.map((name, i) => ({ name, file: 'test/cart.test.js', line: 31 + i, said: '' })),
  }
}

export type Iteration = {
  ms?: number
  end?: Parameters<typeof ended>[1]
  changes?: { added: number; removed: number; files: number }
  paths?: string[]
  result: Parameters<typeof verified>[1]
}

/** One iteration after a boundary: how long it took, what it cost and changed, and its verdict. */
export function iteration(n: number, { ms = 0, end, changes, paths, result = {} }: Iteration): Step[] {
  const name = `iter-${String(n).padStart(3, '0')}`
  const left = taken(`${name}-after`, {
    changes: changes ?? { added: 1, removed: 1, files: 1 },
    paths: paths ?? ['cart.js'],
  })
  return [taken(name), started(n), ms, ended(n, end), cleared(n), left, verified(n, result)]
}
