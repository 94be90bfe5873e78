/** The cost of several runs together: a sum is exact only if each of them has reported all of its part. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isIncomplete,
  knownOf,
  nothingSpent,
  type Spent,
  spentAfter,
} from '../../../../src/core/loop/spent.ts'
import type { Event, EventOf } from '../../../../src/model/loop/event.ts'
import { formatCost } from '../../../../src/model/units.ts'
import { ended, lost } from '../../../rig/given.ts'

function spentBy(events: Event[]): Spent {
  return events.reduce(
    (now, event) => spentAfter(now, event as EventOf<'run.ended'> | EventOf<'run.lost'>),
    nothingSpent,
  )
}

/** The sum as it is shown. */
function shown(...events: Event[]): string {
  const spent = spentBy(events)
  return spent.costUsd === null ? 'unknown' : formatCost(spent.costUsd, knownOf(spent))
}

const limit = { until: null, why: 'limit' }

test('a sum with an unknown part is a lower bound', () => {
  const table: [string, Event[]][] = [
    ['unknown', []],
    ['$1.50', [ended(1, { costUsd: 1.5 })]],
    ['$3.50', [ended(1, { costUsd: 1.5 }), ended(2, { costUsd: 2 })]],
    ['~$3.50', [ended(1, { costUsd: 1.5 }), ended(2, { costUsd: 2, estimated: true })]],
    ['at least $0.90', [ended(1, { how: 'timeout', costUsd: 0.9, costIncomplete: true })]],
    ['at least ~$0.90', [ended(1, { how: 'killed', costUsd: 0.9, costIncomplete: true, estimated: true })]],
    ['at least $0.006', [ended(1, { costUsd: 0.006 }), ended(2), ended(3)]],
    ['at least $1', [ended(1, { how: 'stopped', costIncomplete: true }), ended(2, { costUsd: 1 })]],
    ['at least $1', [lost(1), ended(2, { costUsd: 1 })]],
    ['unknown', [ended(1), ended(2)]],
    ['unknown', [ended(1, { how: 'timeout', costIncomplete: true })]],
    ['$1', [ended(1, { limit }), ended(2, { auth: 'no key' }), ended(3, { costUsd: 1 })]],
    ['$1', [ended(1, { how: 'unstartable', exitCode: 127 }), ended(2, { costUsd: 1 })]],
    ['at least $1', [ended(1, { limit, costIncomplete: true }), ended(2, { costUsd: 1 })]],
  ]
  for (const [words, events] of table) assert.equal(shown(...events), words, JSON.stringify(events))
})

test('what a lost run had said counts', () => {
  const event = lost(1) as EventOf<'run.lost'>
  const said: Event = { ...event, data: { ...event.data, costUsd: 0.5, costIncomplete: true } }
  assert.equal(shown(said, ended(2, { costUsd: 1 })), 'at least $1.50')
})

test('an agent that never reports is no reason to call nothing incomplete', () => {
  assert.equal(isIncomplete(spentBy([ended(1)])), false)
  assert.equal(isIncomplete(spentBy([ended(1, { how: 'stopped', costIncomplete: true })])), true)
})
