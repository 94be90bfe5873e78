/** Whether a verdict of a group is about the tree that is there: what has to be compared, and what runs again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupMachine } from '../../../../src/core/group/machine.ts'
import type { GroupState } from '../../../../src/core/group/state.ts'
import type { GroupEvent } from '../../../../src/model/group/event.ts'
import {
  aChoice,
  afterEvents,
  aGate,
  aGroup,
  aHook,
  anApply,
  anAttempt,
  applyStages,
  attempted,
  begun,
  checked,
  failed,
  held,
  over,
  planned,
} from '../../../rig/given-group.ts'
import { begin, choice, resumed, steps, takesTree } from '../group/rows.ts'

const nodes = [anAttempt('1-a'), anAttempt('2-b'), aChoice(['1-a', '2-b'])]

/** The promise has passed in the tree, and has left it as `tree-3`; `tree: null`: it was not saved. */
function verified(tree: string | null, ...events: GroupEvent[]): GroupState {
  const green = checked(true) as Extract<GroupEvent, { kind: 'tree.checked' }>
  return afterEvents(
    aGroup(nodes),
    ...attempted('1-a'),
    ...attempted('2-b'),
    over('choose', { choice }),
    planned(anApply('1-a', { needs: ['choose'] })),
    ...applyStages,
    { ...green, data: { ...green.data, ...(tree !== null && { tree }) } },
    ...events,
  )
}

const ends = over('apply')
const compared = (files: number): GroupEvent => ({
  kind: 'tree.compared',
  data: { changes: { added: 0, removed: 0, files } },
})
const incomparable: GroupEvent = { kind: 'tree.compared', data: { changes: null } }

const completed = { kind: 'group.completed', data: {} }
const compare = steps({ kind: 'compare', compareWith: 'tree-3' })
const again = { kind: 'node.reopened', data: { node: 'apply', facts: { kind: 'tree-edited' } } }
const pause = [held(), resumed]

const rows: [what: string, state: GroupState, epoch: number, next: object][] = [
  ['the end follows at once', verified('tree-3', ends), 1, completed],
  ['another host: compared', verified('tree-3', ends), 2, compare],
  [
    'another host before the apply has ended: first that',
    verified('tree-3'),
    2,
    { ...ends, data: { node: 'apply', attempt: 1, how: 'completed' } },
  ],
  ['a pause: compared', verified('tree-3', ends, ...pause), 1, compare],
  ['the same tree: the end', verified('tree-3', ends, ...pause, compared(0)), 1, completed],
  ['another tree: verified again', verified('tree-3', ends, ...pause, compared(1)), 1, again],
  [
    'a tree that cannot be compared: verified again',
    verified('tree-3', ends, ...pause, incomparable),
    1,
    again,
  ],
  [
    'compared by an earlier host: compared again',
    verified('tree-3', ends, ...pause, compared(0)),
    2,
    compare,
  ],
  [
    'compared, then a pause: compared again',
    verified('tree-3', ends, ...pause, compared(0), ...pause),
    1,
    compare,
  ],
  ['not saved, the end follows at once', verified(null, ends), 1, completed],
  ['not saved, interrupted: verified again', verified(null, ends, ...pause), 1, again],
]

function decided(state: GroupState, epoch: number): object {
  const next = groupMachine.decide(state, 0, epoch)
  return next.do === 'record' ? next.event : next
}

for (const [what, state, epoch, next] of rows)
  test(`an apply whose promise has passed, ${what}`, () => assert.deepEqual(decided(state, epoch), next))

test('verified again, the new verdict counts, and no difference is looked for any more', () => {
  const reopened = again as GroupEvent
  const state = verified('tree-3', ends, ...pause, compared(1), reopened)
  assert.deepEqual(decided(state, 1), steps({ ...begin('apply', 2), ...takesTree }))
  const stages = [
    begun('apply', null, 2),
    ...applyStages.slice(1),
    checked(true),
    over('apply', { attempt: 2 }),
  ]
  assert.deepEqual(decided(afterEvents(state, ...stages), 1), completed)
})

test('verified again and failed, the group has failed, and what is in the tree is told', () => {
  const undone: GroupEvent[] = [begun('apply', null, 2), ...applyStages.slice(1), checked(false)]
  const taken: GroupEvent = { kind: 'tree.unapplied', data: { node: 'apply' } }
  const state = verified('tree-3', ends, ...pause, compared(1), again as GroupEvent, ...undone, taken)
  const after = afterEvents(state, over('apply', { attempt: 2, how: 'failed' }))
  assert.deepEqual(decided(after, 1), failed('apply-failed'))
  assert.equal(after.inTree, '1-a')
})

test('once the hook is planned, the result is decided', () => {
  const hooks = { complete: 'tell', timeoutMs: 1_000 }
  const before = verified('tree-3', ends)
  const state = { ...before, spec: { ...before.spec, hooks } }
  const told = afterEvents(state, planned(aHook('on_complete')), ...pause)
  assert.deepEqual(decided(told, 2), steps(begin('on_complete')))
})

test('a question that a person has answered is an interruption; one that nobody was asked is none', () => {
  const asked = planned(aGate('g'))
  const answered = over('g', { answer: 'yes', by: 'me' })
  const seq = (...events: GroupEvent[]) => {
    const state = verified('tree-3', asked, ...events)
    return state.interruptedSeq === state.seq
  }
  assert.equal(seq(begun('g'), answered), true)
  assert.equal(seq(answered), false)
})

test('a pick that came to nothing: the earlier result is still in the tree, and is verified if the tree is another one', () => {
  const picked: GroupEvent[] = [
    { kind: 'group.completed', data: {} },
    { kind: 'pick.asked', data: { node: '2-b' } },
    planned(anApply('2-b', { id: 'apply-2' })),
    begun('apply-2'),
    over('apply-2', { how: 'conflict', conflicts: ['a'] }),
  ]
  const state = verified('tree-3', ends, ...picked)
  assert.deepEqual(decided(state, 1), completed)
  assert.deepEqual(decided(state, 2), compare)
  assert.deepEqual(decided(afterEvents(state, resumed, compared(1)), 1), again)
})
