/** A plan whose gate has passed completes on its verdict only in the tree in which it passed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GroupState } from '../../../../src/core/group/state.ts'
import type { GroupEvent } from '../../../../src/model/group/event.ts'
import { aPlan, driven, type Fate, quiet, resumed, told } from '../../../rig/driven-plan.ts'
import { aSpec } from '../../../rig/given.ts'
import { afterEvents, held } from '../../../rig/given-group.ts'

const asking = { ...quiet, shape: 'tool-review' } as const
const given = { answers: { recall: 'no', G1: 'yes' } }
const edited: Fate = node => (node === 'tree' ? {} : undefined)
const holds: Fate = node => (node === 'holdout' ? { how: 'completed' } : undefined)
const checks = ['gate/1/c1', 'gate/1/m1', 'gate/1/m2']
const yes = { kind: 'answer', by: 'me', text: 'yes' } as const

function asksG3(more: Parameters<typeof aPlan>[1] = {}): GroupState {
  const { state } = driven(aPlan(asking, { ...given, ...more }, { attended: true }), asking, holds)
  assert.equal(state.nodes.at(-1)?.node.id, 'G3')
  return state
}

/** What is begun after the answer, each as often as it is. */
const judged = (started: string[]) => started.filter(node => /^gate|^holdout|^G3|^T-/.test(node))

/** Differs the first time that it is compared. */
function once(): Fate {
  let times = 0
  return node => (node === 'tree' && (times += 1) === 1 ? {} : undefined)
}

test('answered in the same tree, the plan goes on to its end', () => {
  const { state, started } = driven(told(asksG3(), yes), asking)
  assert.deepEqual(state.outcome, { kind: 'completed' })
  assert.deepEqual(judged(started), [])
})

test('in another tree all checks run again in their order, then the look; G3 is not asked again', () => {
  const { state, started } = driven(told(asksG3(), yes), asking, once())
  assert.deepEqual(state.outcome, { kind: 'completed' })
  assert.deepEqual(judged(started), [...checks, 'gate/1/look'])
})

test('the hold-out runs again after the checks', () => {
  const loop = { ...aSpec(), holdout: 'hidden', maxIterations: 100 }
  const differs = once()
  const { state, started } = driven(
    told(asksG3({ loop }), yes),
    asking,
    (node, attempt) => holds(node, attempt) ?? differs(node, attempt),
  )
  assert.deepEqual(state.outcome, { kind: 'completed' })
  assert.deepEqual(judged(started), [...checks, 'gate/1/look', 'holdout'])
})

test('a tree that differs whenever it is compared: the plan comes to its end', () => {
  const { state, started } = driven(told(asksG3(), yes), asking, edited)
  assert.deepEqual(state.outcome, { kind: 'completed' })
  // Once after the answer, and once after the question about deviations.
  assert.deepEqual(judged(started), [...checks, 'gate/1/look', ...checks, 'gate/1/look'])
})

test('a criterion that is not met any more becomes a task, and then G3 is asked again', () => {
  const differs = once()
  const fate: Fate = (node, attempt) =>
    node === 'gate/1/c1' && attempt === 2 ? { how: 'failed' } : differs(node, attempt)
  const { state, started } = driven(told(asksG3(), yes), asking, fate)
  assert.equal(state.outcome, null)
  assert.deepEqual(judged(started).slice(0, 5), [...checks, 'T-003', 'T-003/apply'])
  assert.equal(judged(started).at(-1), 'G3')
  assert.deepEqual(driven(told(state, yes), asking).state.outcome, { kind: 'completed' })
})

test('while G3 waits nothing is compared, also if the plan is paused and resumed: nobody works beside a person', () => {
  const pause: GroupEvent[] = [held(), { kind: 'group.resumed', data: {} }]
  const { state, started } = driven(afterEvents(asksG3(), ...pause), asking, edited)
  assert.deepEqual([state.outcome, started], [null, []])
})

test('who says no is not kept from it', () => {
  const { state, started } = driven(told(asksG3(), { ...yes, text: 'no' }), asking, edited)
  assert.deepEqual(state.outcome, { kind: 'failed', reason: 'rejected', why: 'G3' })
  assert.deepEqual(started, [])
})

test('a pause between two checks: those that have ended run again in another tree, before the next one', () => {
  const before = driven(aPlan(quiet), quiet, node => (node === 'gate/1/m1' ? { how: 'lost' } : undefined))
  const at = before.state.nodes.findIndex(({ node }) => node.id === 'gate/1/m1')
  // As if its host had been told to pause after the first check.
  const cut: GroupState = {
    ...before.state,
    outcome: null,
    compared: null,
    nodes: before.state.nodes
      .slice(0, at + 2)
      .map((one, i) => (i < at ? one : { ...one, stage: 'planned', attempt: 0, end: null, endedSeq: null })),
  }
  const pause: GroupEvent[] = [held(), { kind: 'group.resumed', data: {} }]
  const { state, started } = driven(afterEvents(cut, ...pause), quiet, once())
  assert.deepEqual(state.outcome, { kind: 'completed' })
  assert.deepEqual(started.slice(0, 3), checks)
})

test('checks whose tree was not saved run again', () => {
  const old = asksG3()
  const nodes = old.nodes.map(one => {
    if (one.node.kind !== 'command' || !one.end) return one
    const { tree: _, ...end } = one.end
    return { ...one, end }
  })
  const { state, started } = driven(told({ ...old, nodes, compared: null }, yes), asking)
  assert.deepEqual(state.outcome, { kind: 'completed' })
  assert.deepEqual(judged(started), [...checks, 'gate/1/look'])
})

test('a suspicion that was accepted is not asked about again, another one is', () => {
  const suspect = (files: string[]) => ({ how: 'failed' as const, looked: { is: 'suspect' as const, files } })
  const ask = (second: string[]) => {
    const differs = once()
    const fate: Fate = (node, attempt) =>
      node === 'gate/1/look' ? suspect(attempt === 1 ? ['test/a'] : second) : undefined
    const asks = driven(aPlan(quiet, given, { attended: true }), quiet, fate).state
    assert.equal(asks.nodes.at(-1)?.node.id, 'suspect/1')
    return driven(told(asks, yes), quiet, (node, attempt) => differs(node, attempt) ?? fate(node, attempt))
  }
  assert.deepEqual(ask(['test/a']).state.outcome, { kind: 'completed' })
  const other = ask(['test/b']).state
  assert.deepEqual([other.outcome, other.nodes.at(-1)?.node.id], [null, 'suspect/1/2'])
})

test('a checklist without an answer is asked again at the resume, also where the tree has to be compared', () => {
  const mute: Fate = node => (node === 'gate/1/checklist' ? { how: 'failed', answer: undefined } : undefined)
  const { state } = driven(aPlan(quiet), quiet, mute)
  assert.equal(state.hold, 'no-answer')
  const { events } = resumed({ ...state, interruptedSeq: state.seq })
  assert.deepEqual(events, [
    { kind: 'node.reopened', data: { node: 'gate/1/checklist', facts: { kind: 'group-resumed' } } },
  ])
})
