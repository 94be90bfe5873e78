/**
 * The lines that a group prints while it runs, one short text for each event that matters to a person, and its end in the
 * forms of every loop: `<loop-complete>` with a line per loop whose result counts, and the box. Those of a plan are in
 * views/plan/announce.
 */
import { find, type GroupState, isKind, type NodeState } from '../../core/group/state.ts'
import { verificationOf } from '../../core/loop/criteria.ts'
import { checkVerdict } from '../../core/loop/verdict.ts'
import { raisedBy, reversibility } from '../../core/reversibility.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { nodeReasonWords } from '../../failures/node.ts'
import { refusedWords } from '../../failures/refusal.ts'
import type { GroupEventOf, GroupRecorded, NodeEnd } from '../../model/group/event.ts'
import type { NodeOf } from '../../model/group/node.ts'
import type { Ship } from '../../model/loop/assessment.ts'
import { count, formatCost, formatDuration, formatMoney } from '../../model/units.ts'
import { announcePlan, planComplete } from '../plan/announce.ts'
import { openWarnings } from '../plan/review.ts'
import { steered } from '../words/doubt.ts'
import { cost, formatChanges, reasonWords, waysOn } from '../words/message.ts'
import { checkWords } from '../words/plan.ts'
import { shortReason } from '../words/reasons.ts'
import { choiceWords, valueWords } from './compare.ts'
import { box } from './receipt.ts'
import type { Shown } from './status.ts'

export function announceGroup(event: GroupRecorded, state: GroupState): string[] {
  return [...linesFor(event, state), ...(state.spec.plan ? announcePlan(event, state) : [])].map(safeLine)
}

function linesFor(event: GroupRecorded, state: GroupState): string[] {
  switch (event.kind) {
    case 'group.created':
      return beginning(state)
    case 'nodes.planned':
      return event.data.nodes
        .filter(node => node.kind === 'loop' && !node.reads)
        .map(({ id }) => `  planned ${id}`)
    case 'copy.made':
      if (isQuestion(state, event.data.node)) return []
      return [
        `  ${event.data.node}: working copy after ${formatDuration(event.data.durationMs)} (${event.data.how})`,
      ]
    case 'node.ended':
      return ended(event.data, state)
    case 'node.skipped':
      return [`  ${event.data.node} skipped: ${nodeReasonWords(event.data)}`]
    case 'node.dropped':
      return [`  ${event.data.node} is ended: ${nodeReasonWords(event.data)}`]
    case 'node.rested':
      return [`  ${event.data.node} rests: ${shortReason(event.data.reason)}`]
    case 'tree.merged':
      return event.data.tree === null
        ? [`  conflict in ${event.data.conflicts.join(', ')}: nothing was changed`]
        : []
    case 'tree.applied':
      return applied(event.data)
    case 'tree.checked':
      return event.data.results.map(
        ({ name, verdict, why }) => `  in the work tree: ${name} ${verdict} (${why})`,
      )
    case 'tree.compared':
      return edited(event.data)
    case 'tree.unapplied':
      return ['  the work tree is again what it was before']
    case 'tree.restored':
      return [`[LOOP] Rolled back to ${event.data.to}`]
    case 'group.held':
      return [held(event.data.reason)]
    case 'group.resumed':
      return ['[LOOP] Resumed']
    case 'cancel.requested':
      return ['[LOOP] Cancelling the group']
    case 'command.refused':
      return [`  cannot ${event.data.command}: ${refusedWords(event.data)}`]
    case 'step.failed':
      return [`  ${event.data.step} failed: ${event.data.why}`]
    default:
      return []
  }
}

/** Questions are not announced: they read a discarded copy and change nothing. */
function isQuestion(state: GroupState, node: string): boolean {
  const one = find(state, node)
  return one !== undefined && isKind(one, 'loop') && one.node.reads === true
}

function held(reason: string): string {
  if (reason !== 'paused-by-user') return `[LOOP] ⏸ Paused: ${shortReason(reason)}`
  return '[LOOP] Pausing the group after what is under way (Ctrl-C again within 10 s cancels now)'
}

