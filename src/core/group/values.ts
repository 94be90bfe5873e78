/** The values that are known only while a group runs: the outputs of its loops, and which loop failed. */
import type { Reference } from '../../model/group/workflow.ts'
import { fill } from '../workflow.ts'
import { type GroupState, isKind, openGate } from './state.ts'

export function valueIn(state: GroupState): (reference: Reference) => string | null {
  return reference => {
    switch (reference.of) {
      case 'group-id':
        return state.id
      case 'failed-loop':
        return failedMember(state)
      case 'output':
        return outputOf(state, reference)
      default:
        return reference satisfies never
    }
  }
}

/** The question of a gate, with the outputs of other nodes filled in. */
export function questionOf(state: GroupState): string | null {
  const gate = openGate(state)
  if (!gate) return null
  const { text, question } = gate.node
  const filled = text && fill(text, valueIn(state))
  return filled && 'text' in filled ? filled.text : question
}

/** The loop that failed first, or whose result did not apply cleanly. */
function failedMember({ nodes }: GroupState): string | null {
  const failed = nodes
    .filter(({ node, end }) => node.kind === 'loop' && end !== null && end.how !== 'completed')
    .toSorted((a, b) => (a.endedSeq ?? 0) - (b.endedSeq ?? 0))
  const [first] = failed
  // In a shared tree, a retried loop started from what its earlier try had left.
  if (first)
    return first.node.kind === 'loop' && first.node.place === 'tree' ? first.firstMember : first.member
  const unfit = nodes.find(one => isKind(one, 'apply') && one.end !== null && one.end.how !== 'completed')
  const source =
    unfit && isKind(unfit, 'apply') ? nodes.find(({ node }) => node.id === unfit.node.from) : undefined
  return source?.member ?? null
}

/** The output of a node; with several attempts, that of the chosen one. */
function outputOf(
  { nodes }: GroupState,
  { loop, field }: Extract<Reference, { of: 'output' }>,
): string | null {
  const winner = nodes.find(({ node }) => node.id === `${loop}/choose`)?.end?.choice?.winner
  const one = nodes.find(({ node }) => node.id === (winner ?? loop))
  return one?.end?.outputs?.[field] ?? null
}
