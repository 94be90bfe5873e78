/** The next step of a group, for each kind of node: one row for each rule. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decideGroup } from '../../../../src/core/group/decide.ts'
import type { GroupState } from '../../../../src/core/group/state.ts'
import type { GroupEvent } from '../../../../src/model/group/event.ts'
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
  held,
  newGroup,
  over,
  recordedOf,
  rests,
} from '../../../rig/given-group.ts'

import {
  attend,
  begin,
  bothRest,
  check,
  follow,
  goes,
  group,
  nextOf,
  of,
  rest,
  resumed,
  steps,
  takesTree,
  two,
  wake,
} from './rows.ts'

describe('a group begins', () => {
  check([
    ['its tree is saved first', newGroup(), steps({ kind: 'save', name: 'initial', node: null })],
    [
      'one that waits for its turn does nothing',
      afterEvents(newGroup(), { kind: 'group.queued', data: { priority: 'normal' } }),
      rest,
    ],
    [
      'a journal of a newer version is left alone',
      afterEvents(group(), recordedOf({ kind: 'node.teleported', data: {} } as unknown as GroupEvent)),
      rest,
    ],
  ])
})

describe('nodes begin', () => {
  const parallel = { parallel: 2 }
  const three = [...two, anAttempt('3-c')]
  const waits = anAttempt('4-d', { needs: ['1-a'] })
  check([
    ['all at once where nothing limits them', group(), steps(begin('1-a'), begin('2-b'))],
    ['as many loops as there is room', aGroup(three, parallel), steps(begin('1-a'), begin('2-b'))],
    [
      'what is at work counts, what rests does not',
      afterEvents(aGroup(three, parallel), ...atWork('1-a'), ...atWork('2-b'), rests('2-b')),
      steps(attend('1-a'), follow('2-b'), begin('3-c')),
    ],
    [
      'what is to go on counts too',
      afterEvents(aGroup(three, parallel), ...atWork('1-a'), ...atWork('2-b'), rests('2-b'), goes('2-b')),
      steps(attend('1-a'), wake('2-b')),
    ],
    [
      'of those that are to go on, as many as there is room',
      afterEvents(
        aGroup(two, { parallel: 1 }),
        ...atWork('1-a'),
        rests('1-a'),
        ...atWork('2-b'),
        rests('2-b'),
        held(),
        resumed,
        goes('1-a'),
        goes('2-b'),
      ),
      steps(wake('1-a')),
    ],
    [
      'in the background loopd says how many run',
      afterEvents(
        aGroup(three, { parallel: 1 }),
        { kind: 'group.queued', data: { priority: 'low' } },
        { kind: 'group.dequeued', data: {} },
      ),
      steps(begin('1-a'), begin('2-b'), begin('3-c')),
    ],
    [
      'not before what they need is over',
      afterEvents(aGroup([anAttempt('1-a'), waits]), ...atWork('1-a')),
      steps(attend('1-a')),
    ],
    ['and then', afterEvents(aGroup([anAttempt('1-a'), waits]), ...attempted('1-a')), steps(begin('4-d'))],
    [
      'not at all where that has failed',
      afterEvents(aGroup([anAttempt('1-a'), waits]), ...attempted('1-a', { how: 'failed' })),
      { kind: 'node.skipped', data: { node: '4-d', facts: { kind: 'need-unmet', node: '1-a' } } },
    ],
    [
      'not where it was skipped',
      afterEvents(aGroup([anAttempt('1-a'), waits]), {
        kind: 'node.skipped',
        data: { node: '1-a', why: 'when' },
      }),
      { kind: 'node.skipped', data: { node: '4-d', facts: { kind: 'need-unmet', node: '1-a' } } },
    ],
    [
      'a node that needs one that is not planned waits',
      afterEvents(aGroup([anAttempt('1-a'), anAttempt('x', { needs: ['y'] })]), ...atWork('1-a')),
      steps(attend('1-a')),
    ],
    [
      'a node is begun again under the next number',
      group(begun('1-a', 'm'), reopened('1-a')),
      {
        ...steps(begin('1-a', 2), begin('2-b')),
      },
    ],
  ])
})

function reopened(node: string): GroupEvent {
  return { kind: 'node.reopened', data: { node, because: 'again' } }
}

describe('the tree is one at a time', () => {
  const inTree = (id: string) => anAttempt(id, { place: 'tree' })
  const fromNow = anAttempt('2-b', { base: 'now' })
  check([
    [
      'of two in the tree one begins',
      aGroup([inTree('1-a'), inTree('2-b')]),
      steps({ ...begin('1-a'), ...takesTree }),
    ],
    [
      'beside it only what is in copies of the beginning',
      afterEvents(aGroup([inTree('1-a'), anAttempt('2-b'), fromNowAs('3-c')]), begun('1-a', 'm-1-a')),
      steps(attend('1-a'), begin('2-b')),
    ],
    [
      'a copy of the tree as it is now needs it until it is made',
      afterEvents(aGroup([fromNow, inTree('3-c')]), begun('2-b', 'm-2-b')),
      steps({ kind: 'copy', ...of('2-b') }),
    ],
    [
      'and no longer',
      afterEvents(aGroup([fromNow, inTree('3-c')]), ...atWork('2-b')),
      steps(attend('2-b'), { ...begin('3-c'), ...takesTree }),
    ],
    [
      'one that rests in the tree keeps it',
      afterEvents(aGroup([inTree('1-a'), inTree('2-b')]), begun('1-a', 'm-1-a'), rests('1-a')),
      held('members-rest'),
    ],
    [
      'an apply waits for it',
      afterEvents(
        aGroup([inTree('1-a'), anAttempt('2-b'), anApply('2-b')]),
        begun('1-a', 'm-1-a'),
        ...attempted('2-b'),
      ),
      steps(attend('1-a')),
    ],
  ])
})

function fromNowAs(id: string) {
  return anAttempt(id, { base: 'now' })
}

describe('a member', () => {
  check([
    [
      'gets its copy first',
      group(begun('1-a', 'm-1-a')),
      steps({ kind: 'copy', ...of('1-a') }, begin('2-b')),
    ],
    ['is attended', group(...atWork('1-a'), ...atWork('2-b')), steps(attend('1-a'), attend('2-b'))],
    [
      'that rests is followed, beside others',
      group(...atWork('1-a'), ...atWork('2-b'), rests('1-a')),
      steps(follow('1-a'), attend('2-b')),
    ],
    ['all that rest: so does the group', group(...bothRest()), held('members-rest')],
    ['all for want of money: for that reason', group(...bothRest('group-budget')), held('budget-reached')],
    [
      'only some for want of money',
      group(...atWork('1-a'), ...atWork('2-b'), rests('1-a', 'group-budget'), rests('2-b', 'stuck')),
      held('members-rest'),
    ],
    [
      'another has passed: those without money are not waited for',
      group(...attempted('1-a'), ...atWork('2-b'), rests('2-b', 'group-budget')),
      { kind: 'node.dropped', data: { node: '2-b', facts: { kind: 'budget-spent' } } },
    ],
    [
      'another has passed, and one rests for another reason: it is waited for',
      group(...attempted('1-a'), ...atWork('2-b'), rests('2-b', 'stuck')),
      held('members-rest'),
    ],
  ])
})

describe('a gate and a choice', () => {
  const asks = [
    ...two,
    aGate('pick', { needs: ['1-a', '2-b'] }),
    aChoice(['1-a', '2-b'], { by: 'pick', needs: ['pick'] }),
  ]
  const done = [...attempted('1-a'), ...attempted('2-b', { how: 'failed' })]
  const open = [...done, begun('pick')]
  const chosen = (winner: string | null, by: string | null) => ({ winner, by })
  const attended = { attended: true }
  check([
    [
      'a gate opens, also where something before it has failed',
      afterEvents(aGroup(asks), ...done),
      begun('pick'),
    ],
    ['nobody is there to be asked', afterEvents(aGroup(asks), ...open), held('unanswered')],
    [
      'somebody is',
      afterEvents(aGroup(asks, attended), ...open),
      { do: 'wait', until: Number.POSITIVE_INFINITY },
    ],
    [
      'in the background it waits',
      afterEvents(aGroup(asks), { kind: 'group.queued', data: { priority: 'normal' } }, ...open, {
        kind: 'group.dequeued',
        data: {},
      }),
      { do: 'wait', until: Number.POSITIVE_INFINITY },
    ],
    [
      'while it waits what is at work goes on',
      afterEvents(aGroup([aGate('ok'), anAttempt('1-a')], attended), begun('ok'), ...atWork('1-a')),
      steps(attend('1-a')),
    ],
    [
      'while it waits what rests is followed',
      afterEvents(
        aGroup([aGate('ok'), anAttempt('1-a')], attended),
        begun('ok'),
        ...atWork('1-a'),
        rests('1-a'),
      ),
      steps(follow('1-a')),
    ],
  ])
  const ends = (state: GroupState) => {
    const next = nextOf(state) as { kind: string; data: { how: string; choice: ReturnType<typeof chosen> } }
    assert.equal(next.kind, 'node.ended')
    const { winner, by } = next.data.choice
    return { how: next.data.how, winner, by }
  }
  test('the answer is the choice', () => {
    const state = afterEvents(aGroup(asks), ...open, over('pick', { answer: '1-a', by: 'me' }))
    assert.deepEqual(ends(state), { how: 'completed', winner: '1-a', by: 'a person' })
  })
  test('choosing none is a choice too', () => {
    const state = afterEvents(aGroup(asks), ...open, over('pick', { answer: 'none', by: 'me' }))
    assert.deepEqual(ends(state), { how: 'failed', winner: null, by: null })
  })
  test('without a gate the recorded values decide', () => {
    const state = afterEvents(aGroup([...two, aChoice(['1-a', '2-b'])]), ...done)
    assert.deepEqual(ends(state), { how: 'completed', winner: '1-a', by: 'promise' })
  })
})

test('an event that is recorded while steps are under way does not abort them', () => {
  const next = decideGroup(group(...atWork('1-a'), ...atWork('2-b'), broken('2-b')))
  assert.equal(next.do, 'record')
  assert.deepEqual(next.do === 'record' && next.steps, [attend('1-a')])
})
