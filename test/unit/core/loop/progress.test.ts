/** Going in circles: when a loop counts as stuck, and what counts as progress. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '../../../../src/core/loop/decide.ts'
import { evolve } from '../../../../src/core/loop/evolve.ts'
import type { State } from '../../../../src/core/loop/state.ts'
import type { Event } from '../../../../src/model/loop/event.ts'
import type { Spec } from '../../../../src/model/loop/spec.ts'
import {
  after,
  cleared,
  created,
  ended,
  pass,
  recorded,
  started,
  taken,
  unready,
  verified,
} from '../../../rig/given.ts'

type Iteration = { failing?: (number | null)[]; met?: boolean[]; files?: number }

const criteria = [
  { name: 'one', command: 'one' },
  { name: 'two', command: 'two' },
]

const noLimits = { criteria, maxIterations: null, budgetUsd: null }

/** A loop before its first iteration, with the verdicts of its baseline. */
function begun(given: Partial<Spec> = {}): State {
  const baseline = given.baseline === false ? [] : [verified(0, ...criteria)]
  return after(created({ ...noLimits, ...given }), ...baseline, taken('initial'))
}

/** A loop at the boundary after these iterations. */
function afterAll(iterations: Iteration[], from = begun()): State {
  let state = from
  for (const [index, turn] of iterations.entries()) {
    const n = index + 1
    const events: Event[] = [
      taken(`iter-00${n}`),
      started(n),
      ended(n),
      cleared(n),
      taken(`iter-00${n}-after`, { changes: { added: 1, removed: 0, files: turn.files ?? 1 } }),
      verified(n, ...criteria.map((criterion, i) => ({ ...criterion, ...verdict(turn, i) }))),
    ]
    for (const event of events) state = evolve(state, recorded(event, { seq: state.seq + 1 }))
  }
  return state
}

function verdict(turn: Iteration, i: number) {
  return turn.met?.[i] ? pass : { failing: turn.failing?.[i] ?? null }
}

const failed = (reason: 'stuck' | 'no-change') => ({
  do: 'record',
  event: { kind: 'loop.failed', data: { reason, ship: unready } },
})
const goesOn = (n: number) => ({
  do: 'step',
  step: { kind: 'checkpoint', name: `iter-00${n}`, since: `tree-of-iter-00${n - 1}-after` },
})

const times = (n: number, turn: Iteration) => Array.from({ length: n }, () => turn)

const rows: { name: string; iterations: Iteration[]; next: unknown }[] = [
  { name: 'four failures alike', iterations: times(4, {}), next: goesOn(5) },
  { name: 'five failures alike', iterations: times(5, {}), next: failed('stuck') },
  {
    name: 'fewer and fewer failing tests',
    iterations: [40, 12, 9, 5, 3, 2, 1].map(n => ({ failing: [n, null] })),
    next: goesOn(8),
  },
  {
    name: 'a suite that did not load at first',
    iterations: [1, 40, 12, 3, 2, 1].map(n => ({ failing: [n, null] })),
    next: goesOn(7),
  },
  {
    name: 'failing tests that go up and down without getting fewer than ever',
    iterations: [3, 4, 3, 4, 3].map(n => ({ failing: [n, null] })),
    next: failed('stuck'),
  },
  {
    name: 'a criterion newly met in between',
    iterations: [{}, {}, { met: [true, false] }, { met: [true, false] }, { met: [true, false] }],
    next: goesOn(6),
  },
  { name: 'two iterations without a change', iterations: [{ files: 0 }, { files: 0 }], next: goesOn(3) },
  {
    name: 'three iterations without a change',
    iterations: times(3, { files: 0 }),
    next: failed('no-change'),
  },
  {
    name: 'a change in between',
    iterations: [{ files: 0 }, { files: 0 }, {}, { files: 0 }],
    next: goesOn(5),
  },
]

for (const { name, iterations, next } of rows) {
  test(name, () => assert.deepEqual(decide(afterAll(iterations), 0), next))
}

test('a resume gives a stuck loop as many tries again', () => {
  const stuck = afterAll(times(5, {}))
  const resumed = evolve(stuck, recorded({ kind: 'loop.resumed', data: {} }, { seq: stuck.seq + 1 }))
  assert.deepEqual(decide(resumed, 0), goesOn(6))
})

const counts: [string, Iteration[], Partial<Spec>, number[]][] = [
  ['nothing better than the baseline', times(3, {}), {}, [1, 2, 3]],
  ['without a baseline the first has nothing to be worse than', times(3, {}), { baseline: false }, [0, 1, 2]],
  ['fewer failing tests each time', [3, 2, 1].map(n => ({ failing: [n, null] })), {}, [1, 0, 0]],
  ['fewer, then the same', [4, 2, 2, 2].map(n => ({ failing: [n, null] })), {}, [1, 0, 1, 2]],
  ['a criterion met, then lost again', [{ met: [true, false] }, {}, {}], {}, [0, 0, 1]],
]

for (const [name, iterations, given, expected] of counts) {
  test(`the stuck counter: ${name}`, () => {
    const counted = expected.map((_, i) => afterAll(iterations.slice(0, i + 1), begun(given)))
    assert.deepEqual(
      counted.map(({ judged }) => judged.unmetInRow),
      expected,
    )
  })
}

test('with --stuck-limit 1 a loop that improves goes on, and one that does not gives up', () => {
  const breakers = { stuck: 1, sameError: 3, sameFile: 5, noChange: 3, agentErrors: 3, promiseErrors: 3 }
  const baseline = verified(0, ...criteria.map(criterion => ({ ...criterion, failing: 3 })))
  const from = after(created({ ...noLimits, breakers }), baseline, taken('initial'))
  assert.deepEqual(decide(afterAll([{ failing: [2, 3] }], from), 0), goesOn(2))
  assert.deepEqual(decide(afterAll([{ failing: [3, 3] }], from), 0), failed('stuck'))
})