function beginning({ id, spec }: GroupState): string[] {
  const { bestOf, parallel } = spec
  if (spec.plan) return [`[LOOP] Planning | Group: ${id}`]
  if (!bestOf) return [`[LOOP] Starting group ${id}`]
  const many = bestOf.attempts * (bestOf.waves ?? 1)
  const some =
    parallel !== null && parallel < bestOf.attempts ? ` | ${parallel} at a time, the rest queue` : ''
  const iterations = bestOf.loop.maxIterations
  const worst = iterations === null ? 'no limit of iterations' : `${many * iterations} iterations at most`
  const one = bestOf.inTree ? 'Loop with counsel' : 'Isolated run'
  const what = many === 1 ? one : `Best of ${many}`
  const budget = spec.budgetUsd === null ? 'none' : formatMoney(spec.budgetUsd)
  return [`[LOOP] Starting | Group: ${id} | ${what}${some} | ${worst} | Budget: ${budget}`]
}

function ended(end: NodeEnd, state: GroupState): string[] {
  const one = find(state, end.node)
  if (!one) return []
  switch (one.node.kind) {
    case 'loop':
      return [`[LOOP] ${end.how === 'completed' ? '✓' : '✗'} ${end.node}: ${resultWords(end, one.dropped)}`]
    case 'choose':
      return end.choice ? choiceWords(end.choice) : []
    case 'gate':
      return [`  ${end.by ?? 'somebody'} answers: ${end.answer ?? ''}`]
    case 'command':
      if (end.looked)
        return state.spec.plan && end.looked.is === 'sound' ? [] : lookWords(end.node, end.looked)
      return [`  ${commandWords(one.node, end)}`]
    case 'apply':
      // A plan says it in the words of its steps (views/plan/announce).
      return end.how === 'completed' && !state.spec.plan
        ? [`[LOOP] ✓ ${one.node.from} is in the work tree`]
        : []
    default:
      return one.node satisfies never
  }
}

function commandWords({ id, command, judges, measure }: NodeOf<'command'>, end: NodeEnd): string {
  if (judges) return checkWords({ ...judges, ...checkVerdict(end) })
  if (!measure) return `${id}: ${end.how}${end.exitCode == null ? '' : `, exit ${end.exitCode}`}`
  const why = end.value == null && end.why ? `: ${end.why}` : ''
  return `${id}: ${valueWords(measure.name, end.value ?? null)} (${command.split('\n')[0]})${why}`
}

function lookWords(node: string, { is, files }: NonNullable<NodeEnd['looked']>): string[] {
  if (is === 'sound') return [`  ${node}: the promise passes by the work`]
  return [`  ${node}: ${steered[is]}: ${files.slice(0, 10).join(', ')}`]
}

/** A loop whose promise holds can still lack an output that others need. */
function whyWords(how: string, reason: string | undefined, why: string | undefined): string {
  if (reason === 'completed') return why ? `: ${why}` : ''
  return reason && reason !== how ? ` (${reason})` : why ? `: ${why}` : ''
}

/** `completed after 2 iterations, 1m 3s, +8 -3 (2 files), $0.20` */
function resultWords(end: NodeEnd, dropped: NodeState['dropped']): string {
  const { how, reason, why = nodeReasonWords(dropped), iterations, durationMs, changes, costUsd } = end
  return [
    how === 'completed'
      ? reason === 'answered'
        ? 'answered'
        : 'the promise holds'
      : `${how}${whyWords(how, reason, why)}`,
    ...(iterations === undefined ? [] : [count(iterations, 'iteration')]),
    ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
    // The changes of a question are discarded with its copy.
    ...(changes && reason !== 'answered' ? [formatChanges(changes)] : []),
    ...(costUsd == null ? [] : [formatCost(costUsd, { costEstimated: false })]),
  ].join(', ')
}

function applied({ written, deleted, left = [] }: GroupEventOf<'tree.applied'>['data']): string[] {
  const words = `  ${count(written, 'file')} written, ${deleted} deleted in the work tree`
  return [words, ...left.map(path => `  left as it is: ${path}`)]
}

