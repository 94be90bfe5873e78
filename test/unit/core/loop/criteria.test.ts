/** Criteria: when one is met, what a human is asked, what is forbidden; each with the decision that follows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admit } from '../../../../src/core/loop/admit.ts'
import { criterionStates } from '../../../../src/core/loop/criteria.ts'
import { type Decision, decide } from '../../../../src/core/loop/decide.ts'
import type { State } from '../../../../src/core/loop/state.ts'
import { summarize } from '../../../../src/core/loop/summary.ts'
import type { Event } from '../../../../src/model/loop/event.ts'
import type { Criterion, Spec } from '../../../../src/model/loop/spec.ts'
import { nextSteps, reasonWords } from '../../../../src/views/words/message.ts'
import {
  after,
  aResult,
  at,
  created,
  ended,
  held,
  pass,
  shipped,
  taken,
  unjudged,
  verified,
  wholeIteration,
} from '../../../rig/given.ts'

const tests: Criterion = { name: 'npm test', command: 'npm test' }
const page: Criterion = { name: 'the page looks right', command: null, verification: 'observation' }
const guess: Criterion = { name: 'nobody minds', command: null, verification: 'assumption' }
const yes: Event = {
  kind: 'question.answered',
  data: { criterion: page.name, met: true, by: 'ada', text: '' },
}
const no: Event = {
  kind: 'question.answered',
  data: { criterion: page.name, met: false, by: 'ada', text: 'the button is too small' },
}
const asked: Event = { kind: 'question.asked', data: { criterion: page.name } }

function iterated(given: Partial<Spec>, verdict = pass): State {
  return after(at('boundary', given), ...wholeIteration(1, verdict))
}

const completed: Decision = { do: 'record', event: { kind: 'loop.completed', data: { ship: shipped } } }
const hold = (reason: Extract<Event, { kind: 'loop.held' }>['data']['reason']): Decision => ({
  do: 'record',
  event: { kind: 'loop.held', data: { reason } },
})
const next: Decision = {
  do: 'step',
  step: { kind: 'checkpoint', name: 'iter-002', since: 'tree-of-iter-001-after' },
}
/** A person was there, so it is unknown who changed the tree since the agent ended. */
const nextAfterPerson: Decision = { do: 'step', step: { kind: 'checkpoint', name: 'iter-002', since: null } }
const verifyAgain: Decision = { do: 'step', step: { kind: 'verify', iteration: 1 } }

test('a human is asked once the commands pass; yes is followed by a last verification, then the end', () => {
  const attended = { criteria: [tests, page], attended: true }
  assert.deepEqual(decide(iterated(attended, {}), 0), next, 'not before the commands pass')
  const passed = iterated(attended)
  assert.deepEqual(decide(passed, 0), { do: 'record', event: asked })
  const waiting = after(passed, asked)
  assert.deepEqual(decide(waiting, 0), { do: 'wait', until: Number.POSITIVE_INFINITY })
  assert.equal(summarize(waiting).status, 'waiting')
  assert.equal(summarize(waiting).question, page.name)
  const confirmed = after(waiting, yes)
  assert.deepEqual(decide(confirmed, 0), verifyAgain, 'what was verified before the answer may be old')
  assert.deepEqual(decide(after(confirmed, verified(1, pass)), 0), completed)
  assert.deepEqual(decide(after(confirmed, verified(1, {})), 0), nextAfterPerson, 'it passes no more')
})

test('no, with what is wrong, makes another iteration, which is told; then the human is asked again', () => {
  const waiting = after(iterated({ criteria: [tests, page], attended: true }), asked)
  const declined = after(waiting, no)
  assert.deepEqual(decide(declined, 0), nextAfterPerson)
  assert.deepEqual(declined.human.injected, [
    'ada has looked at "the page looks right" and says that it is not so: the button is too small',
  ])
  const again = after(declined, ...wholeIteration(2, pass))
  assert.deepEqual(decide(again, 0), { do: 'record', event: asked })
})

test('a confirmation of one tree does not count for another', () => {
  const confirmed = after(iterated({ criteria: [tests, page], attended: true }), asked, yes, verified(1, {}))
  const again = after(confirmed, ...wholeIteration(2, pass))
  assert.deepEqual(decide(again, 0), { do: 'record', event: asked })
})

