/** Applying a result to the tree, a rollback, and the end of a group: one row for each stage. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GroupEvent } from '../../../../src/model/group/event.ts'
import {
  afterEvents,
  aGroup,
  anAttempt,
  attempted,
  checked,
  conflicted,
  failed,
  initial,
  over,
  planned,
  unapplied,
} from '../../../rig/given-group.ts'

import { applied, begin, check, group, nextOf, rest, save, stage, steps, takesTree, upTo } from './rows.ts'

describe('an apply', () => {
  check([
    ['takes the tree', upTo(0), steps({ ...begin('apply'), ...takesTree })],
    ['saves it', upTo(1), steps(save)],
    ['merges', upTo(2), steps(stage('merge'))],
    ['writes', upTo(3), steps(stage('write'))],
    ['runs the promise', upTo(4), steps(stage('check'))],
    ['is over where that holds', upTo(4, checked(true)), applied('completed')],
    ['takes it back where it does not', upTo(4, checked(false)), steps(stage('undo'))],
    [
      'and has failed then',
      upTo(4, checked(false), unapplied),
      applied('failed', { facts: { kind: 'promise-fails-in-tree' } }),
    ],
    ['ends with a conflict', upTo(2, conflicted), applied('conflict', { conflicts: ['src/cart.ts'] })],
    [
      'begins anew where the tree was changed before it was written',
      upTo(3, { kind: 'tree.saved', data: { name: 'before-apply-1', tree: 'tree-3', node: 'apply' } }),
      steps(stage('merge')),
    ],
    ['without files of a promise, nothing is to hold', upTo(4, unchecked()), applied('completed')],
  ])
})

function unchecked(): GroupEvent {
  return { kind: 'tree.checked', data: { node: 'apply', results: [] } }
}

describe('a rollback', () => {
  const asked: GroupEvent = {
    kind: 'rollback.requested',
    data: { to: 'initial', tree: 'tree-0', keepAs: 'before-rollback-1' },
  }
  const kept: GroupEvent = {
    kind: 'tree.saved',
    data: { name: 'before-rollback-1', tree: 'tree-9', node: null },
  }
  const restore = { kind: 'restore', to: 'initial', tree: 'tree-0', keepAs: 'before-rollback-1' }
  const ended = group(failed('nobody-passed'))
  check([
    [
      'saves what is there',
      afterEvents(ended, asked),
      steps({ kind: 'save', name: 'before-rollback-1', node: null }),
    ],
    ['then brings back what was', afterEvents(ended, asked, kept), steps(restore)],
    [
      'then it rests again',
      afterEvents(ended, asked, kept, {
        kind: 'tree.restored',
        data: { to: 'initial', written: 1, deleted: 0 },
      }),
      rest,
    ],
    [
      'also where that failed',
      afterEvents(ended, asked, { kind: 'rollback.failed', data: { to: 'initial', why: 'disk' } }),
      rest,
    ],
  ])
})

test('a group ends as its program says', () => {
  const lost = [...attempted('1-a', { how: 'failed' }), ...attempted('2-b', { how: 'crashed' })]
  assert.deepEqual(nextOf(group(...lost)), failed('nobody-passed'))
  assert.deepEqual(nextOf(upTo(4, checked(true), over('apply'))), { kind: 'group.completed', data: {} })
  assert.deepEqual(
    nextOf(upTo(2, conflicted, over('apply', { how: 'conflict', conflicts: ['src/cart.ts'] }))),
    failed('apply-conflict', 'src/cart.ts'),
  )
  assert.deepEqual(nextOf(afterEvents(aGroup([]), initial, planned(anAttempt('1-a')))), steps(begin('1-a')))
})
