/** What a plan does again when it is resumed: what it has failed by, and nothing that was finished. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admitGroup } from '../../../../src/core/group/admit.ts'
import { openGate } from '../../../../src/core/group/state.ts'
import { findingId } from '../../../../src/core/plan/finding-identity.ts'
import { outlineOf } from '../../../../src/core/programs/plan/outline.ts'
import type { PlanSpec } from '../../../../src/model/group/plan.ts'
import { aPlan, driven, type Fate, quiet, resumed, told } from '../../../rig/driven-plan.ts'
import { aSpec } from '../../../rig/given.ts'
import { afterEvents, held, rests } from '../../../rig/given-group.ts'
import { finding, modelAnswer, type WorkPlan } from '../../../rig/planned-work.ts'

test('a plan comes to its end', () => {
  const { state, started } = driven(aPlan(quiet), quiet)
  assert.deepEqual(state.outcome, { kind: 'completed' })
  assert.deepEqual(started.slice(0, 4), ['shape', 'tasks', 'T-001', 'T-001/apply'])
})

test('a gate that has failed is looked at again as a whole, and what an earlier one found counts no more', () => {
  // The first criterion is met since the second round; mending it has broken the second one.
  const rounds: Fate = node => {
    if (/^gate\/1\/c1$|^gate\/[23]\/c2$/.test(node)) return { how: 'failed' }
    return /^gate\/\d\/c/.test(node) ? { how: 'completed' } : undefined
  }
  const twoCriteria = aPlan(quiet, { given: shapeOf('c-one', 'c-two') })
  const failed = driven(twoCriteria, quiet, rounds).state
  assert.deepEqual(failed.outcome, { kind: 'failed', reason: 'gate-failed', why: 'c-two' })
  const still = driven(resumed(failed).state, quiet, (node, attempt) =>
    attempt > 1 && /^gate\/\d\/c1$/.test(node) ? { how: 'completed' } : rounds(node, attempt),
  )
  assert.deepEqual(still.state.outcome, { kind: 'failed', reason: 'gate-failed', why: 'c-two' })
  assert.deepEqual(still.started, ['gate/3/c1', 'gate/3/c2', 'gate/3/m1', 'gate/3/m2'])
  const mended = driven(resumed(still.state).state, quiet)
  assert.deepEqual(mended.state.outcome, { kind: 'completed' })
})

test('a forbidden thing that cannot be judged is not taken for something that is not so', () => {
  const rows = [
    [{ exitCode: 127 }, 'exit 127: command not found'],
    [{ exitCode: 143, why: 'its time was up' }, 'its time was up'],
    [{ exitCode: 137 }, 'killed by signal 9'],
  ] as const
  for (const [end, why] of rows) {
    const fate: Fate = (node, attempt) =>
      node === 'gate/1/m1' && attempt === 1 ? { how: 'failed', ...end } : undefined
    const { state } = driven(aPlan(quiet), quiet, fate)
    const said = `a dependency is added cannot be judged (${why})`
    assert.deepEqual(state.outcome, { kind: 'failed', reason: 'gate-failed', why: said })
    const again = driven(resumed(state).state, quiet, fate)
    assert.deepEqual(again.started.slice(0, 3), ['gate/1/c1', 'gate/1/m1', 'gate/1/m2'])
    assert.deepEqual(again.state.outcome, { kind: 'completed' })
  }
})

function shapeOf(...criteria: string[]): NonNullable<PlanSpec['given']> {
  const answer = JSON.parse(
    modelAnswer(quiet, { node: 'shape', attempt: 1, schema: 'shape', about: [] }) ?? '',
  )
  const commands = criteria.map(name => ({ name, command: name, verification: 'execution output' }))
  return { ...answer, criteria: commands }
}

test('after a task that failed, only that one goes on: no gate is asked and no question put again', () => {
  const plan = { ...quiet, mute: 'review' } as const
  const given = { answers: { recall: 'no' } }
  const fate: Fate = node => (node === 'T-002' ? { how: 'failed' } : undefined)
  const failed = driven(aPlan(plan, given), plan, fate).state
  assert.deepEqual(failed.outcome, { kind: 'failed', reason: 'node-failed', why: 'T-002' })
  const { events, state } = resumed(failed)
  assert.deepEqual(events, [
    { kind: 'node.called', data: { node: 'T-002' } },
    { kind: 'node.reopened', data: { node: 'T-002/apply', facts: { kind: 'group-resumed' } } },
  ])
  const { started } = driven(state, { ...plan, mute: null })
  assert.deepEqual(started.slice(0, 2), ['T-002/apply', 'wave-1/review'])
})

test('of questions without an answer, only those that the plan waits for are put again', () => {
  const plan = { ...quiet, mute: 'verification' } as const
  const isMute: Fate = node =>
    /^wave-1\/review$|^review\/1\/2-/.test(node) ? { how: 'failed', answer: undefined } : undefined
  const { state } = driven(aPlan(plan), plan, isMute)
  assert.equal(state.hold, 'no-answer')
  assert.deepEqual(resumed(state).events, [
    { kind: 'node.reopened', data: { node: 'review/1/verify-1', facts: { kind: 'group-resumed' } } },
  ])
})

test('a gate that was refused is asked again', () => {
  const plan = { ...quiet, shape: 'tool-review' } as const
  const { state } = driven(aPlan(plan, { answers: { recall: 'no', G1: 'no' } }), plan)
  assert.deepEqual(state.outcome, { kind: 'failed', reason: 'rejected', why: 'G1' })
  assert.deepEqual(resumed(state).events, [
    { kind: 'node.reopened', data: { node: 'G1', facts: { kind: 'group-resumed' } } },
  ])
})

test('a member that waits for advice is not woken without it', () => {
  const plan = { ...quiet, tasks: quiet.tasks.slice(0, 1), counsel: true }
  const before = driven(aPlan(plan), plan, node => (node === 'T-001' ? { how: 'failed' } : undefined)).state
  // As if it had rested in place of failing.
  const asks = {
    ...before,
    outcome: null,
    nodes: before.nodes.map(one =>
      one.node.id === 'T-001' ? { ...one, stage: 'started' as const, end: null } : one,
    ),
  }
  const paused = afterEvents(asks, rests('T-001', 'advice-wanted'), held())
  assert.deepEqual(resumed(paused).events, [])
})

/** A blocker that stands in three rounds, whatever is done about it. */
const stubborn: WorkPlan = { ...quiet, findings: [{ severity: 'BLOCKER', stands: true }], foundIn: 3 }
const blocker = findingId(finding(0, 'BLOCKER'))