test('if nobody can be asked the loop pauses, and an answer lets it go on', () => {
  const passed = after(iterated({ criteria: [tests, page] }), asked)
  assert.deepEqual(decide(passed, 0), hold('unanswered'))
  const paused = after(passed, held('unanswered'))
  assert.deepEqual(decide(paused, 0), { do: 'rest' })
  const admission = admit(paused, { kind: 'answer', by: 'ada', text: ' Yes ' })
  assert.deepEqual(admission, { ok: true, events: [yes] })
  const answered = after(paused, yes)
  assert.deepEqual(decide(answered, 0), { do: 'rest' }, 'until somebody resumes it')
  assert.deepEqual(decide(after(answered, { kind: 'loop.resumed', data: {} }), 0), verifyAgain)
})

test('in the background a question is waited for, and the answer alone lets it go on', () => {
  const inBackground: Event = { kind: 'loop.queued', data: { priority: 'normal' } }
  const begun = after(
    created({ criteria: [tests, page], attended: false }),
    inBackground,
    { kind: 'loop.dequeued', data: {} },
    verified(0, {}),
    taken('initial'),
    ...wholeIteration(1, pass),
    asked,
  )
  assert.deepEqual(decide(begun, 0), { do: 'wait', until: Number.POSITIVE_INFINITY })
  assert.deepEqual(decide(after(begun, yes), 0), verifyAgain)
})

test('an answer: yes and no in any case, anything else is what is wrong', () => {
  const waiting = after(iterated({ criteria: [tests, page], attended: true }), asked)
  const rows: [string, { met: boolean; text: string }][] = [
    ['y', { met: true, text: '' }],
    ['YES', { met: true, text: '' }],
    ['No', { met: false, text: '' }],
    ['n', { met: false, text: '' }],
    ['yes but', { met: false, text: 'yes but' }],
  ]
  for (const [text, expected] of rows) {
    const admission = admit(waiting, { kind: 'answer', by: 'ada', text })
    assert.ok(admission.ok)
    const [event] = admission.events
    assert.deepEqual(event, {
      kind: 'question.answered',
      data: { criterion: page.name, by: 'ada', ...expected },
    })
  }
  assert.deepEqual(admit(iterated({}), { kind: 'answer', by: 'ada', text: 'yes' }), {
    ok: false,
    because: { kind: 'nothing-asked' },
  })
})

test('a loop with an assumption never completes', () => {
  const passed = iterated({ criteria: [tests, guess] })
  assert.deepEqual(decide(passed, 0), hold('assumption'))
  const baseline = after(at('baseline', { criteria: [tests, guess] }), verified(0, pass))
  assert.notDeepEqual(decide(baseline, 0), completed)
})

test('a passing baseline does not end a loop that a human has to confirm', () => {
  const state = after(at('baseline', { criteria: [tests, page], attended: true }), verified(0, pass))
  assert.deepEqual(decide(state, 0), {
    do: 'step',
    step: { kind: 'checkpoint', name: 'initial', since: null },
  })
})

const forbid = [{ name: 'secrets', command: 'grep -r KEY .' }]
const found = (verdict: typeof pass, iteration = 1): Event => ({
  kind: 'promise.verified',
  data: {
    iteration,
    results: [aResult(pass)],
    mustNot: [aResult({ name: 'secrets', command: 'grep -r KEY .', ...verdict })],
  },
})

test('what must not be pauses at once, also when the promise holds, and is looked at again on resume', () => {
  const given = { mustNot: forbid }
  const settled = after(at('settled', given))
  assert.deepEqual(decide(after(settled, found({})), 0), completed)
  const bad = after(settled, found(pass))
  assert.deepEqual(decide(bad, 0), hold('must-not'))
  const paused = after(bad, held('must-not'))
  assert.equal(summarize(paused).detail, 'secrets (grep -r KEY .)')
  const resumed = after(paused, { kind: 'loop.resumed', data: {} })
  assert.deepEqual(decide(resumed, 0), verifyAgain)
  assert.deepEqual(decide(after(resumed, found(pass)), 0), hold('must-not'))
  assert.deepEqual(decide(after(resumed, found({})), 0), completed)
  assert.deepEqual(decide(after(at('baseline', given), found(pass, 0)), 0), hold('must-not'))
  const unrunnable = after(at('baseline', given), found(unjudged, 0))
  assert.deepEqual(decide(unrunnable, 0), {
    do: 'record',
    event: {
      kind: 'loop.failed',
      data: { reason: 'promise-unrunnable', ship: { verdict: 'RESEARCH', against: ['must-not'] } },
    },
  })
})

