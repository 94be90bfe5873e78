/** Notices of a group to a person who is not looking: once for each thing, and none for a command of that person. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evolveGroup } from '../../../../../src/core/group/evolve.ts'
import type { GroupState } from '../../../../../src/core/group/state.ts'
import type { GroupEvent } from '../../../../../src/model/group/event.ts'
import { groupNotice, noticeOf } from '../../../../../src/views/faces/notice.ts'
import { after, completed, created, recorded } from '../../../../rig/given.ts'
import {
  afterEvents,
  aGate,
  aGroup,
  anAttempt,
  attempted,
  atWork,
  begun,
  failed,
  held,
  over,
  recordedOf,
  rests,
} from '../../../../rig/given-group.ts'

function told(before: GroupState, event: GroupEvent): string | null {
  const next = recordedOf(event, { seq: before.seq + 1, at: before.lastAt + 1 })
  const notice = groupNotice(next, evolveGroup(before, next), before)
  return notice && `${notice.level}|${notice.title}|${notice.message}|${notice.reason}`
}

const two = [anAttempt('1-a'), anAttempt('2-b')]
const working = afterEvents(aGroup(two, { budgetUsd: 10 }), ...atWork('1-a'), ...atWork('2-b'))
const inBackground: GroupEvent[] = [
  { kind: 'group.queued', data: { priority: 'normal' } },
  { kind: 'group.dequeued', data: {} },
]
const asking = aGroup([...two, aGate('pick')])

test('its end, what it waits for, and most of its budget', () => {
  const rows: [string, GroupState, GroupEvent, string | null][] = [
    [
      'done',
      working,
      { kind: 'group.completed', data: {} },
      'info|group group1 completed|add a cart: all its loops have completed|completed',
    ],
    ['failed', working, failed('node-failed', 'x'), 'error|group group1 failed|add a cart: x|node-failed'],
    [
      'in conflict with the tree',
      working,
      failed('apply-conflict', 'a.ts'),
      'warning|group group1 completed, not applied|add a cart: not applied, because the result and the work tree have changed the same places: a.ts. The tree is as it was|apply-conflict',
    ],
    ['paused by a person', working, held(), null],
    ['a step failed', working, held('step-failed'), 'warning|group group1 is paused|add a cart|step-failed'],
    [
      'a loop rests',
      working,
      rests('1-a', 'stuck'),
      'warning|group group1 waits for you|add a cart: 1-a (m-1-a) rests: stuck|members-rest',
    ],
    ['a second one', afterEvents(working, rests('1-a', 'stuck')), rests('2-b', 'stuck'), null],
    ['nothing is left', afterEvents(working, rests('1-a', 'stuck')), held('members-rest'), null],
    ['a person paused it', working, rests('1-a', 'paused-by-user'), null],
    ['its group paused it', working, rests('1-a', 'paused-by-group'), null],
    ['the group asks its own panel', working, rests('1-a', 'advice-wanted'), null],
    [
      'another loop needs you meanwhile',
      afterEvents(working, rests('1-a', 'advice-wanted')),
      rests('2-b', 'stuck'),
      'warning|group group1 waits for you|add a cart: 2-b (m-2-b) rests: stuck|members-rest',
    ],
    ['asked where nobody is', asking, begun('pick'), null],
    [
      'asked',
      afterEvents(asking, ...inBackground),
      begun('pick'),
      'warning|group group1 waits for you|add a cart: Which one?|question',
    ],
    ['a loop begins', working, begun('2-b', 'm'), null],
    [
      'most is spent',
      working,
      over('1-a', { costUsd: 8 }),
      'warning|group group1 has spent most of its budget|add a cart: $8 of $10 spent|budget-80',
    ],
    ['once', afterEvents(working, ...attempted('1-a', { costUsd: 8 })), over('2-b', { costUsd: 1 }), null],
  ]
  for (const [what, before, event, expected] of rows) assert.equal(told(before, event), expected, what)
})

test('a member tells nothing by itself', () => {
  const event = (of: object) => {
    const before = created(of)
    return noticeOf(recorded(completed, { seq: 2 }), after(before, completed), before)
  }
  assert.notEqual(event({}), null)
  assert.equal(event({ group: 'group1' }), null)
})
