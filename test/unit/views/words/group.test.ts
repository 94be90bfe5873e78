/** Why a group stopped, in words, and what to type: for each reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GroupState } from '../../../../src/core/group/state.ts'
import { summarizeGroup } from '../../../../src/core/group/summary.ts'
import { summarize } from '../../../../src/core/loop/summary.ts'
import type { Reason } from '../../../../src/model/failure.ts'
import { groupReason, groupSteps, memberSteps, programWords } from '../../../../src/views/words/group.ts'
import { nextSteps, reasonWords } from '../../../../src/views/words/message.ts'
import { created } from '../../../rig/given.ts'
import {
  aChoice,
  afterEvents,
  aGate,
  aGroup,
  anApply,
  anAttempt,
  attempted,
  atWork,
  begun,
  broken,
  failed,
  held,
  over,
  rests,
} from '../../../rig/given-group.ts'

const two = [anAttempt('1-a'), anAttempt('2-b')]
const spent = { reason: 'iteration-limit', how: 'failed' } as const
const bothFailed = [...attempted('1-a', spent), ...attempted('2-b', { how: 'failed', reason: 'stuck' })]
const gate = aGate('pick', { choices: ['1-a', '2-b', 'none'] })

const long = aGate('pick', { question: 'G1: 2 steps:\n1. this\n2. that\n\nBegin?' })

const rows: [string, GroupState, string, string[]][] = [
  [
    'a question of several lines is asked on one',
    afterEvents(aGroup([long]), begun('pick')),
    'asks: G1: 2 steps: 1. this 2. that Begin?',
    ['loop answer group1 yes', 'loop answer group1 no'],
  ],
  ['at work', afterEvents(aGroup(two), ...atWork('1-a')), '', []],
  [
    'one rests while the other is at work',
    afterEvents(aGroup(two), ...atWork('1-a'), ...atWork('2-b'), rests('2-b', 'agent-auth')),
    '2-b (m-2-b) rests: its agent may not use its model',
    ['loop status m-2-b'],
  ],
  [
    'only loops that rest are left',
    afterEvents(
      aGroup([anAttempt('1-a')]),
      ...atWork('1-a'),
      rests('1-a', 'unanswered'),
      held('members-rest'),
    ),
    '1-a (m-1-a) rests: it asks a question',
    ['loop status m-1-a', 'Then, for all that rest: loop resume group1'],
  ],
  [
    'the budget is spent',
    afterEvents(
      aGroup([anAttempt('1-a')], { budgetUsd: 5 }),
      ...attempted('1-a', { how: 'failed', costUsd: 5.5 }),
      held('budget-reached'),
    ),
    '$5.50 of $5 spent by its loops together',
    ['loop resume group1 --budget 11'],
  ],
  ['paused', afterEvents(aGroup(two), held()), 'paused by you', ['loop resume group1']],
  [
    'a step failed',
    afterEvents(aGroup(two), broken(), held('step-failed')),
    'copy: disk full',
    ['Mend the cause, then: loop resume group1'],
  ],
  [
    'nobody passed',
    afterEvents(aGroup(two), ...bothFailed, failed('nobody-passed')),
    'none of its attempts passed: 1-a (its iterations are used up), 2-b (stuck)',
    [
      'loop compare group1',
      'loop logs m-1-a',
      'With more iterations: loop resume group1 --max-iterations <n>',
    ],
  ],
  [
    'a node failed',
    afterEvents(
      aGroup(two),
      ...attempted('1-a', spent),
      { kind: 'node.skipped', data: { node: '2-b', why: '1-a has failed' } },
      failed('node-failed', '1-a'),
    ),
    '1-a (its iterations are used up); not begun: 2-b',
    ['loop logs m-1-a', 'With more iterations: loop resume group1 --max-iterations <n>'],
  ],
  [
    'a conflict',
    afterEvents(
      aGroup([...two, aChoice(['1-a', '2-b']), anApply('1-a')]),
      ...attempted('1-a'),
      ...attempted('2-b'),
      over('choose', { choice: { winner: '1-a', by: null, order: [] } }),
      failed('apply-conflict', 'src/cart.ts'),
    ),
    'not applied, because the result and the work tree have changed the same places: src/cart.ts. The tree is as it was',
    [
      'loop compare group1',
      'Merge with conflict markers: loop apply group1 --merge',
      'Keep your version of these files: loop apply group1 --mine',
      'Take the version of the result (yours is saved first): loop apply group1 --theirs',
      'As a patch: git add -u && loop diff group1 | git apply -3',
    ],
  ],
  [
    'the promise fails in the tree',
    afterEvents(
      aGroup(two),
      ...attempted('1-a'),
      failed('apply-failed', 'the promise fails in the work tree'),
    ),
    'the result is not in the work tree: the promise fails in the work tree. The tree is as it was',
    ['loop diff group1', 'Mend the work tree, then: loop apply group1'],
  ],
  [
    'it asks, and nobody is there',
    afterEvents(
      aGroup([...two, gate]),
      ...attempted('1-a'),
      ...attempted('2-b'),
      begun('pick'),
      held('unanswered'),
    ),
    'it has a question, and nobody is there to answer: Which one?',
    [
      'loop compare group1',
      ...['1-a', '2-b', 'none'].map(word => `loop answer group1 ${word}; then: loop resume group1`),
    ],
  ],
]

test('each reason has its words and the way on', () => {
  for (const [what, state, words, steps] of rows) {
    const summary = summarizeGroup(state)
    assert.equal(groupReason(summary), words, what)
    assert.equal(reasonWords(summary, 0), words, what)
    assert.deepEqual(groupSteps(summary), steps, what)
    assert.deepEqual(nextSteps(summary), steps, what)
  }
})

test('a group of the background goes back there', () => {
  const queued = afterEvents(aGroup(two), { kind: 'group.queued', data: { priority: 'normal' } })
  assert.equal(groupReason(summarizeGroup(queued)), 'waits until loopd takes it up and the work tree is free')
  const paused = afterEvents(queued, { kind: 'group.dequeued', data: {} }, held())
  assert.deepEqual(groupSteps(summarizeGroup(paused)), ['loop resume group1 -b'])
})

test('a loop that rests because of its group says so, and names the group', () => {
  const of = (reason: Reason) =>
    ({ ...summarize(created({ group: 'group1' })), status: 'paused', reason }) as const
  assert.equal(reasonWords(of('paused-by-group'), 0), 'paused with its group')
  assert.equal(reasonWords(of('group-budget'), 0), 'the budget of its group is spent')
  assert.deepEqual(memberSteps(of('paused-by-group')), [
    'With all of its group: loop resume group1',
    'Alone: loop resume a1b2c3',
  ])
  assert.deepEqual(nextSteps(of('group-budget')), [
    'With more money: loop resume group1 --budget <usd>',
    'Alone, once its group has ended: loop resume a1b2c3 --budget <usd>',
  ])
  assert.equal(memberSteps(of('stuck')), null)
})

test('what it is, by its program and attempts', () => {
  const nodesOf = (...ids: string[]) => summarizeGroup(aGroup(ids.map(id => anAttempt(id))))
  assert.equal(programWords(nodesOf('1-a', '2-b', '3-c')), 'best of 3')
  assert.equal(programWords(nodesOf('isolated')), 'isolated run')
  assert.equal(programWords(nodesOf()), 'best-of')
  assert.equal(programWords({ ...nodesOf('a'), program: 'workflow' }), 'workflow')
})
