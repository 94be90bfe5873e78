/** The nodes that go on when a group is resumed: one row for each state. */
import { describe } from 'node:test'
import type { GroupWish } from '../../../../src/core/group/admit.ts'
import type { GroupEvent } from '../../../../src/model/group/event.ts'
import {
  aChoice,
  afterEvents,
  aGate,
  aGroup,
  aHook,
  anApply,
  anAttempt,
  attempted,
  atWork,
  begun,
  broken,
  dropped,
  failed,
  held,
  over,
  rests,
} from '../../../rig/given-group.ts'
import { bothRest, checkAnswers, goes, group, two } from './rows.ts'

const completed: GroupEvent = { kind: 'group.completed', data: {} }
const gone: GroupEvent = { kind: 'group.cancelled', data: {} }
const resumed = (data: object = {}) => ({ kind: 'group.resumed', data })
const again = (node: string) => ({ kind: 'node.reopened', data: { node, facts: { kind: 'group-resumed' } } })

const ended = [...attempted('1-a'), ...attempted('2-b', { how: 'failed' })]

describe('resume', () => {
  const wish: GroupWish = { kind: 'resume' }
  const budget = (events: GroupEvent[], budgetUsd: number | null = 5) =>
    afterEvents(aGroup(two, { budgetUsd }), ...events)
  const poor = [...bothRest('group-budget'), held('budget-reached')]
  const usedUp = { kind: 'group-budget-used-up', id: 'group1' } as const
  checkAnswers([
    ['one that nobody hosts goes on as it is', group(...atWork('1-a')), wish, []],
    [
      'one of the background that nobody hosts goes on here',
      group(
        { kind: 'group.queued', data: { priority: 'low' } },
        { kind: 'group.dequeued', data: {} },
        ...atWork('1-a'),
      ),
      wish,
      [resumed()],
    ],
    ['one that has completed', group(completed), wish, { kind: 'has-completed' }],
    ['one that was cancelled', group(gone), wish, { kind: 'copies-gone' }],
    [
      'members that the group let rest go on, those that a person paused do not',
      group(...atWork('1-a'), ...atWork('2-b'), rests('1-a', 'paused-by-group'), rests('2-b'), held()),
      wish,
      [resumed(), goes('1-a')],
    ],
    [
      'where only others rest, those',
      group(...bothRest('stuck'), held('members-rest')),
      wish,
      [resumed(), goes('1-a'), goes('2-b')],
    ],
    ['with no more money', budget(poor), wish, usedUp],
    ['with less money', budget(poor), { ...wish, budgetUsd: 4 }, usedUp],
    [
      'with more money',
      budget(poor),
      { ...wish, budgetUsd: 9 },
      [resumed({ budgetUsd: 9 }), goes('1-a'), goes('2-b')],
    ],
    [
      'without a limit',
      budget(poor),
      { ...wish, budgetUsd: null },
      [resumed({ budgetUsd: null }), goes('1-a'), goes('2-b')],
    ],
    [
      'after a step that failed',
      group(begun('1-a', 'm'), broken('1-a'), held('step-failed')),
      wish,
      [resumed()],
    ],
    [
      'where nobody passed, whoever failed goes on',
      group(
        ...attempted('1-a', { how: 'failed' }),
        ...attempted('2-b', { how: 'crashed' }),
        failed('nobody-passed'),
      ),
      wish,
      [resumed(), goes('1-a'), goes('2-b')],
    ],
  ])
})

describe('resume, after an end', () => {
  const wish: GroupWish = { kind: 'resume' }
  const applied = (how: 'conflict' | 'failed') =>
    afterEvents(
      aGroup([...two, aChoice(['1-a']), anApply('1-a')]),
      ...ended,
      over('choose'),
      over('apply', { how }),
    )
  checkAnswers([
    [
      'after a conflict only the apply is done again: those that failed have lost',
      afterEvents(applied('conflict'), failed('apply-conflict')),
      wish,
      [resumed(), again('apply')],
    ],
    [
      'of what was applied and what somebody picked since, only the pick',
      afterEvents(
        aGroup([...two, anApply('1-a'), anApply('2-b', { id: 'apply-2' })]),
        ...ended,
        over('apply', { how: 'conflict' }),
        { kind: 'pick.asked', data: { node: '2-b' } },
        over('apply-2', { how: 'conflict' }),
        failed('apply-conflict'),
      ),
      wish,
      [resumed(), again('apply-2')],
    ],
    [
      'what was not needed any more stays so',
      afterEvents(
        aGroup([...two, anApply('1-a')]),
        ...attempted('1-a'),
        dropped('2-b'),
        { kind: 'node.skipped', data: { node: '2-b', why: '1-a was first' } },
        over('apply', { how: 'conflict' }),
        failed('apply-conflict'),
      ),
      wish,
      [resumed(), again('apply')],
    ],
    [
      'who chose none is asked again',
      afterEvents(
        aGroup([anAttempt('1-a'), aGate('pick'), aChoice(['1-a'], { by: 'pick' })]),
        ...attempted('1-a'),
        over('pick', { answer: 'none' }),
        over('choose', { how: 'failed' }),
        failed('nobody-passed', 'nobody was chosen'),
      ),
      wish,
      [resumed(), again('pick'), again('choose')],
    ],
    [
      'a hook is not run again',
      afterEvents(
        aGroup([...two, aHook('on_failure/1')]),
        ...ended,
        over('on_failure/1', { how: 'failed' }),
        failed('node-failed'),
      ),
      wish,
      [resumed(), goes('2-b')],
    ],
  ])
})
