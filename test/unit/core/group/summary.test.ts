/** The fold of a group and its row: status, reason, whether it holds its tree; and that neither can fail. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { admitGroup, type GroupWish } from '../../../../src/core/group/admit.ts'
import { decideGroup } from '../../../../src/core/group/decide.ts'
import { beginGroup, evolveGroup } from '../../../../src/core/group/evolve.ts'
import { groupMachine } from '../../../../src/core/group/machine.ts'
import { type GroupState, isKind } from '../../../../src/core/group/state.ts'
import { summarizeGroup } from '../../../../src/core/group/summary.ts'
import type { GroupEvent, GroupRecorded } from '../../../../src/model/group/event.ts'
import {
  aChoice,
  afterEvents,
  aGate,
  aGroup,
  aHook,
  aMeasure,
  anApply,
  anAttempt,
  applyStages,
  attempted,
  atWork,
  begun,
  broken,
  cancelled,
  checked,
  conflicted,
  dropped,
  failed,
  held,
  initial,
  newGroup,
  nodeIn,
  over,
  planned,
  recordedOf,
  rests,
  unapplied,
} from '../../../rig/given-group.ts'
import { bothRest, goes, group, two, upTo } from './rows.ts'

const completed: GroupEvent = { kind: 'group.completed', data: {} }
const queued: GroupEvent = { kind: 'group.queued', data: { priority: 'normal' } }
const dequeued: GroupEvent = { kind: 'group.dequeued', data: {} }
const rollback: GroupEvent = {
  kind: 'rollback.requested',
  data: { to: 'initial', tree: 'tree-0', keepAs: 'before-rollback-1' },
}

type Row = [what: string, state: GroupState, status: string, reason: string | null, detail?: RegExp]

describe('status and reason', () => {
  const asks = (...events: GroupEvent[]) => afterEvents(aGroup([aGate('pick'), anAttempt('1-a')]), ...events)
  const rows: Row[] = [
    ['new', newGroup(), 'running', null],
    ['waits for its turn', afterEvents(newGroup(), queued), 'queued', null],
    ['has its turn', afterEvents(newGroup(), queued, dequeued), 'running', null],
    ['at work', group(...atWork('1-a')), 'running', null],
    ['comes to rest', group(...atWork('1-a'), held()), 'running', null],
    ['rests', group(...bothRest(), held()), 'paused', 'paused-by-user', /1-a \(m-1-a\): paused-by-user, 2-b/],
    ['a gate is open', asks(begun('pick')), 'waiting', null, /Which one\?/],
    ['a gate is open beside work', asks(begun('pick'), ...atWork('1-a')), 'running', null],
    ['nobody answered', asks(begun('pick'), held('unanswered')), 'paused', 'unanswered', /Which one\?/],
    ['a step failed', group(begun('1-a', 'm'), broken('1-a')), 'running', null],
    [
      'and let it rest',
      group(begun('1-a', 'm'), broken('1-a'), held('step-failed')),
      'paused',
      'step-failed',
      /copy: disk full/,
    ],
    ['is to go on while it rests', group(...bothRest(), goes('1-a'), held()), 'paused', 'paused-by-user'],
    ['is to go on', group(...bothRest(), goes('1-a')), 'running', null],
    ['is being cancelled', group(...atWork('1-a'), cancelled), 'running', null],
    ['was cancelled', group(cancelled, { kind: 'group.cancelled', data: {} }), 'cancelled', 'cancelled'],
    ['completed', group(completed), 'completed', 'completed'],
    ['failed', group(failed('apply-failed', 'src/a.ts')), 'failed', 'apply-failed', /src\/a\.ts/],
    [
      'completed, not applied',
      group(failed('apply-conflict', 'src/a.ts')),
      'completed',
      'apply-conflict',
      /src\/a\.ts/,
    ],
    [
      'goes on after that',
      group(failed('apply-conflict'), { kind: 'group.resumed', data: {} }),
      'running',
      null,
    ],
    ['of a newer version', afterEvents(group(), unknown()), 'paused', 'newer-journal', /node\.teleported/],
  ]
  for (const [what, state, status, reason, detail = /^/] of rows) {
    test(what, () => {
      const row = summarizeGroup(state)
      assert.deepEqual([row.status, row.reason], [status, reason])
      assert.match(row.detail, detail)
    })
  }
})

function unknown(): GroupEvent {
  return { kind: 'node.teleported', data: { node: '1-a' } } as unknown as GroupEvent
}

describe('holds its tree', () => {
  const inTree = [anAttempt('1-a', { place: 'tree' })]
  const rows: [what: string, state: GroupState, holds: boolean][] = [
    ['until it is saved', newGroup(), true],
    ['not while it waits for its turn', afterEvents(newGroup(), queued), false],
    ['not while attempts work in copies', group(...atWork('1-a')), false],
    ['while a member works in it', afterEvents(aGroup(inTree), begun('1-a', 'm')), true],
    ['while that one rests', afterEvents(aGroup(inTree), begun('1-a', 'm'), rests('1-a'), held()), true],
    [
      'while a copy of it as it is now is made',
      afterEvents(aGroup([anAttempt('1-a', { base: 'now' })]), begun('1-a', 'm')),
      true,
    ],
    ['while a result is brought in', upTo(2), true],
    ['also where that is stuck', upTo(3, broken('apply'), held('step-failed')), true],
    ['not when it is over', upTo(4, checked(true), over('apply')), false],
    ['while it is rolled back', group(completed, rollback), true],
    ['not when it has ended', group(completed), false],
    ['not where its beginning failed', afterEvents(newGroup(), broken(), held('step-failed')), false],
  ]
  for (const [what, state, holds] of rows)
    test(what, () => assert.equal(summarizeGroup(state).holdsTree, holds))
})

test('a row counts ended nodes, their cost, and the winner', () => {
  const choice = { winner: '1-a', by: 'lines', order: [] }
  const nodes = [...two, aChoice(['1-a', '2-b'])]
  const done = [...attempted('1-a', { costUsd: 1.5 }), ...attempted('2-b', { costUsd: null })]
  const row = summarizeGroup(afterEvents(aGroup(nodes), ...done, over('choose', { choice }), completed))
  assert.deepEqual([row.iteration, row.maxIterations, row.costUsd, row.winner], [3, 3, 1.5, '1-a'])
  assert.equal(row.needsSlot, false)
  assert.equal(row.endedAt, row.outcomeAt)
})

describe('what an event changes', () => {
  test('a node that is begun again keeps its number and nothing else', () => {
    const one = nodeIn(
      group(...attempted('1-a'), { kind: 'node.reopened', data: { node: '1-a', because: 'x' } }),
      '1-a',
    )
    assert.deepEqual(
      [one.stage, one.attempt, one.member, one.copy, one.end],
      ['planned', 1, null, null, null],
    )
    assert.deepEqual(one.reopened, [{ why: 'x' }])
  })
  test('a resume changes what it names, and forgets what failed', () => {
    const state = group(begun('1-a', 'm'), broken('1-a'), held('step-failed'), {
      kind: 'group.resumed',
      data: { budgetUsd: 7, attended: true, limits: { maxIterations: 9 } },
    })
    assert.deepEqual(
      [state.spec.budgetUsd, state.spec.attended, state.limits],
      [7, true, { maxIterations: 9 }],
    )
    assert.deepEqual([state.hold, state.failedStep, nodeIn(state, '1-a').isStuck], [null, null, false])
  })
  test('a tree that is saved again begins the apply anew', () => {
    const again: GroupEvent = {
      kind: 'tree.saved',
      data: { name: 'before-apply-1', tree: 'new', node: 'apply' },
    }
    const { applying } = nodeIn(upTo(3, again), 'apply')
    assert.deepEqual([applying.saved, applying.merged, applying.isApplied], ['new', null, false])
  })
  test('a tree that is rolled back has no result in it', () => {
    const state = upTo(4, checked(true), over('apply'))
    assert.equal(state.inTree, '1-a')
    const restored: GroupEvent = { kind: 'tree.restored', data: { to: 'initial', written: 1, deleted: 0 } }
    assert.equal(afterEvents(state, completed, rollback, restored).inTree, null)
  })
  test('an event of another journal kind does not begin one', () => {
    assert.throws(() => beginGroup(recordedOf(completed)), /Internal error/)
  })
})

/** Any event, in any order, for nodes that exist and for some that do not. */
const nodes = [
  ...two,
  aMeasure('metric/1-a', '1-a'),
  aHook('tell'),
  aGate('pick'),
  aChoice(['1-a', '2-b']),
  anApply('1-a'),
]
const ofNode = (id: string): GroupEvent[] => [
  begun(id, id.includes('-') ? `m-${id}` : null),
  over(id),
  over(id, { how: 'failed' }),
  rests(id),
  goes(id),
  dropped(id),
  broken(id),
  { kind: 'copy.freed', data: { node: id } },
  { kind: 'node.reopened', data: { node: id, because: 'x' } },
  { kind: 'node.continued', data: { node: id, attempt: 1 } },
  { kind: 'node.skipped', data: { node: id, why: 'x' } },
]
const ofGroup: GroupEvent[] = [
  initial,
  planned(...nodes),
  completed,
  cancelled,
  queued,
  dequeued,
  rollback,
  held(),
  held('unanswered'),
  failed('nobody-passed'),
  broken(),
  { kind: 'group.resumed', data: {} },
  { kind: 'group.cancelled', data: {} },
  { kind: 'pick.asked', data: { node: '1-a' } },
]
const events = [
  ...ofGroup,
  ...['1-a', '2-b', 'apply', 'pick', 'tell', 'metric/1-a', 'nobody'].flatMap(ofNode),
  ...applyStages,
  conflicted,
  unapplied,
  checked(true),
  checked(false),
]
const wishes = [
  ...(['pause', 'resume', 'cancel', 'dequeue'] as const).map(kind => ({ kind })),
  { kind: 'enqueue', resume: { kind: 'resume' } },
  { kind: 'answer', by: 'me', text: 'yes' },
  { kind: 'pick', node: '1' },
  { kind: 'rollback', to: 'initial' },
  { kind: 'inject', text: 'x' },
] as GroupWish[]

