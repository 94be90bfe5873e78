/** What a plan has come to so far, read from its nodes: answers of models, answers of people, tasks and their waves. */
import type { PlanSpec } from '../../../model/group/plan.ts'
import type { Reversibility } from '../../../model/loop/assessment.ts'
import type { PlanShape } from '../../../model/plan/shape.ts'
import { find, type GroupState, isSettled } from '../../group/state.ts'
import { raisedBy } from '../../score/path-reversibility.ts'
import { answerTo } from '../question.ts'

export function planOf({ spec: { plan } }: GroupState): PlanSpec {
  if (!plan) throw new Error('Internal error: a plan group without its plan')
  return plan
}

/** What a person answered to the gate of this name; null while nobody did. */
export function said(state: GroupState, gate: string): string | null {
  const one = find(state, gate)
  return one && isSettled(one) ? (one.end?.answer ?? null) : null
}

export function isNodeOver(state: GroupState, id: string): boolean {
  const one = find(state, id)
  return one !== undefined && isSettled(one)
}

/** How hard the change is to take back: what its words say, or the files that were changed since. It only rises. */
export function reversibilityIn(state: GroupState): Reversibility {
  const { reversibility } = planOf(state)
  const paths = state.nodes.flatMap(({ node, end }) =>
    node.kind === 'loop' && !node.reads ? (end?.paths ?? []) : [],
  )
  return raisedBy(paths, reversibility)?.reversibility ?? reversibility
}

/** SHAPE.md that was there before, or what a model answered; with what the pre-check wants never to be. */
export function shapeIn(state: GroupState): PlanShape | null {
  const shape = planOf(state).given ?? answerTo(state, 'shape', 'shape')
  if (!shape) return null
  const more = answerTo(state, 'precheck', 'precheck')?.mustNot ?? []
  const known = new Set(shape.mustNot.map(({ name }) => name))
  return { ...shape, mustNot: [...shape.mustNot, ...more.filter(({ name }) => !known.has(name))] }
}
