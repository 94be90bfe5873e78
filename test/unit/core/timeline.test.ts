/** The timeline of a loop: journals as recorded, and the segments that a person would draw from them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creation } from '../../../src/core/loop/assess/assess.ts'
import { copySegments, type Segment, timelineOf } from '../../../src/core/timeline.ts'
import type { GroupEvent } from '../../../src/model/group/event.ts'
import type { Event, Recorded } from '../../../src/model/loop/event.ts'
import { aResult, aSpec, noBytes, pass, recorded, shipped, unready } from '../../rig/given.ts'
import { recordedOf } from '../../rig/given-group.ts'

/** Events, each so many seconds after the beginning. */
function journal(...events: [second: number, event: Event][]): Recorded[] {
  return events.map(([second, event], i) => recorded(event, { seq: i + 1, at: second * 1_000 }))
}

/** `agent 1-4`, `verify 4-…`: in seconds, open ends as dots. */
function drawn(segments: readonly Segment[]): string[] {
  return segments.map(
    ({ kind, begin, end, what }) => `${kind} ${what} ${begin / 1_000}-${end === null ? '…' : end / 1_000}`,
  )
}

const created: Event = creation(aSpec())

function verified(iteration: number, durationMs: number, failing: number | null): Event {
  const result = aResult({ durationMs, failing, ...(failing === 0 && pass) })
  return { kind: 'promise.verified', data: { iteration, results: [result] } }
}

function saved(name: string, durationMs: number): Event {
  return { kind: 'checkpoint.taken', data: { name, tree: 't', durationMs, skipped: [], changes: null } }
}

const started: Event = {
  kind: 'run.started',
  data: { run: 1, iteration: 1, dir: 'runs/1', boot: 'b', prompt: noBytes },
}

const ended: Event = {
  kind: 'run.ended',
  data: {
    run: 1,
    how: 'exited',
    exitCode: 0,
    durationMs: 3_000,
    out: noBytes,
    err: noBytes,
    costUsd: null,
  },
}

test('an iteration is a checkpoint, the agent, a checkpoint and the promise, one after the other', () => {
  const rows = timelineOf(
    journal(
      [0, created],
      [2, verified(0, 1_500, 4)],
      [3, saved('initial', 1_000)],
      [4, saved('iter-001', 500)],
      [4, started],
      [10, ended],
      [11, saved('iter-001-after', 250)],
      [13, verified(1, 2_000, 0)],
      [13, { kind: 'loop.completed', data: { ship: shipped } }],
    ),
  )
  assert.deepEqual(
    rows.map(({ n, verdict, failing }) => [n, verdict, failing]),
    [
      [0, 'FAIL', 4],
      [1, 'PASS', 0],
    ],
  )
  assert.deepEqual(drawn(rows[0]?.segments ?? []), ['verify FAIL 0.5-2', 'checkpoint initial 2-3'])
  assert.deepEqual(drawn(rows[1]?.segments ?? []), [
    'checkpoint iter-001 3.5-4',
    'agent custom 4-10',
    'checkpoint iter-001-after 10.75-11',
    'verify PASS 11-13',
  ])
})

test('what is under way has no end: the queue, the baseline, an agent, the promise, a pause, a question', () => {
  const to = (...events: [number, Event][]) =>
    drawn(timelineOf(journal([0, created], ...events)).at(-1)?.segments ?? [])
  assert.deepEqual(to(), ['verify  0-…'])
  assert.deepEqual(to([1, { kind: 'loop.queued', data: { priority: 'normal' } }]), ['wait queued 1-…'])
  assert.deepEqual(to([1, saved('iter-001', 0)], [2, started]), [
    'checkpoint iter-001 1-1',
    'agent custom 2-…',
  ])
  const after: [number, Event][] = [
    [1, saved('iter-001', 0)],
    [2, started],
    [5, ended],
    [6, saved('iter-001-after', 0)],
  ]
  assert.equal(to(...after).at(-1), 'verify  6-…')
  const judged: [number, Event][] = [...after, [8, verified(1, 2_000, 3)]]
  assert.equal(
    to(...judged, [8, { kind: 'loop.held', data: { reason: 'paused-by-user' } }]).at(-1),
    'wait paused 8-…',
  )
  assert.equal(
    to(...judged, [8, { kind: 'question.asked', data: { criterion: 'x' } }]).at(-1),
    'wait question 8-…',
  )
})

test('a wait ends when the loop goes on: after a limit, a pause, an answer, its turn', () => {
  const rows = timelineOf(
    journal(
      [0, created],
      [0, { kind: 'loop.queued', data: { priority: 'normal' } }],
      [5, { kind: 'loop.dequeued', data: {} }],
      [6, verified(0, 500, null)],
      [6, saved('iter-001', 0)],
      [6, started],
      [7, ended],
      [7, { kind: 'wait.started', data: { for: 'usage-limit', until: 60_000 } }],
      [60, { kind: 'wait.ended', data: {} }],
      [60, { kind: 'loop.held', data: { reason: 'paused-by-user' } }],
      [90, { kind: 'loop.resumed', data: {} }],
      [90, { kind: 'loop.cancelled', data: { ship: unready } }],
    ),
  )
  assert.deepEqual(drawn(rows[0]?.segments ?? []), ['wait queued 0-5', 'verify FAIL 5.5-6'])
  assert.deepEqual(drawn(rows[1]?.segments ?? []).slice(2), ['wait usage-limit 7-60', 'wait paused 60-90'])
  assert.ok(rows.every(({ segments }) => segments.every(({ end }) => end !== null)))
})

test('the copies of a group stand by their nodes, each as long as it took, also one that was made again', () => {
  const made = (node: string, durationMs: number): GroupEvent => ({
    kind: 'copy.made',
    data: { node, attempt: 1, path: '/copy', base: 't', how: 'reflink', durationMs, mounts: null },
  })
  const events = [made('one', 2_000), made('two', 500), made('one', 1_000)].map((event, i) =>
    recordedOf(event, { seq: i + 1, at: (i + 3) * 1_000 }),
  )
  const shown = Array.from(copySegments(events), ([node, copies]) => [node, drawn(copies)])
  assert.deepEqual(shown, [
    ['one', ['copy reflink 1-3', 'copy reflink 4-5']],
    ['two', ['copy reflink 3.5-4']],
  ])
})
