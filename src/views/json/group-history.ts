/**
 * The outcomes of a group's nodes in the order of the plan, for programs. It has facts of the group's journal only;
 * each loop's iterations are in its own history.
 */
import type { GroupState, NodeState } from '../../core/group/state.ts'
import { nodeReasonWords } from '../../failures/node.ts'

export function groupHistoryJson(state: GroupState) {
  const { id, spec, nodes, checkpoints, inTree } = state
  return {
    id,
    kind: 'group' as const,
    program: spec.program,
    nodes: nodes.map(nodeJson),
    checkpoints: checkpoints.map(({ name }) => name),
    inTree,
  }
}

function nodeJson({ node, member, stage, attempt, end, rested, skipped, dropped }: NodeState) {
  const { changes } = end ?? {}
  const reason = skipped ?? dropped
  return {
    id: node.id,
    kind: node.kind,
    loop: member,
    stage,
    /** How many times it was begun. */
    attempt,
    how: end?.how ?? null,
    reason: rested?.reason ?? end?.reason ?? null,
    why: end?.why ?? (reason ? nodeReasonWords(reason) : null),
    iterations: end?.iterations ?? null,
    durationMs: end?.durationMs === undefined ? null : Math.round(end.durationMs),
    added: changes?.added ?? null,
    removed: changes?.removed ?? null,
    files: changes?.files ?? null,
    costUsd: end?.costUsd ?? null,
    exitCode: end?.exitCode ?? null,
    value: end?.value ?? null,
    answer: end?.answer ?? null,
    winner: end?.choice?.winner ?? null,
    conflicts: end?.conflicts ?? [],
  }
}
