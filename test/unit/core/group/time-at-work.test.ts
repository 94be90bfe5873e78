/**
 * The working time of a group: without its rests, its time in the queue, its waiting for an answer, and the time
 * without a host.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evolveGroup } from '../../../../src/core/group/evolve.ts'
import type { GroupState } from '../../../../src/core/group/state.ts'
import { summarizeGroup } from '../../../../src/core/group/summary.ts'
import type { GroupEvent } from '../../../../src/model/group/event.ts'
import {
  aGate,
  aGroup,
  anAttempt,
  begun,
  copied,
  held,
  over,
  recordedOf,
  rests,
} from '../../../rig/given-group.ts'

const hour = 3_600_000
const resumed: GroupEvent = { kind: 'group.resumed', data: {} }
const queued: GroupEvent = { kind: 'group.queued', data: { priority: 'normal' } }
const dequeued: GroupEvent = { kind: 'group.dequeued', data: {} }
const answered: GroupEvent = {
  kind: 'node.ended',
  data: { node: 'pick', attempt: 1, how: 'completed', answer: 'yes', by: 'me' },
}

type Later = [ms: number, event: GroupEvent, epoch?: number]

function after(state: GroupState, ...events: Later[]): GroupState {
  return events.reduce(
    (now, [ms, event, epoch = now.epoch]) =>
      evolveGroup(now, recordedOf(event, { seq: now.seq + 1, at: now.lastAt + ms, epoch })),
    state,
  )
}

/** The additional working time after these events. */
function worked(state: GroupState, ...events: Later[]): number {
  return after(state, ...events).activeMs - state.activeMs
}

const busy = after(aGroup([anAttempt('1-a')]), [0, begun('1-a', 'm')], [0, copied('1-a')])

test('time at work is what is between events, without rests', () => {
  const gate = after(aGroup([aGate('pick')]), [0, begun('pick')])
  const ended = over('1-a', { durationMs: 5_000 })
  const rows: [what: string, ms: number, expected: number][] = [
    ['at work', worked(busy, [hour, ended]), hour],
    [
      'its members finish their iterations after a hold',
      worked(busy, [0, held()], [hour, rests('1-a')]),
      hour,
    ],
    ['it rests', worked(busy, [0, held()], [0, rests('1-a')], [hour, resumed], [7, held()]), 7],
    ['it waits for its turn', worked(busy, [0, queued], [hour, dequeued], [7, ended]), 7],
    ['it waits for an answer', worked(gate, [hour, answered]), 0],
    ['nobody hosted it', worked(busy, [hour, held(), 9]), 0],
    ['nobody hosted it, and a member ended', worked(busy, [hour, ended, 9]), 5_000],
    ['a clock that was set back', worked(busy, [-hour, ended]), 0],
  ]
  for (const [what, ms, expected] of rows) assert.equal(ms, expected, what)
})

test('the time in its row grows while the group works, and stands still while it rests', () => {
  assert.equal(summarizeGroup(busy).activeSince, busy.lastAt)
  const resting = after(busy, [0, held()], [hour, rests('1-a')])
  const { activeMs, activeSince } = summarizeGroup(resting)
  assert.deepEqual([activeMs, activeSince], [busy.activeMs + hour, null])
})
