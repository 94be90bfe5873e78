/**
 * What a plan does again when it is resumed: what it has failed by, and nothing that was finished. The rules alone: a
 * node ends as soon as it has begun, with what the simulated models answer (test/rig/planned-work).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admitGroup } from '../../../../src/core/group/admit.ts'
import { decideGroup } from '../../../../src/core/group/decide.ts'
import { find, type GroupState } from '../../../../src/core/group/state.ts'
import { wantedAnswer } from '../../../../src/model/answer/wanted.ts'
import type { GroupEvent, NodeEnd } from '../../../../src/model/group/event.ts'
import type { PlanSpec } from '../../../../src/model/group/plan.ts'
import { aSpec } from '../../../rig/given.ts'
import {
  afterEvents,
  aGroupSpec,
  begun,
  held,
  initial,
  newGroup,
  over,
  rests,
} from '../../../rig/given-group.ts'
import { gatePasses, modelAnswer, planSpecOf, type WorkPlan } from '../../../rig/planned-work.ts'

const quiet: WorkPlan = {
  program: 'plan',
  shape: 'tool',
  isType1: false,
  counsel: false,
  reviewLight: true,
  tasks: [
    { needs: [], file: 0 },
    { needs: [], file: 1 },
  ],
  findings: [{ severity: 'BLOCKER', stands: false }],
  gateFails: 0,
  mute: null,
  lessons: 0,
  given: false,
}

function aPlan(plan: WorkPlan, given: Partial<PlanSpec> = {}): GroupState {
  const { bestOf: _, ...spec } = aGroupSpec()
  const planned = { ...planSpecOf(plan, aSpec()), ...given }
  return afterEvents(newGroup({ ...spec, program: 'plan', plan: planned }), initial)
}

/** How a node ends that does not end well by itself. */
type Fate = (node: string, attempt: number) => Partial<NodeEnd> | undefined

/** Until it rests or has ended; `begun` are the nodes that were begun meanwhile. */
function driven(from: GroupState, plan: WorkPlan, fate: Fate = () => undefined) {
  let state = from
  const started: string[] = []
  for (let turns = 0; turns < 1_000; turns += 1) {
    const next = decideGroup(state)
    if (next.do === 'rest' || next.do === 'wait') return { state, started }
    const events =
      next.do === 'record' ? [next.event] : next.steps.flatMap(step => done(step, state, { plan, fate }))
    if (events.length === 0) return { state, started }
    for (const event of events) if (event.kind === 'node.started') started.push(event.data.node)
    state = afterEvents(state, ...events)
  }
  throw new Error('It does not end')
}

type Step = { kind: string; node?: string | null; attempt?: number; what?: 'showings' | 'lessons' }

function done(
  { kind, node, attempt = 1, what }: Step,
  state: GroupState,
  { plan, fate }: { plan: WorkPlan; fate: Fate },
): GroupEvent[] {
  if (kind === 'keep' && what) return [{ kind: 'notes.kept', data: { what } }]
  if (kind === 'keep' && what) return [{ kind: 'notes.kept', data: { what } }]
  if (kind === 'wake' && node) return [{ kind: 'node.continued', data: { node, attempt } }, endOf(node)]
  if (kind !== 'begin' || !node) return []
  const isLoop = find(state, node)?.node.kind === 'loop'
  return [begun(node, isLoop ? `m-${node}-${attempt}` : null, attempt), endOf(node)]
  function endOf(id: string): GroupEvent {
    const one = find(state, id)?.node
    const wanted = one?.kind === 'loop' ? wantedAnswer(one.spec) : null
    const answer =
      wanted && modelAnswer(plan, { node: id, attempt, schema: wanted.schema, about: wanted.about ?? [] })
    const passes = gatePasses(plan, id) ?? answer !== null
    return over(id, {
      attempt,
      how: passes || !wanted ? 'completed' : 'failed',
      ...(wanted && answer && { answer }),
      ...(one?.kind === 'command' && { how: passes ? 'completed' : 'failed', exitCode: passes ? 0 : 1 }),
      ...(one?.kind === 'loop' && { tree: `tree-of-${id}`, iterations: 1 }),
      ...fate(id, attempt),
    })
  }
}

function resumed(state: GroupState): { state: GroupState; events: GroupEvent[] } {
  const admission = admitGroup(state, { kind: 'resume' })
  assert.ok(admission.ok, JSON.stringify(admission))
  return { state: afterEvents(state, ...admission.events), events: admission.events.slice(1) }
}

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
    { kind: 'node.reopened', data: { node: 'T-002/apply', because: 'the group goes on' } },
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
    { kind: 'node.reopened', data: { node: 'review/1/verify-1', because: 'the group goes on' } },
  ])
})

test('a gate that was refused is asked again', () => {
  const plan = { ...quiet, shape: 'tool-review' } as const
  const { state } = driven(aPlan(plan, { answers: { recall: 'no', G1: 'no' } }), plan)
  assert.deepEqual(state.outcome, { kind: 'failed', reason: 'rejected', why: 'G1' })
  assert.deepEqual(resumed(state).events, [
    { kind: 'node.reopened', data: { node: 'G1', because: 'the group goes on' } },
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
