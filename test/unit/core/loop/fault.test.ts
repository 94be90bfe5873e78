/** Runs that count as agent errors: at their end, or once it is known what they have left behind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '../../../../src/core/loop/decide.ts'
import { endWords, timedOut } from '../../../../src/core/loop/fault.ts'
import type { State } from '../../../../src/core/loop/state.ts'
import { summarize } from '../../../../src/core/loop/summary.ts'
import type { CriterionResult, Event, EventOf } from '../../../../src/model/loop/event.ts'
import type { Spec } from '../../../../src/model/loop/spec.ts'
import {
  after,
  at,
  cleared,
  created,
  ended,
  lost,
  noBytes,
  pass,
  started,
  taken,
  unjudged,
  unready,
  verified,
} from '../../../rig/given.ts'

type Ending = Partial<EventOf<'run.ended'>['data']>
type Iteration = { end: Ending | null; files: number | null; verdict?: Partial<CriterionResult> }

const begun = (given: Partial<Spec> = {}) =>
  after(created({ maxIterations: null, ...given }), verified(0, { failing: 4 }), taken('initial'))

function through(iterations: Iteration[], from = begun()): State {
  return iterations.reduce((state, { end, files, verdict = { failing: 4 } }, i) => {
    const n = i + 1
    const changes = files === null ? null : { added: files, removed: 0, files }
    const name = `iter-00${n}`
    const left = taken(`${name}-after`, { changes, ...(files === null && { tree: null }) })
    const events: Event[] = [taken(name), started(n), end ? ended(n, end) : lost(n), cleared(n), left]
    return after(state, ...events, verified(n, verdict))
  }, from)
}

const timeout: Ending = { how: 'timeout', exitCode: 143 }
const idle: Ending = { how: 'idle', exitCode: 143 }
const exit7: Ending = { exitCode: 7 }
const better = { failing: 3 }

const rows: [string, Iteration, number][] = [
  ['a timeout with nothing done', { end: timeout, files: 0 }, 1],
  ['a timeout after a change', { end: timeout, files: 1 }, 0],
  ['a timeout with fewer failing tests', { end: timeout, files: 0, verdict: better }, 0],
  ['a timeout after which the promise holds', { end: timeout, files: 0, verdict: pass }, 0],
  ['a timeout, and the promise could not be judged', { end: timeout, files: 0, verdict: unjudged }, 1],
  ['a timeout, changes not known', { end: timeout, files: null }, 1],
  ['a timeout, changes not known, fewer failing', { end: timeout, files: null, verdict: better }, 0],
  ['an agent stopped on its last words by its timeout', { end: { ...timeout, failed: 'cut' }, files: 1 }, 0],
  ['an idle timeout with nothing done', { end: idle, files: 0 }, 1],
  ['an idle timeout after a change', { end: idle, files: 2 }, 0],
  ['a failing agent with nothing done', { end: exit7, files: 0 }, 1],
  ['a failing agent after a change', { end: exit7, files: 1 }, 0],
  ['a failing agent with fewer failing tests', { end: exit7, files: 0, verdict: better }, 0],
  ['a failing agent, changes not known', { end: exit7, files: null }, 0],
  ['an agent that did nothing', { end: {}, files: 0 }, 0],
  ['an agent that was stopped', { end: { how: 'stopped', exitCode: 143 }, files: 0 }, 0],
  ['a killed agent, whatever it changed', { end: { how: 'killed', exitCode: 137 }, files: 1 }, 1],
  ['a lost run, whatever it changed', { end: null, files: 1 }, 1],
  ['an agent that failed by its own word', { end: { failed: 'no' }, files: 1 }, 1],
]

for (const [name, iteration, expected] of rows) {
  test(`${name}: ${expected === 0 ? 'no error' : 'an error'}`, () => {
    const state = through([{ end: { how: 'killed' }, files: 0 }, iteration])
    assert.equal(state.limits.agentErrorsInRow, expected === 0 ? 0 : 2)
  })
}

test('nothing is counted before it is known what the run has left behind', () => {
  const open = after(at('running'), ended(1, timeout))
  const left = taken('iter-001-after', { changes: { added: 0, removed: 0, files: 0 } })
  const settled = after(open, cleared(1), left)
  assert.deepEqual(
    [open, settled].map(({ limits }) => limits.agentErrorsInRow),
    [0, 0],
  )
  assert.equal(after(settled, verified(1, {})).limits.agentErrorsInRow, 1)
})

test('a run is counted once, also when its iteration is verified again', () => {
  const once = through([{ end: timeout, files: 0 }])
  assert.equal(after(once, verified(1, {})).limits.agentErrorsInRow, 1)
})

test('4 → 3 → 2 → 1 failing, each at its timeout: the loop goes on', () => {
  const state = through([3, 2, 1].map(failing => ({ end: timeout, files: 1, verdict: { failing } })))
  const next = { kind: 'checkpoint', name: 'iter-004', since: 'tree-of-iter-003-after' }
  assert.deepEqual(decide(state, 0), { do: 'step', step: next })
})

test('three timeouts with nothing done: crashed', () => {
  const row = [1, 2, 3].map((): Iteration => ({ end: timeout, files: 0 }))
  const crash: Event = { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } }
  const state = through(row)
  assert.deepEqual(decide(state, 0), { do: 'record', event: crash })
  const { detail, timedOut: limits } = summarize(after(state, crash))
  assert.deepEqual([detail, limits], ['timed out after 1m 30s, with nothing done', { timeout: 90_000 }])
})

test('an agent that fails three times is called that, not lazy', () => {
  const err = { ...noBytes, tail: 'loading\nboom\n' }
  const row = [1, 2, 3].map((): Iteration => ({ end: { ...exit7, err }, files: 0 }))
  const state = through(row)
  assert.deepEqual(decide(state, 0), {
    do: 'record',
    event: { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } },
  })
  assert.equal(endWords(state), 'exit 7: boom')
})

test('how a run ended, in words', () => {
  const words = (end: Ending, given: Partial<Spec> = {}) =>
    endWords(after(at('running', given), ended(1, end)))
  const out = { ...noBytes, tail: 'one\ntwo\n' }
  assert.equal(words({ exitCode: 7 }), 'exit 7')
  assert.equal(words({ exitCode: 7, out }), 'exit 7: two')
  assert.equal(words({ exitCode: 7, out, said: 'I give\nup' }), 'exit 7: up')
  assert.equal(words({ how: 'unstartable', exitCode: 127, err: out }), 'unstartable, exit 127: two')
  assert.equal(
    words({ how: 'flooded', exitCode: 143, out }, { maxOutputBytes: 1_000_000 }),
    'printed more than 1.0 MB (--max-output)',
  )
  assert.equal(words({ failed: 'no model' }), 'no model')
  assert.equal(words(idle, { idleTimeoutMs: 120_000 }), 'printed nothing for 2m, and nothing got better')
  assert.equal(
    words({ exitCode: 7, err: { ...noBytes, tail: 'x'.repeat(500) } }).length,
    'exit 7: '.length + 200,
  )
  assert.equal(endWords(at('saved')), '')
})

test('which time limits were run into', () => {
  const run = after(at('running', { idleTimeoutMs: 5_000 }), ended(1, idle))
  assert.deepEqual(timedOut(run), { 'idle-timeout': 5_000 })
  const late = after(created(), verified(0, { ...unjudged, timedOut: true }))
  assert.deepEqual(timedOut(late), { 'verify-timeout': 45_000 })
  assert.deepEqual(timedOut(at('settled')), {})
})

test('where another limit comes first, the agent that failed is named too', () => {
  const limit: Event = { kind: 'loop.failed', data: { reason: 'iteration-limit', ship: unready } }
  const failing = after(through([{ end: exit7, files: 0 }]), limit)
  assert.equal(summarize(failing).detail, 'exit 7')
  assert.equal(summarize(after(through([{ end: {}, files: 0 }]), limit)).detail, '')
})
