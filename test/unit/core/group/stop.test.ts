/**
 * Every way in which a group comes to rest: commands, held, a failed step, cancelled, dropped. One row for each rule.
 */
import { describe } from 'node:test'
import type { GroupEvent } from '../../../../src/model/group/event.ts'
import {
  aChoice,
  afterEvents,
  aGroup,
  aHook,
  aMeasure,
  anAttempt,
  attempted,
  atWork,
  begun,
  broken,
  cancelled,
  checked,
  conflicted,
  dropped,
  held,
  newGroup,
  over,
  rests,
  unapplied,
} from '../../../rig/given-group.ts'

import {
  applied,
  attend,
  begin,
  bothRest,
  check,
  goes,
  group,
  of,
  rest,
  resumed,
  stage,
  steps,
  two,
  upTo,
  wake,
} from './rows.ts'

describe('held', () => {
  const attended = [...atWork('1-a'), ...atWork('2-b')]
  check([
    [
      'members are asked to rest',
      group(...attended, held()),
      steps(attend('1-a', 'rest'), attend('2-b', 'rest')),
    ],
    ['nothing begins', group(...atWork('1-a'), held()), steps(attend('1-a', 'rest'))],
    ['a copy is finished first', group(begun('1-a', 'm-1-a'), held()), steps({ kind: 'copy', ...of('1-a') })],
    ['with all at rest, so is the group', group(...attended, held(), rests('1-a'), rests('2-b')), rest],
    [
      'a node that is to go on waits for the group',
      group(...attended, rests('1-a'), rests('2-b'), goes('1-a'), held()),
      rest,
    ],
    ['the tree is not grown', group(...attended, over('1-a'), over('2-b'), held()), rest],
    [
      'a command is finished',
      afterEvents(aGroup([aHook('tell')]), begun('tell'), held()),
      steps({ kind: 'run', ...of('tell') }),
    ],
    ['an apply is finished', upTo(4, held()), steps(stage('check'))],
    ['and stays where the promise holds', upTo(4, checked(true), held()), applied('completed')],
    ['and then the group rests', upTo(4, checked(true), held(), over('apply')), rest],
    ['and is taken back where it does not', upTo(4, checked(false), held()), steps(stage('undo'))],
    [
      'once',
      upTo(4, checked(false), unapplied, held()),
      applied('failed', { facts: { kind: 'promise-fails-in-tree' } }),
    ],
    ['a conflict is said', upTo(2, conflicted, held()), applied('conflict', { conflicts: ['src/cart.ts'] })],
  ])
})

describe('a step that failed', () => {
  const both = [begun('1-a', 'm-1-a'), ...atWork('2-b')]
  check([
    ['holds the group', group(...both, broken('1-a')), held('step-failed')],
    [
      'is not tried again, while others come to rest',
      group(...both, broken('1-a'), held('step-failed')),
      steps(attend('2-b', 'rest')),
    ],
    ['then the group rests', group(...both, broken('1-a'), held('step-failed'), rests('2-b')), rest],
    [
      'is tried again when it goes on',
      group(...both, broken('1-a'), held('step-failed'), rests('2-b'), resumed, goes('2-b')),
      steps({ kind: 'copy', ...of('1-a') }, wake('2-b')),
    ],
    ['of an apply: neither', upTo(3, broken('apply'), held('step-failed')), rest],
    ['of the beginning', afterEvents(newGroup(), broken(), held('step-failed')), rest],
  ])
})

