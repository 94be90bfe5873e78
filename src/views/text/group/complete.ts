/**
 * The end of a best-of or a workflow, in the forms of every loop: `<loop-complete>` with a line per loop whose result
 * counts, and the box. That of a plan is in views/plan/complete.
 */
import { find, type GroupState, isKind, type NodeState } from '../../../core/group/state.ts'
import { verificationOf } from '../../../core/loop/criteria.ts'
import { raisedBy, reversibility } from '../../../core/reversibility.ts'
import { safeLine } from '../../../core/text/plain-text.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import type { Ship } from '../../../model/loop/assessment.ts'
import { box } from '../receipt.ts'

type LoopNode = NodeState & { node: NodeOf<'loop'> }

export function groupComplete(state: GroupState): string[] {
  if (!state.outcome) return []
  const counted = countedIn(state)
  const done = counted.filter(({ end }) => end?.how === 'completed')
  const isComplete = state.outcome.kind === 'completed'
  const inDoubt = done.filter(one => isInDoubt(state, one)).map(({ node }) => node.id)
  const criteria = counted.flatMap(({ node }) => node.spec.criteria)
  const verified = new Set(done.flatMap(({ node }) => node.spec.criteria.map(verificationOf)))
  const type = hardest(counted)
  const verdict: Ship['verdict'] = !isComplete
    ? 'RESEARCH'
    : inDoubt.length > 0 || type === '1'
      ? 'MONITOR'
      : 'SHIP'
  const lines = [
    `Verified: ${[...verified].join(', ') || 'nothing'}`,
    `Tasks: ${done.length}/${counted.length} complete`,
    `Subjective: ~– · Type ${type} · ${criteria.length}pt`,
    ...(inDoubt.length > 0 ? [`Look at: ${inDoubt.join(', ')}`] : []),
  ]
  const complete = [
    '<loop-complete>',
    'All success criteria satisfied:',
    ...done.map(({ node }) => `- ${node.id}: ✓`),
    '</loop-complete>',
    '',
  ]
  return [...(isComplete ? complete : []), ...box(verdict, lines)].map(safeLine)
}

/** Of several attempts the one that was chosen or applied; of a workflow every loop that was not skipped. */
function countedIn(state: GroupState): LoopNode[] {
  const loops = state.nodes.filter(one => isKind(one, 'loop')).filter(({ node }) => !node.reads)
  if (!state.spec.bestOf) return loops.filter(({ stage }) => stage !== 'skipped')
  const choice = state.nodes.findLast(({ end }) => end?.choice)?.end?.choice?.winner
  const chosen = find(state, state.inTree ?? choice ?? '')
  return chosen && isKind(chosen, 'loop') ? [chosen] : loops.slice(0, 1)
}

/** What a second look of the group found counts more than what its loop doubted. */
function isInDoubt({ nodes }: GroupState, { node, end }: LoopNode): boolean {
  const looked = nodes.findLast(one => isKind(one, 'command') && one.node.of === node.id && one.end?.looked)
  const isSteered = looked?.end?.looked !== undefined && looked.end.looked.is !== 'sound'
  return isSteered || (end?.doubts ?? 0) > 0
}

function hardest(loops: readonly LoopNode[]): string {
  const types = loops.map(({ node, end }) => {
    const asked = reversibility(node.spec.prompt)
    return raisedBy(end?.paths ?? [], asked)?.reversibility ?? asked
  })
  return ['1', '2B', '2A'].find(type => types.some(one => one === type)) ?? '2B'
}
