/** Commands of a person to a group, in each state: one row for each command and each answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { admitGroup, type GroupWish } from '../../../../src/core/group/admit.ts'
import type { GroupEvent } from '../../../../src/model/group/event.ts'
import {
  afterEvents,
  aGate,
  aGroup,
  aHook,
  anAttempt,
  attempted,
  atWork,
  begun,
  cancelled,
  failed,
  held,
  newGroup,
  recordedOf,
  rests,
} from '../../../rig/given-group.ts'
import { bothRest, checkAnswers, group } from './rows.ts'

const completed: GroupEvent = { kind: 'group.completed', data: {} }
const gone: GroupEvent = { kind: 'group.cancelled', data: {} }
const queued: GroupEvent = { kind: 'group.queued', data: { priority: 'high' } }
const resumed = (data: object = {}) => ({ kind: 'group.resumed', data })

const ended = [...attempted('1-a'), ...attempted('2-b', { how: 'failed' })]

describe('pause', () => {
  const wish: GroupWish = { kind: 'pause' }
  checkAnswers([
    ['one that is at work', group(...atWork('1-a')), wish, [held()]],
    ['one that pauses already', group(held()), wish, { kind: 'already-paused' }],
    ['one that is being cancelled', group(...atWork('1-a'), cancelled), wish, { kind: 'cancels-already' }],
    ['one that has ended', group(completed), wish, { kind: 'has-ended', outcome: 'completed' }],
  ])
})

describe('cancel', () => {
  const wish: GroupWish = { kind: 'cancel' }
  const hooks = (...events: GroupEvent[]) =>
    afterEvents(aGroup([aHook('tell'), aHook('count')]), begun('tell'), ...events)
  const unwanted = (node: string): GroupEvent => ({
    kind: 'node.dropped',
    data: { node, facts: { kind: 'stopped-by-user' } },
  })
  checkAnswers([
    ['one that is at work', group(...atWork('1-a')), wish, [cancelled]],
    ['one that rests', group(...bothRest(), held('members-rest')), wish, [cancelled]],
    ['one that waits for its turn', afterEvents(newGroup(), queued), wish, [cancelled]],
    ['one that has failed', group(failed('nobody-passed')), wish, { kind: 'has-ended', outcome: 'failed' }],
    [
      'one of which only hooks are left: they are stopped',
      hooks(),
      wish,
      [unwanted('tell'), unwanted('count')],
    ],
    ['and asked again', hooks(unwanted('tell'), unwanted('count')), wish, { kind: 'hook-stops-already' }],
    [
      'a hook beside a loop',
      afterEvents(aGroup([anAttempt('1-a'), aHook('tell')]), ...atWork('1-a'), begun('tell')),
      wish,
      [cancelled],
    ],
    ['a hook that is not begun', aGroup([aHook('tell')]), wish, [cancelled]],
  ])
})

describe('enqueue', () => {
  const wish: GroupWish = { kind: 'enqueue', resume: { kind: 'resume' } }
  checkAnswers([
    [
      'one that rests, with the priority it had',
      group(queued, { kind: 'group.dequeued', data: {} }, held()),
      wish,
      [resumed({ attended: false }), queued],
    ],
    ['one that is queued', afterEvents(newGroup(), queued), wish, { kind: 'already-queued' }],
    ['one that has completed', group(completed), wish, { kind: 'has-completed' }],
    [
      'its turn',
      afterEvents(newGroup(), queued),
      { kind: 'dequeue' },
      [{ kind: 'group.dequeued', data: {} }],
    ],
  ])
})

describe('answer', () => {
  const asks = (choices: string[], ...events: GroupEvent[]) =>
    afterEvents(aGroup([aGate('pick', { choices })]), begun('pick'), ...events)
  const wish = (text: string): GroupWish => ({ kind: 'answer', by: 'me', text })
  const says = (answer: string, how = 'completed') => ({
    kind: 'node.ended',
    data: { node: 'pick', attempt: 1, how, answer, by: 'me' },
  })
  const names = ['1-direct', '10-other', 'none']
  const unfit = { kind: 'answer-unfit', question: 'Which one?', choices: names } as const
  checkAnswers([
    ['yes', asks([]), wish(' yes '), [says('yes')]],
    ['no is a failure', asks([]), wish('n'), [says('no', 'failed')]],
    ['a choice', asks(names), wish('1-direct'), [says('1-direct')]],
    ['the beginning of one', asks(names), wish('10'), [says('10-other')]],
    ['the beginning of two', asks(names), wish('1'), unfit],
    ['something else', asks(names), wish('maybe'), unfit],
    ['nothing', asks(names), wish(' '), unfit],
    [
      'where it rests for want of it, it goes on',
      asks([], held('unanswered')),
      wish('y'),
      [says('yes'), resumed()],
    ],
    ['where it rests for another reason, it rests on', asks([], held()), wish('y'), [says('yes')]],
    ['nothing is asked', group(), wish('yes'), { kind: 'no-open-question' }],
  ])
  const options = ['In one module (answer with its path)', 'In the whole project']
  const lettered = afterEvents(aGroup([aGate('pick', { options })]), begun('pick'))
  const wordless = { kind: 'answer-wordless', option: options[0] ?? '' } as const
  checkAnswers([
    ['the letter of an option', lettered, wish('b'), [says('In the whole project')]],
    ['words of their own', lettered, wish('src/cart'), [says('src/cart')]],
    ['the letter of an option that asks for words', lettered, wish('a'), wordless],
    ['that option, typed', lettered, wish(options[0] ?? ''), wordless],
  ])
})

describe('pick', () => {
  const wish = (node: string, files?: string[]): GroupWish => ({
    kind: 'pick',
    node,
    ...(files && { files }),
  })
  const picked = (node: string, more: object = {}) => ({ kind: 'pick.asked', data: { node, ...more } })
  const done = group(...ended, completed)
  checkAnswers([
    ['by its name', done, wish('2-b'), [picked('2-b')]],
    ['by its number', done, wish('1'), [picked('1-a')]],
    ['by its loop', done, wish('m-2-b'), [picked('2-b')]],
    ['some files of it', done, wish('2', ['a.ts']), [picked('2-b', { files: ['a.ts'] })]],
    ['one there is not', done, wish('7'), { kind: 'attempt-unknown', attempt: '7', has: ['1-a', '2-b'] }],
    [
      'one that came to nothing',
      group(...attempted('1-a'), completed),
      wish('2-b'),
      { kind: 'attempt-without-result', node: '2-b' },
    ],
    ['while it is at work', group(...ended, ...atWork('1-a')), wish('2-b'), { kind: 'pick-too-early' }],
    [
      'while it comes to rest',
      group(...attempted('1-a'), ...atWork('2-b'), held()),
      wish('1-a'),
      { kind: 'pick-too-early' },
    ],
    [
      'while it rests',
      group(...attempted('1-a'), ...atWork('2-b'), held(), rests('2-b')),
      wish('1-a'),
      [picked('1-a')],
    ],
    ['of one that was cancelled', group(...ended, gone), wish('1-a'), { kind: 'was-cancelled' }],
  ])
})

describe('rollback', () => {
  const wish = (to: string): GroupWish => ({ kind: 'rollback', to })
  const asked = (n: number) => ({
    kind: 'rollback.requested',
    data: { to: 'initial', tree: 'tree-0', keepAs: `before-rollback-${n}` },
  })
  const once = { kind: 'tree.restored', data: { to: 'initial', written: 0, deleted: 0 } } as const
  checkAnswers([
    ['one that has ended', group(...ended, completed), wish('initial'), [asked(1)]],
    ['for the second time', group(completed, asked(1) as GroupEvent, once), wish('initial'), [asked(2)]],
    ['one that was cut short is finished', group(completed, asked(1) as GroupEvent), wish('initial'), []],
    ['one that rests', group(...bothRest(), held('members-rest')), wish('initial'), [asked(1)]],
    [
      'to what was never saved',
      group(completed),
      wish('iter-001'),
      { kind: 'checkpoint-unknown', name: 'iter-001', has: ['initial'], older: 0 },
    ],
    ['while it is at work', group(...atWork('1-a')), wish('initial'), { kind: 'group-not-at-rest' }],
    [
      'while it comes to rest',
      group(...atWork('1-a'), held()),
      wish('initial'),
      { kind: 'group-not-at-rest' },
    ],
  ])
})

test('an unknown command is refused, and the refusal names where it belongs', () => {
  const admission = admitGroup(group(), { kind: 'inject', text: 'x' } as unknown as GroupWish)
  assert.deepEqual(admission, { ok: false, because: { kind: 'for-one-loop', asked: 'inject' } })
})

test('a journal of a newer version takes nothing', () => {
  const newer = afterEvents(
    group(),
    recordedOf({ kind: 'node.teleported', data: {} } as unknown as GroupEvent),
  )
  const admission = admitGroup(newer, { kind: 'pause' })
  assert.deepEqual(admission, { ok: false, because: { kind: 'journal-too-new', holds: 'node.teleported' } })
})