describe('cancelled', () => {
  const attended = [...atWork('1-a'), ...atWork('2-b')]
  const over2 = [over('1-a', { how: 'cancelled' }), over('2-b', { how: 'cancelled' })]
  const free = (...nodes: string[]) => steps(...nodes.map(node => ({ kind: 'free', node })))
  const freed = (node: string): GroupEvent => ({ kind: 'copy.freed', data: { node } })
  const gone = { kind: 'group.cancelled', data: {} }
  const hook = (...events: GroupEvent[]) => afterEvents(aGroup([aHook('tell')]), begun('tell'), ...events)
  const unwanted: GroupEvent = {
    kind: 'node.dropped',
    data: { node: 'tell', facts: { kind: 'stopped-by-user' } },
  }
  check([
    ['members end', group(...attended, cancelled), steps(attend('1-a', 'end'), attend('2-b', 'end'))],
    [
      'one that rests too',
      group(...attended, rests('1-a'), cancelled),
      steps(attend('1-a', 'end'), attend('2-b', 'end')),
    ],
    [
      'one that was to go on too',
      group(...atWork('1-a'), rests('1-a'), goes('1-a'), cancelled),
      steps(attend('1-a', 'end')),
    ],
    [
      'all that were to go on, though there was no room for them',
      afterEvents(aGroup(two, { parallel: 1 }), ...bothRest(), goes('1-a'), goes('2-b'), cancelled),
      steps(attend('1-a', 'end'), attend('2-b', 'end')),
    ],
    ['one that has no copy yet too', group(begun('1-a', 'm-1-a'), cancelled), steps(attend('1-a', 'end'))],
    ['then the copies go', group(...attended, cancelled, ...over2), free('1-a', '2-b')],
    [
      'also one that may be half made',
      group(begun('1-a', 'm-1-a'), cancelled, over('1-a', { how: 'cancelled' })),
      free('1-a'),
    ],
    [
      'those of before too',
      group(...attempted('1-a'), ...atWork('2-b'), cancelled, over('2-b')),
      free('1-a', '2-b'),
    ],
    ['then it is over', group(...attended, cancelled, ...over2, freed('1-a'), freed('2-b')), gone],
    ['before anything was begun', afterEvents(newGroup(), cancelled), gone],
    ['a command is stopped', hook(cancelled), steps({ kind: 'stop', ...of('tell') })],
    ['and a hook that is not wanted', hook(unwanted, held()), steps({ kind: 'stop', ...of('tell') })],
    ['an apply that has not touched the tree ends as it is', upTo(1, cancelled), free('1-a', '2-b')],
    ['also with the tree saved', upTo(2, cancelled), free('1-a', '2-b')],
    ['one that may have touched it is finished', upTo(3, cancelled), steps(stage('write'))],
    ['and taken back, since nobody knows that it holds', upTo(4, cancelled), steps(stage('undo'))],
    ['once', upTo(4, cancelled, unapplied), applied('cancelled')],
    ['one that holds stays', upTo(4, checked(true), cancelled), applied('completed')],
    [
      'a conflict is said',
      upTo(2, conflicted, cancelled),
      applied('conflict', { conflicts: ['src/cart.ts'] }),
    ],
    [
      'what cannot be removed holds it',
      group(...attempted('1-a'), ...attempted('2-b'), cancelled, freed('2-b'), broken('1-a')),
      held('step-failed'),
    ],
    [
      'and lets it rest',
      group(
        ...attempted('1-a'),
        ...attempted('2-b'),
        cancelled,
        freed('2-b'),
        broken('1-a'),
        held('step-failed'),
      ),
      rest,
    ],
    [
      'and is tried again when it is cancelled again',
      group(
        ...attempted('1-a'),
        ...attempted('2-b'),
        cancelled,
        freed('2-b'),
        broken('1-a'),
        held('step-failed'),
        cancelled,
      ),
      free('1-a'),
    ],
  ])
})

describe('a command', () => {
  const measured = (...events: GroupEvent[]) =>
    afterEvents(
      aGroup([
        ...two,
        aMeasure('metric/1-a', '1-a'),
        aMeasure('lint/1-a', '1-a'),
        aMeasure('metric/2-b', '2-b'),
        aChoice(['1-a', '2-b'], { needs: ['lint/1-a'] }),
      ]),
      ...attempted('1-a'),
      ...attempted('2-b'),
      ...events,
    )
  check([
    ['of one copy, one at a time', measured(), steps(begin('metric/1-a'), begin('metric/2-b'))],
    [
      'the next when it is over',
      measured(begun('metric/1-a'), begun('metric/2-b'), over('metric/1-a')),
      steps({ kind: 'run', ...of('metric/2-b') }, begin('lint/1-a')),
    ],
    [
      'the next also when it has failed',
      measured(begun('metric/1-a'), over('metric/1-a', { how: 'failed' }), begun('metric/2-b')),
      steps({ kind: 'run', ...of('metric/2-b') }, begin('lint/1-a')),
    ],
    [
      'in the tree, beside others',
      afterEvents(aGroup([anAttempt('1-a'), aHook('tell'), aHook('count')]), ...atWork('1-a')),
      steps(attend('1-a'), begin('tell'), begin('count')),
    ],
  ])
})

describe('dropped', () => {
  check([
    [
      'a member that is at work ends',
      group(...atWork('1-a'), ...atWork('2-b'), dropped('1-a')),
      steps(attend('1-a', 'end'), attend('2-b')),
    ],
    [
      'one that rests ends',
      group(...atWork('1-a'), ...atWork('2-b'), rests('1-a'), dropped('1-a')),
      steps(attend('1-a', 'end'), attend('2-b')),
    ],
    [
      'one without a copy ends',
      group(begun('1-a', 'm-1-a'), ...atWork('2-b'), dropped('1-a')),
      steps(attend('1-a', 'end'), attend('2-b')),
    ],
    [
      'one that is not begun is skipped',
      group(...atWork('1-a'), dropped('2-b')),
      { kind: 'node.skipped', data: { node: '2-b', why: 'another was first' } },
    ],
    [
      'it ends while the group rests, too',
      group(...atWork('1-a'), dropped('1-a'), rests('1-a'), held()),
      steps(attend('1-a', 'end')),
    ],
  ])
})