test('any event after any state folds, is decided on and summed up; any command has an answer', () => {
  const story = fc.array(fc.constantFrom(...events), { maxLength: 40 })
  const told = (all: GroupEvent[], isBackground: boolean) => {
    let state = afterEvents(aGroup(nodes), ...(isBackground ? [queued, dequeued] : []))
    for (const event of all) {
      if (!canHappen(state, event)) continue
      state = evolveGroup(state, recordedOf(event, { seq: state.seq + 1 }))
      assertTotal(state)
    }
  }
  const runs = process.env['LOOP_LONG'] ? { numRuns: 20_000 } : { numRuns: 500, seed: 20_261_117 }
  fc.assert(fc.property(story, fc.boolean(), told), runs)
})

function assertTotal(state: GroupState): void {
  const next = decideGroup(state)
  const { status } = summarizeGroup(state)
  // The status is paused exactly if the next decision is to rest.
  const isOpen = state.outcome === null && state.queuedAt === null && !state.rollback
  if (isOpen) assert.equal(status === 'paused', next.do === 'rest', `${status}: ${JSON.stringify(next)}`)
  if (next.do === 'record') groupMachine.parseEvent(next.event)
  for (const wish of wishes) {
    const admission = admitGroup(state, wish)
    if (admission.ok) for (const one of admission.events) groupMachine.parseEvent(one)
  }
}

/** A node that was never begun neither rests nor ends; only a node with a member rests and is called. */
function canHappen({ nodes: all }: GroupState, { kind, data }: GroupEvent): boolean {
  if (kind === 'node.called' || kind === 'node.rested' || kind === 'node.continued')
    return all.some(one => one.node.id === data.node && isKind(one, 'loop') && one.member !== null)
  if (['node.started', 'node.dropped', 'step.failed'].includes(kind) || !('node' in data)) return true
  return all.some(({ node, attempt }) => node.id === data.node && attempt > 0)
}

test('an event of a newer version stops a group, and is counted', () => {
  const newer = recordedOf(completed, { v: 99, seq: 7 } as Partial<GroupRecorded>)
  const state = evolveGroup(group(), newer)
  assert.deepEqual([state.seq, state.unknown, state.outcome], [7, 'version 99', null])
})
