/**
 * A plan driven by its rules alone: a node ends as soon as it has begun, with what the simulated models answer
 * (test/rig/planned-work), unless a test says how it ends.
 */
import assert from 'node:assert/strict'
import { admitGroup } from '../../src/core/group/admit.ts'
import { decideGroup } from '../../src/core/group/decide.ts'
import { find, type GroupState } from '../../src/core/group/state.ts'
import { outlineOf } from '../../src/core/plan/outline.ts'
import { wantedAnswer } from '../../src/model/answer.ts'
import type { GroupCommand } from '../../src/model/group/command.ts'
import type { GroupEvent, NodeEnd } from '../../src/model/group/event.ts'
import type { PlanSpec } from '../../src/model/group/plan.ts'
import type { GroupSpec } from '../../src/model/group/spec.ts'
import { announceGroup } from '../../src/views/text/group-announce.ts'
import { aSpec } from './given.ts'
import { afterEvents, aGroupSpec, begun, initial, newGroup, over, recordedOf } from './given-group.ts'
import { gatePasses, modelAnswer, planSpecOf, type WorkPlan } from './planned-work.ts'

/** Two tasks, a blocker that is not confirmed, nothing to be asked. */
export const quiet: WorkPlan = {
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
  foundIn: 1,
  gateFails: 0,
  mute: null,
  lessons: 0,
  given: false,
}

export function aPlan(
  plan: WorkPlan,
  given: Partial<PlanSpec> = {},
  about: Partial<GroupSpec> = {},
): GroupState {
  const { bestOf: _, ...spec } = aGroupSpec(about)
  const planned = { ...planSpecOf(plan, aSpec()), ...given }
  return afterEvents(newGroup({ ...spec, program: 'plan', plan: planned }), initial)
}

/** How a node ends that does not end well by itself; anything for `tree`: it is another one when it is compared. */
export type Fate = (node: string, attempt: number) => Partial<NodeEnd> | undefined

/**
 * Until it rests or has ended: the nodes that were begun meanwhile, the lines that were said, and the stages that it
 * went through.
 */
export function driven(from: GroupState, plan: WorkPlan, fate: Fate = () => undefined) {
  let state = from
  const started: string[] = []
  const lines: string[] = []
  const stages = new Set<string>()
  for (let turns = 0; turns < 1_000; turns += 1) {
    stages.add(outlineOf(state).stage)
    const next = decideGroup(state)
    if (next.do === 'rest' || next.do === 'wait') return { state, started, lines, stages: [...stages] }
    const events =
      next.do === 'record' ? [next.event] : next.steps.flatMap(step => done(step, state, { plan, fate }))
    if (events.length === 0) return { state, started, lines, stages: [...stages] }
    for (const event of events) {
      if (event.kind === 'node.started') started.push(event.data.node)
      state = afterEvents(state, event)
      lines.push(...announceGroup(recordedOf(event), state))
    }
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
  if (kind === 'compare') return [compared(fate('tree', 1) === undefined)]
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
      ...(one?.kind === 'command' && {
        how: passes ? 'completed' : 'failed',
        exitCode: passes ? 0 : 1,
        tree: `tree-by-${id}`,
      }),
      ...(one?.kind === 'loop' && { tree: `tree-of-${id}`, iterations: 1 }),
      ...fate(id, attempt),
    })
  }
}

function compared(isSame: boolean): GroupEvent {
  return { kind: 'tree.compared', data: { changes: { added: 0, removed: 0, files: isSame ? 0 : 1 } } }
}

/** With the events of the resume behind the first. */
export function resumed(state: GroupState): { state: GroupState; events: GroupEvent[] } {
  const admission = admitGroup(state, { kind: 'resume' })
  assert.ok(admission.ok, JSON.stringify(admission))
  return { state: afterEvents(state, ...admission.events), events: admission.events.slice(1) }
}

/** After a command of a person that is admitted. */
export function told(state: GroupState, wish: GroupCommand): GroupState {
  const admission = admitGroup(state, wish)
  assert.ok(admission.ok, JSON.stringify(admission))
  return afterEvents(state, ...admission.events)
}
