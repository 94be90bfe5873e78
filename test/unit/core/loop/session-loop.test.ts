/** A loop whose work is done in a session: it waits for a claim, judges it like any iteration, and starts no agent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide } from '../../../../src/core/loop/decide.ts'
import type { State } from '../../../../src/core/loop/state.ts'
import { needsHost, summarize } from '../../../../src/core/loop/summary.ts'
import type { Event } from '../../../../src/model/loop/event.ts'
import { after, created, held, pass, taken, verified } from '../../../rig/given.ts'

const claimed: Event = { kind: 'session.claimed', data: { session: 's1' } }
const waiting = after(
  created({ session: { run: null } }),
  verified(0, {}),
  taken('initial'),
  taken('iter-001'),
)

function next(state: State): string {
  const decision = decide(state, state.lastAt)
  if (decision.do === 'record') return decision.event.kind
  if (decision.do !== 'step') return decision.do
  return decision.step.kind === 'checkpoint' ? `checkpoint ${decision.step.name}` : decision.step.kind
}

test('it waits for its session, needs no host, and holds its tree', () => {
  assert.equal(next(waiting), 'rest')
  const summary = summarize(waiting)
  assert.deepEqual([summary.status, needsHost(summary), summary.holdsTree], ['running', false, true])
})

test('a claim is saved and judged: complete, or the next iteration waits for the next claim', () => {
  const saving = after(waiting, claimed)
  assert.equal(next(saving), 'checkpoint iter-001-after')
  const judging = after(saving, taken('iter-001-after'))
  assert.equal(next(judging), 'verify')
  assert.equal(next(after(judging, verified(1, pass))), 'loop.completed')
  const failed = after(judging, verified(1, {}))
  assert.equal(next(failed), 'checkpoint iter-002')
  assert.equal(next(after(failed, taken('iter-002'))), 'rest')
})

test('a claim about another command, or for what only a human can say, completes nothing', () => {
  const judged = (...results: Parameters<typeof verified>[1][]) =>
    next(after(waiting, claimed, taken('iter-001-after'), verified(1, ...results)))
  assert.equal(judged({ ...pass, command: 'true' }), 'checkpoint iter-002')
  const criteria = [
    { name: 'npm test', command: 'npm test' },
    { name: 'looks right', command: null },
  ]
  const human = after(
    created({ session: { run: null }, criteria }),
    verified(0, {}),
    taken('initial'),
    taken('iter-001'),
  )
  assert.equal(next(after(human, claimed, taken('iter-001-after'), verified(1, pass))), 'question.asked')
})

test('a claim while another is judged changes nothing; what its user said goes with the claim', () => {
  const judging = after(waiting, claimed, taken('iter-001-after'))
  assert.equal(after(judging, claimed).work.stage, 'settled')
  const told = after(waiting, { kind: 'context.injected', data: { text: 'x' } })
  assert.deepEqual([told.human.injected, after(told, claimed).human.injected], [['x'], []])
})

test('let go, it is paused, and goes on where it was when resumed', () => {
  const paused = after(waiting, held('session-stuck'))
  assert.deepEqual([summarize(paused).status, next(paused)], ['paused', 'rest'])
  const resumed = after(paused, { kind: 'loop.resumed', data: {} })
  assert.deepEqual([summarize(resumed).status, next(resumed)], ['running', 'rest'])
})
