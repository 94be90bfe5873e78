/** The work that a plan repeats when it is resumed: what it failed by, and nothing that was finished. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admitGroup } from '../../../../src/core/group/admit.ts'
import { openGate } from '../../../../src/core/group/state.ts'
import { findingId } from '../../../../src/core/plan/findings.ts'
import { outlineOf } from '../../../../src/core/plan/outline.ts'
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

test('a gate that has failed is looked at again as a whole, and results of an earlier gate count no more', () => {
  // The first criterion is met from the second round on; mending it has broken the second one.
  const rounds: Fate = node => {
    if (/^gate\/1\/c1$|^gate\/[23]\/c2$/.test(node)) return { how: 'failed' }
    return /^gate\/\d\/c/.test(node) ? { how: 'completed' } : undefined
  }
  const twoCriteria = aPlan(quiet, { given: shapeOf('c-one', 'c-two') })
  const failed = driven(twoCriteria, quiet, rounds).state
  assert.deepEqual(failed.outcome, { kind: 'failed', reason: 'gate-failed', why: 'c-two' })
  const mended = driven(resumed(failed).state, quiet)
  assert.deepEqual(mended.state.outcome, { kind: 'completed' })
  assert.deepEqual(mended.started.slice(0, 5), [...gate(3), 'gate/3/look'])
  assert.ok(!mended.started.some(node => node.startsWith('T-')), 'a person has mended it')
})

const gate = (round: number) => ['c1', 'c2', 'm1', 'm2'].map(name => `gate/${round}/${name}`)

test('resumed, a gate that still fails has one more round: what fails becomes a task, again and again', () => {
  const twoCriteria = aPlan(quiet, { given: shapeOf('c-one', 'c-two') })
  const failsUntil =
    (last: number): Fate =>
    node => {
      const [, round = '0'] = /^gate\/(\d)\/c2$/.exec(node) ?? []
      return Number(round) > 0 && Number(round) <= last ? { how: 'failed' } : undefined
    }
  const failed = driven(twoCriteria, quiet, failsUntil(9)).state
  const tasks = outlineOf(failed).tasks.map(({ id }) => id)
  const again = driven(resumed(failed).state, quiet, failsUntil(9))
  assert.deepEqual(again.state.outcome, { kind: 'failed', reason: 'gate-failed', why: 'c-two' })
  const [task = '', ...more] = again.started.filter(node => /^T-\d+$/.test(node))
  assert.deepEqual([tasks.includes(task), more], [false, []], 'one new task, and no old one again')
  assert.deepEqual(again.started.slice(0, 6), [...gate(3), task, `${task}/apply`])
  assert.deepEqual(again.started.slice(-5), [...gate(4), 'gate/4/checklist'])
  assert.ok(again.started.includes('review/4/1-correctness'), 'its work is reviewed')
  const done = driven(resumed(again.state).state, quiet, failsUntil(4))
  assert.deepEqual(done.state.outcome, { kind: 'completed' })
  assert.deepEqual(
    done.started.filter(node => node.startsWith('gate/')),
    [...gate(4), ...gate(5), 'gate/5/checklist', 'gate/5/look'],
  )
})

test('a hold-out that failed is run again, after the checks of the last gate', () => {
  const plan = aPlan(quiet, { loop: { ...aSpec(), holdout: 'hidden', maxIterations: 100 } })
  const passes: Fate = (node, attempt) =>
    node === 'holdout' ? { how: attempt === 1 ? 'failed' : 'completed' } : undefined
  const { state } = driven(plan, quiet, passes)
  assert.deepEqual(state.outcome, { kind: 'failed', reason: 'holdout-failed', why: '' })
  const again = driven(resumed(state).state, quiet, passes)
  assert.deepEqual(again.state.outcome, { kind: 'completed' })
  const judged = (nodes: string[]) => nodes.filter(node => /^gate\/\d\/[cm]\d|^holdout/.test(node))
  assert.deepEqual(judged(again.started), ['gate/1/c1', 'gate/1/m1', 'gate/1/m2', 'holdout'])
  // What it finds is about the tree that the last gate was passed in.
  const broken = driven(resumed(state).state, quiet, (node, attempt) =>
    node === 'gate/1/c1' ? { how: 'failed' } : passes(node, attempt),
  )
  assert.deepEqual(broken.state.outcome, { kind: 'completed' })
  assert.deepEqual(judged(broken.started).slice(3), ['gate/2/c1', 'gate/2/m1', 'gate/2/m2', 'holdout'])
})

test('a forbidden criterion that cannot be judged does not count as absent', () => {
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
  // As if the member had come to rest instead of failing.
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

test('a finding that a person accepts stands no more, and earlier rounds stay as they were', () => {
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

test('the words of a person about a blocker reach the task that mends it, and the next review', () => {
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