function edited({ changes, paths = [] }: GroupEventOf<'tree.compared'>['data']): string[] {
  if (changes?.files === 0) return []
  const named = paths.length > 0 ? `: ${paths.slice(0, 3).join(', ')}` : ''
  return [`  the tree is not the one that was verified${named}; loop verifies it again`]
}

/** The last lines: the result, and what to type next; `shown` has the cost of its members so far. */
export function groupReceipt(state: GroupState, shown: Shown, now: number): string[] {
  const { summary } = shown
  const loops = state.nodes.filter(one => isKind(one, 'loop') && !one.node.reads)
  const width = Math.max(12, ...loops.map(({ node }) => node.id.length))
  const rows = loops.map(({ node, end, member, rested, skipped, dropped }) => {
    const words = end
      ? resultWords(end, dropped)
      : rested
        ? `rests: ${shortReason(rested.reason)}`
        : nodeReasonWords(skipped) || (member ? 'goes on without this program' : 'not begun')
    return `  ${node.id.padEnd(width)} ${member ?? '–'.padEnd(6)}  ${words}`
  })
  const why = reasonWords(summary, now)
  return [
    ...closing(state),
    `Group ${state.id} ${summary.status}${why ? `: ${why.replace(/\.$/, '')}` : ''}.`,
    ...rows,
    `  ${'cost'.padEnd(width)} ${cost(summary)}${costShares(state, shown)}`,
    ...waysOn(shown).map(step => `  ${'next'.padEnd(width)} ${step}`),
  ].map(safeLine)
}

function closing(state: GroupState): string[] {
  if (!state.outcome) return []
  return state.spec.plan
    ? [...planComplete(state), '', ...openWarnings(state)]
    : [...groupComplete(state), '']
}

/** For a plan: the cost of planning, of loops that a resume has replaced, and of work, which is the rest. */
function costShares({ spec, nodes }: GroupState, { summary, members = [] }: Shown): string {
  if (!spec.plan) return ''
  const sum = (costs: (number | null | undefined)[]) =>
    costs.reduce<number>((all, one) => all + (one ?? 0), 0)
  const asks = ({ node }: NodeState) => node.kind === 'loop' && node.reads === true
  const questions = sum(nodes.filter(asks).map(({ end }) => end?.costUsd))
  const replaced = sum(members.filter(({ node }) => node === null).map(one => one.summary.costUsd))
  const work = Math.max(0, (summary.costUsd ?? 0) - questions - replaced)
  const earlier = replaced > 0 ? `, replaced by a resume ${formatMoney(replaced)}` : ''
  return ` (questions ${formatMoney(questions)}, work ${formatMoney(work)}${earlier})`
}

type LoopNode = NodeState & { node: NodeOf<'loop'> }

export function groupComplete(state: GroupState): string[] {
  if (!state.outcome) return []
  const counted = countedIn(state)
  const done = counted.filter(({ end }) => end?.how === 'completed')
  const isComplete = state.outcome.kind === 'completed'
  const { verdict, inDoubt, type } = groupVerdict(state)
  const criteria = counted.flatMap(({ node }) => node.spec.criteria)
  const verified = new Set(done.flatMap(({ node }) => node.spec.criteria.map(verificationOf)))
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

/** Whether its result may be shipped, and which of its loops ask for a look. */
export function groupVerdict(state: GroupState): {
  verdict: Ship['verdict']
  inDoubt: string[]
  type: string
} {
  const counted = countedIn(state)
  const done = counted.filter(({ end }) => end?.how === 'completed')
  const inDoubt = done.filter(one => isInDoubt(state, one)).map(({ node }) => node.id)
  const type = hardest(counted)
  const isSound = inDoubt.length === 0 && type !== '1'
  return {
    verdict: state.outcome?.kind !== 'completed' ? 'RESEARCH' : isSound ? 'SHIP' : 'MONITOR',
    inDoubt,
    type,
  }
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
