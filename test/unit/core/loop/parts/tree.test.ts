/** Protected files: the tree they are compared with, who changed them, and what a person accepts by a resume. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admit } from '../../../../../src/core/loop/admit.ts'
import { type Decision, decide } from '../../../../../src/core/loop/decide.ts'
import type { State } from '../../../../../src/core/loop/state.ts'
import { summarize } from '../../../../../src/core/loop/summary.ts'
import type { Event } from '../../../../../src/model/loop/event.ts'
import type { Spec } from '../../../../../src/model/loop/spec.ts'
import { nextSteps, reasonWords } from '../../../../../src/views/words/message.ts'
import {
  after,
  aResult,
  broken,
  but,
  cleared,
  created,
  ended,
  held,
  pass,
  shipped,
  started,
  taken,
  unready,
  verified,
  wholeIteration,
} from '../../../../rig/given.ts'

const spec: Partial<Spec> = { protect: ['test/**'] }
const file = 'test/cart.test.js'
const changes = { added: 1, removed: 1, files: 1 }
const resumed: Event = { kind: 'loop.resumed', data: {} }
const touching = (name: string) => taken(name, { changes, paths: [file], touched: [file] })
const step = (name: string, since: string | null = null): Decision => ({
  do: 'step',
  step: { kind: 'checkpoint', name, since },
})
const verify = (iteration: number): Decision => ({ do: 'step', step: { kind: 'verify', iteration } })
const hold: Decision = { do: 'record', event: held('protected-changed') }
const completed: Decision = { do: 'record', event: { kind: 'loop.completed', data: { ship: shipped } } }

/** A protected loop with a clean baseline, up to the end of the agent in its first iteration. */
function cleaned(given: Partial<Spec> = {}): State {
  const baseline = [taken('iter-000'), taken('iter-000-verified'), verified(0, {}), taken('initial')]
  const run = [taken('iter-001'), started(1), ended(1), cleared(1)]
  return after(created({ ...spec, ...given }), ...baseline, ...run)
}

/** The state after the first iteration: the agent's checkpoint, the promise's checkpoint, and the verdict. */
function judged(left: Event, verdict: typeof pass, given: Partial<Spec> = {}): State {
  return after(cleaned(given), taken('iter-001-after'), left, verified(1, verdict))
}

test('the tree is saved before the baseline; without protected files it is not', () => {
  assert.deepEqual(decide(created(spec), 0), step('iter-000'))
  assert.deepEqual(decide(after(created(spec), taken('iter-000')), 0), verify(0))
  assert.deepEqual(decide(created(), 0), verify(0))
  assert.deepEqual(decide(created({ ...spec, baseline: false }), 0), step('initial'))
})

test('a promise that changes a protected file pauses the loop, whether it passes or not, and is named', () => {
  for (const verdict of [pass, {}]) {
    const state = judged(touching('iter-001-verified'), verdict)
    assert.deepEqual(decide(state, 0), hold)
    const paused = summarize(after(state, held('protected-changed')))
    assert.equal(
      reasonWords(paused, 0),
      'protected files were changed: test/cart.test.js (by the promise, not by the agent)',
    )
    assert.deepEqual(nextSteps(paused), [
      'loop diff a1b2c3 1..iter-001-verified',
      'To take it back: loop rollback a1b2c3 1. To accept it: loop resume a1b2c3',
    ])
  }
  assert.deepEqual(decide(judged(taken('iter-001-verified'), pass), 0), completed)
})

test('a changed protected file pauses before every limit, also where the agent changed it', () => {
  const left = after(cleaned({ maxIterations: 1 }), touching('iter-001-after'))
  const state = after(left, touching('iter-001-verified'), verified(1, {}))
  assert.deepEqual(decide(state, 0), hold)
  assert.equal(summarize(after(state, held('protected-changed'))).detail, file)
})

test('a baseline that changes a protected file pauses before the first agent, also when it passes', () => {
  for (const verdict of [pass, {}]) {
    const state = after(created(spec), taken('iter-000'), touching('iter-000-verified'), verified(0, verdict))
    assert.deepEqual(decide(state, 0), hold)
    const paused = after(state, held('protected-changed'))
    assert.match(
      nextSteps(summarize(paused)).join('\n'),
      /loop diff a1b2c3 0\.\.iter-000-verified\n.*rollback a1b2c3 0\./,
    )
    const accepting = after(paused, resumed)
    assert.deepEqual(decide(accepting, 0), step('iter-000-accepted'))
    const same = after(accepting, taken('iter-000-accepted', { tree: 'tree-of-iter-000-verified' }))
    assert.deepEqual(decide(same, 0), verdict === pass ? completed : step('initial'))
    const mended = after(accepting, taken('iter-000-accepted'))
    assert.deepEqual(decide(mended, 0), verify(0), 'the verdict was about another tree')
  }
})

