/** Reads the results of a plan so far from its nodes: answers of models, answers of people, tasks and their waves. */
import type { PlanSpec } from '../../model/group/plan.ts'
import type { Reversibility } from '../../model/loop/assessment.ts'
import type { PlanShape } from '../../model/plan.ts'
import { find, type GroupState, isSettled } from '../group/state.ts'
import { answerTo } from '../programs/question.ts'
import { raisedBy } from '../reversibility.ts'

export function planOf({ spec: { plan } }: GroupState): PlanSpec {
  if (!plan) throw new Error('Internal error: a plan group without its plan')
  return plan
}

/** The answer of a person to the gate of this name; null without one. */
export function said(state: GroupState, gate: string): string | null {
  const one = find(state, gate)
  return one && isSettled(one) ? (one.end?.answer ?? null) : null
}

export function isNodeOver(state: GroupState, id: string): boolean {
  const one = find(state, id)
  return one !== undefined && isSettled(one)
}

/**
 * How hard the change is to take back: by the words of the spec, then by the changed files. It never becomes easier.
 */
export function reversibilityIn(state: GroupState): Reversibility {
  const { reversibility } = planOf(state)
  const paths = state.nodes.flatMap(({ node, end }) =>
    node.kind === 'loop' && !node.reads ? (end?.paths ?? []) : [],
  )
  return raisedBy(paths, reversibility)?.reversibility ?? reversibility
}

/** The SHAPE.md that existed before, or the answer of a model; plus the forbidden things that the pre-check added. */
export function shapeIn(state: GroupState): PlanShape | null {
  const shape = planOf(state).given ?? answerTo(state, 'shape', 'shape')
  if (!shape) return null
  const more = answerTo(state, 'precheck', 'precheck')?.mustNot ?? []
  const known = new Set(shape.mustNot.map(({ name }) => name))
  return { ...shape, mustNot: [...shape.mustNot, ...more.filter(({ name }) => !known.has(name))] }
}
