/** Given a state and a command: the events that follow, or the facts of a refusal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Admission, admit } from '../../../../src/core/loop/admit.ts'
import { criterionStates } from '../../../../src/core/loop/criteria.ts'
import { decide } from '../../../../src/core/loop/decide.ts'
import type { State } from '../../../../src/core/loop/state.ts'
import { summarize } from '../../../../src/core/loop/summary.ts'
import type { RefusalFacts } from '../../../../src/failures/refusal.ts'
import type { Event } from '../../../../src/model/loop/event.ts'
import {
  after,
  at,
  broken,
  cancelled,
  created,
  ended,
  held,
  pass,
  shipped,
  stages,
  survived,
  unready,
  verified,
  wholeIteration,
} from '../../../rig/given.ts'

const yes = (...events: Event[]): Admission => ({ ok: true, events })
const no = (because: RefusalFacts): Admission => ({ ok: false, because })
const hasEnded = (outcome: string) => no({ kind: 'has-ended', outcome })
const pause = { kind: 'pause' } as const
const resume = { kind: 'resume' } as const
const cancel = { kind: 'cancel' } as const
const resumed = (maxIterations: number | null, budgetUsd: number | null): Event => ({
  kind: 'loop.resumed',
  data: { maxIterations, budgetUsd },
})

const done = after(created(), verified(0, pass), { kind: 'loop.completed', data: { ship: shipped } })
const gone = after(at('running'), cancelled, { kind: 'loop.cancelled', data: { ship: unready } })
const crashed = after(at('boundary'), {
  kind: 'loop.crashed',
  data: { reason: 'agent-errors', ship: unready },
})
const used: State = after(at('boundary', { maxIterations: 1 }), ...wholeIteration(1), {
  kind: 'loop.failed',
  data: { reason: 'iteration-limit', ship: unready },
})
const poor: State = after(
  at('boundary', { budgetUsd: 2 }),
  ...wholeIteration(1, {}, ended(1, { costUsd: 2.5 })),
  held('budget-reached'),
)

test('pause: while it goes on, once', () => {
  for (const stage of stages) assert.deepEqual(admit(at(stage), pause), yes(held('paused-by-user')))
  assert.deepEqual(admit(after(at('running'), held()), pause), no({ kind: 'pauses-already' }))
  assert.deepEqual(admit(after(at('boundary'), held()), pause), no({ kind: 'already-paused' }))
  assert.deepEqual(admit(done, pause), hasEnded('completed'))
  assert.deepEqual(admit(gone, pause), hasEnded('cancelled'))
})

test('a command of an agent is recorded as one of the agent', () => {
  const told: Event = { kind: 'context.injected', data: { text: 'x', by: 'agent' } }
  assert.deepEqual(admit(at('running'), { kind: 'inject', text: 'x', by: 'agent' }), yes(told))
  const state = after(at('running'), told, { kind: 'context.injected', data: { text: 'y' } })
  assert.deepEqual(state.human.injected, [{ by: 'agent', text: 'x' }, 'y'])
  assert.deepEqual(admit(at('running'), { kind: 'pause', by: 'agent' }), yes(held('paused-by-agent')))
  const inSession: Event = { kind: 'cancel.requested', data: { by: 'session' } }
  assert.deepEqual(admit(at('running'), { kind: 'cancel', by: 'session' }), yes(inSession))
  const over = after(at('running'), inSession, { kind: 'loop.cancelled', data: { ship: unready } })
  assert.deepEqual(summarize(over).detail, 'inside a session')
  assert.deepEqual(summarize(gone).detail, '')
})

test('cancel: at any time before the end, paused or not; journal order wins', () => {
  for (const stage of stages) {
    assert.deepEqual(admit(at(stage), cancel), yes(cancelled))
    assert.deepEqual(admit(after(at(stage), held()), cancel), yes(cancelled))
  }
  assert.deepEqual(admit(done, cancel), hasEnded('completed'))
  assert.deepEqual(admit(used, cancel), hasEnded('failed'))
  assert.deepEqual(admit(crashed, cancel), hasEnded('crashed'))
})

test('resume: a resting loop goes on, a running one is left alone, a completed one stays so', () => {
  for (const stage of stages) {
    assert.deepEqual(admit(at(stage), resume), yes())
    assert.deepEqual(admit(after(at(stage), held()), resume), yes(resumed(10, 25)))
    assert.deepEqual(admit(after(at(stage), cancelled), resume), yes(resumed(10, 25)), 'takes a cancel back')
  }
  for (const state of [gone, crashed]) assert.deepEqual(admit(state, resume), yes(resumed(10, 25)))
  assert.deepEqual(admit(done, resume), no({ kind: 'loop-completed' }))
  assert.deepEqual(admit(done, { ...resume, maxIterations: 99 }), no({ kind: 'loop-completed' }))
})

test('resume: a run that was cut off before its verdict is taken up, though its last iteration is used', () => {
  const cut = after(at('boundary', { maxIterations: 1 }), ...wholeIteration(1, pass))
  assert.deepEqual(decide(cut, 0), {
    do: 'record',
    event: { kind: 'loop.completed', data: { ship: shipped } },
  })
  assert.deepEqual(admit(cut, resume), yes())
  const failing = after(at('boundary', { maxIterations: 1 }), ...wholeIteration(1))
  assert.deepEqual(admit(failing, resume), yes())
  assert.deepEqual(decide(failing, 0), {
    do: 'record',
    event: { kind: 'loop.failed', data: { reason: 'iteration-limit', ship: unready } },
  })
})

test('resume: a limit that is used up has to be raised', () => {
  assert.deepEqual(
    admit(used, resume),
    no({
      kind: 'limits-used-up',
      iterations: 1,
      costUsd: null,
      budgetUsd: 25,
      raise: { maxIterations: 11 },
    }),
  )
  assert.deepEqual(admit(used, { ...resume, maxIterations: 1 }).ok, false)
  assert.deepEqual(admit(used, { ...resume, maxIterations: 2 }), yes(resumed(2, 25)))
  assert.deepEqual(admit(used, { ...resume, maxIterations: null }), yes(resumed(null, 25)))
  const passed = after(at('boundary', { maxIterations: 1 }), ...wholeIteration(1, pass), held('unanswered'))
  assert.deepEqual(admit(passed, resume), yes(resumed(1, 25)), 'it can complete without another iteration')
  assert.deepEqual(
    admit(poor, resume),
    no({ kind: 'limits-used-up', iterations: 1, costUsd: 2.5, budgetUsd: 2, raise: { budgetUsd: 5 } }),
  )
  assert.deepEqual(admit(poor, { ...resume, budgetUsd: 2.5 }).ok, false)
  assert.deepEqual(admit(poor, { ...resume, budgetUsd: 3 }), yes(resumed(10, 3)))
  assert.deepEqual(admit(poor, { ...resume, budgetUsd: null }), yes(resumed(10, null)))
})

test('resume: a limit can be raised while the loop goes on', () => {
  assert.deepEqual(admit(at('running'), { ...resume, maxIterations: 20 }), yes(resumed(20, 25)))
  assert.deepEqual(admit(at('running'), { ...resume, maxIterations: 10, budgetUsd: 25 }), yes())
})

test('resume: other limits and another agent are recorded as they were named', () => {
  const agent = { agent: 'claude', agentCmd: '/bin/claude' } as const
  const changes = {
    timeoutMs: 900_000,
    idleTimeoutMs: 1_000,
    verifyTimeoutMs: 2_000,
    maxWaitMs: 3_000,
    agent,
  }
  assert.deepEqual(
    admit(crashed, { ...resume, ...changes }),
    yes({ kind: 'loop.resumed', data: { maxIterations: 10, budgetUsd: 25, ...changes } }),
  )
  const same = { timeoutMs: 90_000, verifyTimeoutMs: 45_000 }
  assert.deepEqual(admit(at('running'), { ...resume, ...same }), yes(), 'as it is already')
  assert.equal(admit(at('running'), { ...resume, timeoutMs: 1 }).ok, true)
})

test('resume: the agent cannot be changed while a run of it may be alive', () => {
  const agent = { agent: 'claude', agentCmd: '/bin/claude' } as const
  for (const stage of stages) {
    const admission = admit(after(at(stage), held()), { ...resume, agent })
    if (stage === 'running') assert.deepEqual(admission, no({ kind: 'agent-at-work', id: 'a1b2c3' }))
    else assert.equal(admission.ok, true, stage)
  }
})

test('a loop that was resumed has something to do', () => {
  const resting = [
    ...stages.map(stage => after(at(stage), held())),
    ...stages.map(stage => after(at(stage), broken, held('step-failed'))),
    after(at('ended'), survived, held('survivors')),
    gone,
    crashed,
  ]
  for (const state of resting) {
    const admission = admit(state, resume)
    assert.ok(admission.ok)
    assert.equal(decide(after(state, ...admission.events), 0).do, 'step', JSON.stringify(state.work.stage))
  }
})

test('report: a claim about a criterion there is; at every stage it is recorded and decides nothing', () => {
  const report = { kind: 'report', criterion: 'npm test', met: true, evidence: 'it printed ok' } as const
  const reported: Event = {
    kind: 'criterion.reported',
    data: { criterion: 'npm test', met: true, evidence: 'it printed ok' },
  }
  for (const stage of stages) {
    const state = at(stage)
    assert.deepEqual(admit(state, report), yes(reported))
    const claimed = after(state, reported)
    assert.deepEqual(decide(claimed, 0), decide(state, 0))
    assert.deepEqual(criterionStates(claimed), criterionStates(state))
    assert.equal(claimed.human.reported['npm test']?.met, true)
  }
  const looked = after(at('boundary'), reported, verified(1, {}))
  assert.deepEqual(looked.human.reported, {}, 'loop has seen for itself')
  assert.deepEqual(
    admit(at('running'), { ...report, criterion: 'lint' }),
    no({ kind: 'criterion-unknown', criterion: 'lint', has: ['npm test'] }),
  )
  assert.deepEqual(admit(done, report), hasEnded('completed'))
})

test('nothing is admitted to a journal with an event from the future', () => {
  const state = { ...at('running'), unknown: 'version 2' }
  const tooNew = no({ kind: 'journal-too-new', holds: 'version 2' })
  for (const command of [pause, resume, cancel]) assert.deepEqual(admit(state, command), tooNew)
})

test('a command that no loop knows is refused', () => {
  const admission = admit(at('running'), { kind: 'levitate' } as never)
  assert.deepEqual(admission, no({ kind: 'command-unknown' }))
})
