/**
 * `.loop/state.json` of a group's tree: the schema of a loop, with the nodes as steps, plus fields of a group. It is
 * a projection of the journal that nothing reads back.
 */
import { type GroupState, isKind, isSettled, isWell } from '../../core/group/state.ts'
import { summarizeGroup } from '../../core/group/summary.ts'

export function groupStateJson(state: GroupState): string {
  const { status, program, nodes, iteration, costUsd, budgetUsd, winner, inTree } = summarizeGroup(state)
  const names = (state.spec.bestOf?.loop.criteria ?? []).map(({ name }) => name)
  const results = state.nodes.findLast(one => isKind(one, 'apply') && isWell(one))?.applying.results ?? []
  const isMet = (name: string) =>
    state.inTree !== null && results.some(one => one.name === name && one.verdict === 'PASS')
  const ids = (some: GroupState['nodes']) => some.map(({ node }) => node.id)
  const document = {
    spec: state.spec.name,
    criteria: names,
    criteriaStatus: Object.fromEntries(names.map(name => [name, isMet(name)])),
    exit_signal: state.outcome?.kind === 'completed',
    steps: ids(state.nodes),
    completedSteps: ids(state.nodes.filter(isWell)),
    remainingSteps: ids(state.nodes.filter(one => !isSettled(one))),
    iteration,
    status: ['queued', 'running', 'waiting'].includes(status) ? 'in_progress' : status,
    circuitBreaker: { stuckCount: 0, lastUnmet: '' },
    // An extra field: the owner of this projection, so that a hook ignores the file.
    loop: state.id,
    driver: 'loop',
    kind: 'group',
    program,
    nodes,
    budget: { usd: budgetUsd, spentUsd: costUsd },
    winner,
    inTree,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
