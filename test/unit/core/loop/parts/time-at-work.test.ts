/** The working time of a loop without its rests: in the fold, and as a person and a script see it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evolve } from '../../../../../src/core/loop/evolve.ts'
import type { State } from '../../../../../src/core/loop/state.ts'
import { summarize } from '../../../../../src/core/loop/summary.ts'
import { rowJson } from '../../../../../src/documents/loop.ts'
import type { Event, Recorded } from '../../../../../src/model/loop/event.ts'
import { detail } from '../../../../../src/views/faces/detail.ts'
import {
  at,
  created,
  createdAt,
  ended,
  held,
  launched,
  recorded,
  shipped,
  started,
} from '../../../../rig/given.ts'

const hour = 3_600_000

/** Applies each event so many milliseconds after the one before it. */
function later(state: State, ...steps: [number, Event, Partial<Recorded>?][]): State {
  return steps.reduce(
    (now, [ms, event, given]) =>
      evolve(now, recorded(event, { seq: now.seq + 1, at: now.lastAt + ms, ...given })),
    state,
  )
}

const resumed: Event = { kind: 'loop.resumed', data: {} }
const limited: Event = { kind: 'wait.started', data: { for: 'usage-limit', until: 0 } }
const done: Event = { kind: 'loop.completed', data: { ship: shipped } }

test('rests of a loop are no working time', () => {
  const begun = at('boundary')
  const rows: [string, [number, Event][], number][] = [
    [
      'paused',
      [
        [5_000, held()],
        [hour, resumed],
        [2_000, done],
      ],
      7_000,
    ],
    [
      'waiting for a usage limit',
      [
        [3_000, limited],
        [hour, { kind: 'wait.ended', data: {} }],
        [1_000, done],
      ],
      4_000,
    ],
    [
      'asked a human',
      [
        [3_000, { kind: 'question.asked', data: { criterion: 'x' } }],
        [hour, done],
      ],
      3_000,
    ],
    [
      'ended and resumed',
      [
        [1_000, done],
        [hour, resumed],
        [1_000, done],
      ],
      2_000,
    ],
    [
      'queued',
      [
        [1_000, { kind: 'loop.queued', data: { priority: 'normal' } }],
        [hour, { kind: 'loop.dequeued', data: {} }],
      ],
      1_000,
    ],
    [
      'a clock put back',
      [
        [4_000, limited],
        [-hour, { kind: 'wait.ended', data: {} }],
        [-hour, done],
      ],
      4_000,
    ],
  ]
  for (const [name, steps, activeMs] of rows) {
    const state = later(begun, ...steps)
    assert.equal(state.activeMs - begun.activeMs, activeMs, name)
  }
})

test('a host that died has worked until its last word; its agent as long as its run took', () => {
  const running = later(at('saved'), [0, started(1)], [0, launched(1)])
  const over = (durationMs: number) =>
    later(running, [hour, ended(1, { durationMs }), { epoch: 2 }]).activeMs - running.activeMs
  assert.equal(over(60_000), 60_000)
  assert.equal(over(2 * hour), hour, 'never more than has passed')
  const boundary = at('boundary')
  assert.equal(later(boundary, [hour, done, { epoch: 2 }]).activeMs, boundary.activeMs)
})

test('status shows both where they differ, and counts on while it works', () => {
  const paused = summarize(later(created(), [5_000, held()]))
  const elapsed = (orphaned: boolean, summary = paused, now = createdAt + hour) =>
    detail({ summary, orphaned }, now).find(line => line.startsWith('  elapsed'))
  assert.equal(elapsed(false), '  elapsed     5.0s (1h with its rests)')
  const { elapsedMs, totalMs } = rowJson({ summary: paused, orphaned: false }, createdAt + hour)
  assert.deepEqual([elapsedMs, totalMs], [5_000, hour])
  const running = summarize(later(created(), [5_000, held()], [0, resumed]))
  assert.equal(elapsed(false, running), '  elapsed     1h')
  assert.equal(elapsed(true, running), '  elapsed     5.0s (1h with its rests)')
})
