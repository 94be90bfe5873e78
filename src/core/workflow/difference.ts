/** The differences between a workflow file now and at its start, loop by loop, for the person who has to accept them. */
import type { WorkflowLoop, WorkflowSpec } from '../../model/group/workflow.ts'

/** One line each; empty if only comments or layout differ. */
export function workflowDifference(before: WorkflowSpec, now: WorkflowSpec): string[] {
  const old = new Map(before.loops.map(loop => [loop.id, loop]))
  const ids = new Set(now.loops.map(({ id }) => id))
  const loops = now.loops.flatMap(loop => {
    const known = old.get(loop.id)
    if (!known) return [`${loop.id} is new`]
    const parts = changedParts(known, loop)
    return parts.length > 0 ? [`${loop.id}: ${parts.join(', ')} changed`] : []
  })
  const gone = before.loops.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id} is gone`)
  const rest = (['env', 'copySetup', 'onComplete', 'onFailure', 'budgetUsd'] as const)
    .filter(name => !isSame(before[name], now[name]))
    .map(name => `${names[name]} changed`)
  return [...loops, ...gone, ...rest]
}

const names = {
  env: 'env',
  copySetup: 'copy_setup',
  onComplete: 'on_complete',
  onFailure: 'on_failure',
  budgetUsd: 'budget',
}

/** Options of the spec are named one by one. */
function changedParts(before: WorkflowLoop, now: WorkflowLoop): string[] {
  const { spec: oldSpec, ...old } = before
  const { spec, ...rest } = now
  const differ = (one: object, other: object, apart: string[] = []) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      name => !apart.includes(name) && !isSame(Reflect.get(one, name), Reflect.get(other, name)),
    )
  return [...differ(old, rest), ...differ(oldSpec, spec, ['prompt', 'agentNotes'])]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