test('a resume accepts the change; if a person reverted it by hand the promise runs again', () => {
  const paused = after(judged(touching('iter-001-verified'), pass), held('protected-changed'), resumed)
  assert.deepEqual(decide(paused, 0), step('iter-001-accepted'))
  const same = after(paused, taken('iter-001-accepted', { tree: 'tree-of-iter-001-verified' }))
  assert.deepEqual(decide(same, 0), completed)
  const mended = after(paused, taken('iter-001-accepted', { tree: 'other' }))
  assert.deepEqual(decide(mended, 0), verify(1))
  assert.equal(mended.tree.reference, 'other', 'from here on it is compared with what they left')
  assert.deepEqual(decide(after(mended, touching('iter-001-verified'), verified(1, pass)), 0), hold)
})

test('a verification after a yes of a human is compared as well, with the tree the human left', () => {
  const criteria = [
    { name: 'npm test', command: 'npm test' },
    { name: 'looks right', command: null },
  ]
  const passed = judged(taken('iter-001-verified'), pass, { criteria, attended: true })
  const asked = after(passed, { kind: 'question.asked', data: { criterion: 'looks right' } })
  const yes: Event = {
    kind: 'question.answered',
    data: { criterion: 'looks right', met: true, by: 'ada', text: '' },
  }
  assert.deepEqual(decide(after(asked, yes), 0), step('iter-001-accepted'))
  const saved = after(asked, yes, taken('iter-001-accepted'))
  assert.deepEqual(decide(saved, 0), verify(1))
  assert.deepEqual(decide(after(saved, touching('iter-001-verified'), verified(1, pass)), 0), hold)
  assert.deepEqual(decide(after(saved, taken('iter-001-verified'), verified(1, pass)), 0), completed)
})

test('a change that a person was not told of is not accepted by a resume', () => {
  const touched = judged(touching('iter-001-verified'), pass)
  const forbidden = but(touched, { judged: { mustNot: [aResult(pass)] } })
  const unseen: [string, State][] = [
    ['paused by the user', after(touched, held('paused-by-user'), resumed)],
    ['a limit raised while it runs', after(touched, resumed)],
    ['cancelled', after(touched, { kind: 'loop.cancelled', data: { ship: unready } }, resumed)],
    ['a step failed', after(touched, broken, held('step-failed'), resumed)],
  ]
  for (const [name, state] of unseen) {
    assert.deepEqual(decide(state, 0), hold, name)
    assert.equal(state.tree.reference, 'tree-of-iter-000', name)
  }
  const again = after(forbidden, held('must-not'), resumed)
  assert.deepEqual(decide(again, 0), verify(1))
  assert.deepEqual(decide(after(again, touching('iter-001-verified'), verified(1, pass)), 0), hold)
})

test('a pause for something else: what the person changed meanwhile is theirs', () => {
  const state = judged(taken('iter-001-verified'), {})
  const edited = after(state, held('paused-by-user'), resumed, taken('iter-002'))
  assert.equal(edited.tree.reference, 'tree-of-iter-002')
  const crashed = after(state, { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } })
  const restarted = after(crashed, { kind: 'loop.queued', data: { priority: 'normal', restart: true } })
  assert.equal(restarted.tree.reference, 'tree-of-iter-000', 'loopd accepts nothing')
})

test('the reference stays what the loop began with, however many iterations there are', () => {
  const second = after(judged(taken('iter-001-verified'), {}), ...wholeIteration(2).slice(0, -1))
  assert.equal(second.tree.reference, 'tree-of-iter-000')
  const plain = after(created({ ...spec, baseline: false }), taken('initial'), taken('iter-001'))
  assert.equal(plain.tree.reference, 'tree-of-initial')
})

test('the last iteration is used up: a change can be accepted where the promise passes, else the limit is raised', () => {
  const at = (verdict: typeof pass) =>
    after(judged(touching('iter-001-verified'), verdict, { maxIterations: 1 }), held('protected-changed'))
  assert.ok(admit(at(pass), { kind: 'resume' }).ok)
  assert.deepEqual(admit(at({}), { kind: 'resume' }), {
    ok: false,
    because: {
      kind: 'limits-used-up',
      iterations: 1,
      costUsd: null,
      budgetUsd: 25,
      raise: { maxIterations: 11 },
    },
  })
})

test('names that loop uses itself are not given to others', () => {
  for (const name of ['iter-000', 'iter-001-verified', 'iter-001-accepted']) {
    const admission = admit(cleaned(), { kind: 'checkpoint', name })
    assert.deepEqual(admission, { ok: false, because: { kind: 'checkpoint-name-reserved', name } })
  }
})

test('sending a suspect loop back accepts nothing: it is compared with the same tree as before', () => {
  const before = judged(taken('iter-001-verified'), pass)
  const answered = (met: boolean): Event => ({
    kind: 'question.answered',
    data: { criterion: 'x', met, by: 'you', text: '', suspect: true },
  })
  assert.notEqual(before.tree.reference, null)
  assert.equal(after(before, answered(false)).tree.reference, before.tree.reference)
  assert.equal(after(before, answered(true)).tree.reference, null)
})