function decision(how: 'approve' | 'task' | 'skip') {
  return { kind: 'review', finding: blocker, how, by: 'you', text: '' } as const
}

test('a review that still finds blockers after three rounds fails the plan, and names them', () => {
  const { state, started } = driven(aPlan(stubborn), stubborn)
  assert.deepEqual(state.outcome, { kind: 'failed', reason: 'review-failed', why: blocker })
  assert.ok(!started.some(node => node.startsWith('gate/')), 'the gate comes after a review that passes')
})

test('resumed, it has one more round: what stands becomes a task, and nothing is done again', () => {
  const failed = driven(aPlan(stubborn), stubborn).state
  const { state, started } = driven(resumed(failed).state, stubborn)
  assert.deepEqual(state.outcome, { kind: 'completed' })
  assert.deepEqual(started.slice(0, 3), ['T-005', 'T-005/apply', 'wave-4/review'])
  assert.ok(started.includes('review/4/1-correctness') && started.includes('gate/4/c1'))
  const twice = driven(resumed(failed).state, { ...stubborn, foundIn: 4 })
  assert.equal(twice.state.outcome?.kind, 'failed')
  assert.deepEqual(driven(resumed(twice.state).state, stubborn).state.outcome, { kind: 'completed' })
})

test('what a person lives with stands no more, and earlier rounds stay what they were', () => {
  const failed = driven(aPlan(stubborn), stubborn).state
  const tasks = outlineOf(failed).tasks.map(({ id }) => id)
  const approved = told(failed, decision('approve'))
  assert.deepEqual(
    outlineOf(approved).tasks.map(({ id }) => id),
    tasks,
  )
  const { state, started } = driven(resumed(approved).state, stubborn)
  assert.deepEqual(state.outcome, { kind: 'completed' })
  assert.deepEqual(started.slice(0, 2), ['gate/3/c1', 'gate/3/m1'], 'the review is not made again')
  assert.deepEqual(outlineOf(state).thorough, { passed: true, blockersRemaining: 0 })
  assert.equal(admitGroup(state, decision('task')).ok, false, 'one that has completed hears nothing')
})

test('what a person says of a blocker is told to whoever mends it, and to the next review', () => {
  const failed = driven(aPlan(stubborn), stubborn).state
  const said = told(failed, { ...decision('skip'), how: 'discuss', text: 'only the title is wrong' })
  const { state } = driven(resumed(said).state, stubborn)
  const promptOf = (id: string) => {
    const one = state.nodes.find(({ node }) => node.id === id)?.node
    return one?.kind === 'loop' ? one.spec.prompt : ''
  }
  assert.match(promptOf('T-005'), /A person says of it: only the title is wrong/)
  assert.match(promptOf('review/4/1-correctness'), /only the title is wrong/)
  assert.doesNotMatch(promptOf('T-004'), /only the title/)
})

test('an answer that was given beforehand is used once', () => {
  const plan = { ...quiet, shape: 'tool-review' } as const
  const { state } = driven(aPlan(plan, { answers: { recall: 'no', G1: 'no', G3: 'yes' } }), plan)
  const again = driven(resumed(state).state, plan)
  assert.equal(again.state.hold, 'unanswered', 'the gate that it refused is for a person now')
  const agreed = told(again.state, { kind: 'answer', by: 'you', text: 'yes' })
  assert.deepEqual(driven(agreed, plan).state.outcome, { kind: 'completed' })
})

test('of two rounds of a question it answers the first; the second, where somebody can be asked, is theirs', () => {
  const plan = { ...quiet, shape: 'blocked' } as const
  const answers = { recall: 'no', outcome: 'x', scope: 'x', constraints: 'x', success: 'x', done: 'x' }
  const asked = driven(aPlan(plan, { answers }, { attended: true }), plan).state
  assert.match(openGate(asked)?.node.id ?? '', /^intent\/2\//)
  const alone = driven(aPlan(plan, { answers }), plan).state
  assert.equal(openGate(alone)?.node.id, 'checklist', 'with nobody there it is as clear as it gets')
})

test('a resume with more iterations gives them to the tasks that were not begun', () => {
  const inOrder: WorkPlan = {
    ...quiet,
    tasks: [
      { needs: [], file: 0 },
      { needs: [0], file: 1 },
    ],
  }
  const { state } = driven(aPlan(inOrder, { loop: { ...aSpec(), maxIterations: 1 } }), inOrder)
  assert.deepEqual(state.outcome, { kind: 'failed', reason: 'node-failed', why: 'T-002' })
  const more = admitGroup(state, { kind: 'resume', limits: { maxIterations: 5 } })
  assert.ok(more.ok)
  assert.deepEqual(driven(afterEvents(state, ...more.events), inOrder).state.outcome, { kind: 'completed' })
})
