/** The words for the status of a loop, the next steps, and the exit code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admit } from '../../../../src/core/loop/admit.ts'
import { type LoopSummary as Summary, summarize } from '../../../../src/core/loop/summary.ts'
import { refusalWords } from '../../../../src/failures/refusal.ts'
import { exitCodes, type Reason } from '../../../../src/model/failure.ts'
import type { Event, EventOf } from '../../../../src/model/loop/event.ts'
import { count, parseMoney } from '../../../../src/model/units.ts'
import {
  cost,
  exitCodeFor,
  nextSteps,
  reasonWords,
  verdictLine,
} from '../../../../src/views/words/message.ts'
import { after, aResult, at, ended, held, pass, unready, wholeIteration } from '../../../rig/given.ts'

const base = summarize(at('boundary'))

type Row = [Reason, Partial<Summary>, string, string[], number]

function assertSays(rows: Row[]): void {
  for (const [reason, given, words, next, code] of rows) {
    const summary: Summary = { ...base, reason, ...given }
    assert.equal(reasonWords(summary, 0), words)
    assert.deepEqual(nextSteps(summary), next, reason)
    assert.equal(exitCodeFor(summary), code, reason)
  }
}

test('each reason: words, next steps and exit code', () => {
  const rows: Row[] = [
    ['completed', { iteration: 3 }, 'the promise holds', [], 0],
    ['completed', { iteration: 0 }, 'the promise already holds', [], 0],
    [
      'iteration-limit',
      { iteration: 1, maxIterations: 1 },
      '1 iteration used and the promise does not hold',
      ['loop resume a1b2c3 --max-iterations 11'],
      1,
    ],
    [
      'budget-reached',
      { costUsd: 2.5, budgetUsd: 2 },
      '$2.50 of $2 spent',
      ['loop resume a1b2c3 --budget 5'],
      1,
    ],
    [
      'promise-errors',
      { detail: 'npm test: exit 127' },
      'the promise could not be judged three times in a row: npm test: exit 127',
      ['loop resume a1b2c3'],
      1,
    ],
    [
      'step-failed',
      { detail: 'checkpoint iter-001: disk full' },
      'checkpoint iter-001: disk full',
      ['Mend the cause, then: loop resume a1b2c3'],
      1,
    ],
    [
      'survivors',
      { detail: '7 (sleep)' },
      'processes of the agent cannot be killed: 7 (sleep)',
      ['End those processes, then: loop resume a1b2c3'],
      1,
    ],
    [
      'agent-errors',
      { detail: 'killed, exit 137', breakers: [{ name: 'agentErrors', count: 1, limit: 1 }] },
      'the agent failed: killed, exit 137',
      [
        'loop logs a1b2c3',
        'loop resume a1b2c3',
        "With another command: loop resume a1b2c3 --agent-cmd '<command>'",
      ],
      3,
    ],
    [
      'stuck',
      { breakers: [{ name: 'stuck', count: 1, limit: 1 }] },
      'stuck: nothing has got better in 1 iteration',
      ['loop logs a1b2c3', 'loop inject a1b2c3 "another way to do it"', 'loop resume a1b2c3'],
      1,
    ],
    ['cancelled', {}, 'cancelled by you', ['loop resume a1b2c3'], 2],
    ['cancelled', { detail: 'inside a session' }, 'cancelled inside a session', ['loop resume a1b2c3'], 2],
    ['paused-by-user', {}, 'paused by you', ['loop resume a1b2c3'], 2],
    ['paused-by-agent', {}, 'paused by the agent', ['loop resume a1b2c3'], 1],
    [
      'agent-errors',
      { detail: 'killed, exit 137' },
      'the agent failed three times in a row: killed, exit 137',
      [
        'loop logs a1b2c3',
        'loop resume a1b2c3',
        "With another command: loop resume a1b2c3 --agent-cmd '<command>'",
      ],
      3,
    ],
    [
      'promise-unrunnable',
      { detail: 'npm test: exit 127' },
      'the promise cannot be judged: npm test: exit 127',
      ['Mend the command, or the program it calls, and start again.'],
      4,
    ],
  ]
  assertSays(rows)
})

test('what to type next names the flag that helps', () => {
  assertSays([
    [
      'agent-errors',
      { agent: 'claude', detail: 'no model', breakers: [] },
      'the agent failed: no model',
      ['loop logs a1b2c3', 'loop resume a1b2c3', 'With another agent: loop resume a1b2c3 --agent <name>'],
      3,
    ],
    [
      'agent-errors',
      { detail: 'timed out after 5m, with nothing done', timedOut: { timeout: 300_000 } },
      'the agent failed three times in a row: timed out after 5m, with nothing done',
      ['loop logs a1b2c3', 'loop resume a1b2c3 --timeout 15m'],
      3,
    ],
    [
      'agent-errors',
      { detail: 'timed out after 1.0s, with nothing done', timedOut: { timeout: 1_000 } },
      'the agent failed three times in a row: timed out after 1.0s, with nothing done',
      ['loop logs a1b2c3', 'loop resume a1b2c3 --timeout 3s'],
      3,
    ],
    [
      'protected-changed',
      { iteration: 1, detail: '', rolledBackTo: 'iter-001' },
      'protected files were changed; the files were rolled back to iter-001 since then',
      ['loop resume a1b2c3'],
      1,
    ],
    [
      'iteration-limit',
      { iteration: 10, detail: 'exit 7: boom', timedOut: { 'idle-timeout': 30_000, 'verify-timeout': 1 } },
      '10 iterations used and the promise does not hold; the agent failed: exit 7: boom',
      ['loop resume a1b2c3 --max-iterations 20 --idle-timeout 1m30s'],
      1,
    ],
    [
      'no-change',
      { detail: 'exit 7: boom', breakers: [{ name: 'noChange', count: 3, limit: 3 }] },
      'stuck: the agent has changed no file in 3 iterations; the agent failed: exit 7: boom',
      ['loop logs a1b2c3', 'loop inject a1b2c3 "another way to do it"', 'loop resume a1b2c3'],
      1,
    ],
    [
      'promise-errors',
      { detail: 'npm test: timed out after 5m', timedOut: { 'verify-timeout': 300_000 } },
      'the promise could not be judged three times in a row: npm test: timed out after 5m',
      ['loop resume a1b2c3 --verify-timeout 15m'],
      1,
    ],
    [
      'promise-unrunnable',
      { detail: 'npm test: timed out after 1h', timedOut: { 'verify-timeout': 3_600_000 } },
      'the promise cannot be judged: npm test: timed out after 1h',
      ['loop resume a1b2c3 --verify-timeout 3h'],
      4,
    ],
  ])
})

test('while it runs there is nothing to say; a program that leaves it exits 2', () => {
  assert.equal(reasonWords(base, 0), '')
  assert.deepEqual(nextSteps(base), [])
  assert.equal(exitCodeFor(base), 2)
})

test('every reason has an exit code of the table: 0 to 5', () => {
  for (const [reason, code] of Object.entries(exitCodes)) {
    assert.ok(code >= 0 && code <= 5, reason)
    assert.equal(code === 0, reason === 'completed' || reason === 'answered', reason)
  }
})

test('a wait says what failed and how long it still takes, never less than nothing', () => {
  const waiting: Summary = { ...base, status: 'waiting', detail: 'timeout', waitUntil: 62_000 }
  assert.equal(reasonWords(waiting, 0), 'the agent failed (timeout); next try in 1m 2s')
  assert.equal(reasonWords(waiting, 99_000), 'the agent failed (timeout); next try now')
})

test('the budget that is offered is one that would be admitted, however far it was overspent', () => {
  for (const spent of [2, 2.5, 40, 0.003]) {
    const budgetUsd = Math.min(2, spent)
    const end = ended(1, { costUsd: spent })
    const state = after(at('boundary', { budgetUsd }), ...wholeIteration(1, {}, end), held('budget-reached'))
    const [line = ''] = nextSteps(summarize(state))
    const offered = parseMoney(line.split(' ').at(-1) ?? '')
    assert.ok(offered, line)
    assert.ok(admit(state, { kind: 'resume', budgetUsd: offered.limit }).ok, line)
  }
})

test('a resume that is named raises all that is used up, so that it is admitted as it stands', () => {
  const poor = { maxIterations: 1, budgetUsd: 2 }
  const dear = ended(1, { costUsd: 2.5 })
  const last = (...events: Event[]) => after(at('boundary', poor), ...wholeIteration(1, {}, dear), ...events)
  const failed = (reason: EventOf<'loop.failed'>['data']['reason']): Event => ({
    kind: 'loop.failed',
    data: { reason, ship: unready },
  })
  const crashed: Event = { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } }
  const declined: Event = {
    kind: 'question.answered',
    data: { criterion: 'it looks right', met: false, by: 'ann', text: '' },
  }
  const states = [
    last(failed('iteration-limit')),
    last(failed('stuck')),
    last(crashed),
    last(held('thrashing')),
    last(held('same-error')),
    last(held('must-not')),
    last(held('protected-changed')),
    last(declined, held('unanswered')),
  ]
  for (const state of states) {
    const summary = summarize(state)
    const line = nextSteps(summary).find(step => step.includes('loop resume ')) ?? ''
    const [, iterations] = /--max-iterations (\d+)/.exec(line) ?? []
    const [, budget] = /--budget (\d+)/.exec(line) ?? []
    const admission = admit(state, {
      kind: 'resume',
      ...(iterations && { maxIterations: Number(iterations) }),
      ...(budget && { budgetUsd: Number(budget) }),
    })
    assert.equal(admission.ok, true, `${summary.reason}: ${line}`)
  }
})

test('after a rollback nothing is said of what is gone with it, and the way on is to resume', () => {
  const back: Event[] = [
    { kind: 'rollback.requested', data: { to: 'iter-001', tree: 'a', keepAs: 'before-rollback-1' } },
    { kind: 'tree.restored', data: { to: 'iter-001', written: 0, deleted: 1 } },
  ]
  const since = '; the files were rolled back to iter-001 since then'
  const rows: [EventOf<'loop.held'>['data']['reason'], string][] = [
    ['must-not', `what must not happen had happened${since}`],
    ['protected-changed', `protected files were changed${since}`],
    ['promise-errors', `the promise could not be judged three times in a row${since}`],
  ]
  for (const [reason, words] of rows) {
    const summary = summarize(after(at('boundary'), ...wholeIteration(1), held(reason), ...back))
    assert.equal(reasonWords(summary, 0), words)
    assert.deepEqual(nextSteps(summary), ['loop resume a1b2c3'], reason)
  }
})

test('a refused resume names all that has to be raised, at once', () => {
  const state = after(
    at('boundary', { maxIterations: 1, budgetUsd: 2 }),
    ...wholeIteration(1, {}, ended(1, { costUsd: 2.5 })),
    { kind: 'loop.failed', data: { reason: 'iteration-limit', ship: unready } },
  )
  const admission = admit(state, { kind: 'resume' })
  assert.ok(!admission.ok)
  assert.equal(
    refusalWords(admission.because),
    'it has used one iteration and spent $2.50 of $2; raise the limits with --max-iterations 11 --budget 5',
  )
})

test('counting, cost and the line of a verdict', () => {
  const counted = [count(0, 'file'), count(1, 'file'), count(2, 'file'), count(2, 'process')]
  assert.deepEqual(counted, ['0 files', '1 file', '2 files', '2 processes'])
  assert.equal(count(1, 'process'), '1 process')
  const words = (costUsd: number | null, more = {}) => cost({ ...base, iteration: 1, costUsd, ...more })
  assert.deepEqual([words(0), words(1.5), words(null)], ['$0', '$1.50', 'unknown (the agent reports none)'])
  assert.equal(words(null, { iteration: 0 }), '$0', 'nothing has run')
  const cut = { costIncomplete: true as const }
  assert.equal(words(null, cut), 'unknown (the agent was stopped before it reported any)')
  assert.equal(words(0.9, cut), 'at least $0.90 (some of it was never reported)')
  assert.equal(words(0.006, cut), 'at least $0.006 (some of it was never reported)', 'never rounded up')
  assert.equal(
    words(0.999, { ...cut, costEstimated: true }),
    'at least ~$0.99 (estimated from tokens; some of it was never reported)',
  )
  assert.equal(words(null, { session: true }), 'unknown (loop does not see what your session costs)')
  assert.equal(verdictLine(aResult()), 'npm test: FAIL (exit 1, 0.4s)')
  assert.equal(verdictLine(aResult({ failing: 3 })), 'npm test: FAIL (exit 1, 3 failing, 0.4s)')
  assert.equal(verdictLine(aResult({ ...pass, failing: 0 })), 'npm test: PASS (exit 0, 0.4s)')
})