test('thrashing: a file edited too often in one run pauses, unless the promise holds', () => {
  const run = (times: number, verdict: typeof pass) =>
    after(at('boundary'), ...wholeIteration(1, verdict, ended(1, { edited: { path: 'a.ts', times } })))
  assert.deepEqual(decide(run(19, {}), 0), next, 'many edits of one file are an ordinary run')
  assert.deepEqual(decide(run(20, {}), 0), hold('thrashing'))
  assert.deepEqual(decide(run(20, pass), 0), completed)
  const paused = after(run(20, {}), held('thrashing'))
  assert.equal(summarize(paused).detail, 'a.ts 20 times')
  assert.deepEqual(decide(after(paused, { kind: 'loop.resumed', data: {} }), 0), nextAfterPerson)
})

test('each criterion says how it is known', () => {
  const state = iterated({ criteria: [tests, page, guess] })
  assert.deepEqual(
    criterionStates(after(state, asked, yes)).map(({ name, met, verification, why }) => [
      name,
      met,
      verification,
      why,
    ]),
    [
      ['npm test', true, 'execution output', 'exit 0'],
      ['the page looks right', true, 'observation', 'confirmed by ada'],
      ['nobody minds', false, 'assumption', 'an assumption: it can never be met'],
    ],
  )
})

test('a checkpoint that a person asks for: taken between the steps, and not while the promise runs', () => {
  const wanted: Event = { kind: 'checkpoint.requested', data: { name: 'mine' } }
  const step: Decision = { do: 'step', step: { kind: 'checkpoint', name: 'mine', since: null } }
  for (const stage of ['initial', 'boundary', 'saved', 'running', 'cleared'] as const) {
    const state = after(at(stage), wanted)
    assert.deepEqual(decide(state, 0), step, stage)
    const done = after(state, taken('mine'))
    assert.equal(done.work.stage, stage)
    assert.equal(done.work.iteration, state.work.iteration)
    assert.deepEqual(decide(done, 0), decide(at(stage), 0), stage)
    assert.deepEqual(
      decide(after(state, { kind: 'checkpoint.failed', data: { name: 'mine', why: 'x' } }), 0),
      decide(at(stage), 0),
    )
  }
  for (const stage of ['baseline', 'ended', 'settled'] as const) {
    assert.deepEqual(decide(after(at(stage), wanted), 0), decide(at(stage), 0), stage)
  }
  const over = after(iterated({}), { kind: 'loop.completed', data: { ship: shipped } }, wanted)
  assert.deepEqual(decide(over, 0), step)
})

test('the name of a checkpoint: made, or refused with the reason', () => {
  const state = at('boundary')
  const name = (wanted: string | null, given = state) => admit(given, { kind: 'checkpoint', name: wanted })
  const named = (made: string) => ({
    ok: true,
    events: [{ kind: 'checkpoint.requested', data: { name: made } }],
  })
  assert.deepEqual(name(null), named('mark-1'))
  const marked = after(state, { kind: 'checkpoint.requested', data: { name: 'mark-1' } }, taken('mark-1'))
  assert.deepEqual(name(null, marked), named('mark-2'))
  assert.deepEqual(name('before-rewrite'), named('before-rewrite'))
  const refused = (because: object) => ({ ok: false, because })
  for (const ours of ['initial', 'iter-002', '7'])
    assert.deepEqual(name(ours), refused({ kind: 'checkpoint-name-reserved', name: ours }))
  for (const bad of ['../x', 'a b', '_wip', '__proto__', 'a..b', 'a.lock', 'a.', 'x'.repeat(65)])
    assert.deepEqual(name(bad), refused({ kind: 'checkpoint-name-unfit' }), bad)
  assert.deepEqual(name('mark-1', marked), refused({ kind: 'checkpoint-name-taken', name: 'mark-1' }))
})

test('while a loop rests, the answer to a question asks the next one', () => {
  const shop: Criterion = { name: 'the shop looks right', command: null, verification: 'observation' }
  const paused = after(iterated({ criteria: [tests, page, shop] }), asked, held('unanswered'))
  const admission = admit(paused, { kind: 'answer', by: 'ada', text: 'yes' })
  const then: Event = { kind: 'question.asked', data: { criterion: shop.name } }
  assert.deepEqual(admission, { ok: true, events: [yes, then] })
  const answered = after(paused, yes)
  assert.deepEqual(
    [reasonWords(summarize(answered), 0), nextSteps(summarize(answered))],
    ['a human has answered; it waits to be resumed', ['loop resume a1b2c3']],
  )
})
