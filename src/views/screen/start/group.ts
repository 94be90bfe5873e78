/**
 * What a terminal shows of a group while it runs, as a fold of its events: a line for each attempt, step or task once it
 * is over, and what is not as usual. What runs is in `group-moving`, the end in `group-closing`; the whole is
 * views/text/group-announce.
 */
import { type GroupState, isKind, isSettled, type NodeState } from '../../../core/group/state.ts'
import type { State } from '../../../core/loop/state.ts'
import { wantsGate } from '../../../core/plan/gates.ts'
import { outlineOf } from '../../../core/plan/outline.ts'
import { standingIn } from '../../../core/plan/review.ts'
import { oneLine, spelledOut } from '../../../core/text/plain-text.ts'
import { nodeReasonWords } from '../../../failures/node.ts'
import { refusedWords } from '../../../failures/refusal.ts'
import type { GroupEventOf, GroupRecorded, NodeEnd } from '../../../model/group/event.ts'
import type { GroupSpec } from '../../../model/group/spec.ts'
import { count } from '../../../model/units.ts'
import { cutTo } from '../../layout/width.ts'
import { shortReason } from '../../words/reasons.ts'
import { ink } from '../look.ts'
import { failingSum, namedFailing } from './failing.ts'
import { agentTitle, factsLine, limitTitle, titleLine } from './head.ts'
import {
  changesWords,
  felt,
  fitNames,
  type Mark,
  memberRow,
  money,
  noteRows,
  type StartView,
} from './pieces.ts'
import { verdictCell } from './verdict.ts'

/** How many rounds of review have their row. */
type GroupFold = { reviews: number }

export const emptyGroup: GroupFold = { reviews: 0 }

type GroupTold = { event: GroupRecorded; state: GroupState }

/** `member`: the newest state of the loop of a node, as far as this program has seen it. */
type Sight = { view: StartView; member: (node: string) => State | null }

type Step = { fold: GroupFold; lines: string[] }

export function groupStep(fold: GroupFold, { event, state }: GroupTold, sight: Sight): Step {
  const { view } = sight
  switch (event.kind) {
    case 'nodes.planned': {
      const review = reviewed(
        fold,
        event.data.nodes.map(({ id }) => id),
        { state, view },
      )
      return review
    }
    case 'node.ended':
      return { fold, lines: ended(event.data, state, sight) }
    case 'node.skipped':
      return {
        fold,
        lines: [
          memberRow(
            { name: event.data.node, mark: 'none', words: `skipped: ${nodeReasonWords(event.data)}` },
            wide(state),
            view,
          ),
        ],
      }
    case 'node.rested':
      if (event.data.reason === 'advice-wanted') return { fold, lines: [] }
      return {
        fold,
        lines: [
          memberRow(
            { name: event.data.node, mark: 'warn', words: `paused: ${shortReason(event.data.reason)}` },
            wide(state),
            view,
          ),
        ],
      }
    default:
      return { fold, lines: notes(event).flatMap(words => noteRows(words, '  ', view)) }
  }
}

/** The first lines: what it is about, how it goes about it, and up to where. */
export function groupTitle({ id, spec }: GroupState, view: StartView, note = ''): string[] {
  const { plan, bestOf, workflow, budgetUsd } = spec
  const loop = plan?.loop ?? bestOf?.loop ?? workflow?.loops[0]?.spec
  const rest = [
    ...(loop ? [agentTitle(loop)] : []),
    limitTitle({ maxIterations: mostIterations(spec), budgetUsd }),
    note,
  ]
  const name = `${plan ? 'plan' : workflow ? 'workflow' : 'group'} ${id}`
  return [titleLine(name, spec.name, view), factsLine(howOf(spec), rest, view), '']
}

function howOf({ plan, bestOf, workflow }: GroupSpec): string[] {
  if (plan) return [clarity[plan.shape]]
  if (workflow) return [count(workflow.loops.length, 'step')]
  if (!bestOf) return []
  const many = bestOf.attempts * (bestOf.waves ?? 1)
  const how = many > 1 ? `best of ${many}` : bestOf.inTree ? 'with counsel' : 'in a copy'
  return [how, ...bestOf.loop.criteria.map(({ name }) => name)]
}

const clarity = {
  tool: 'clear enough to run unattended',
  'tool-review': 'clear enough, with a review',
  colleague: 'needs check-ins',
  blocked: 'too vague: it asks first',
} as const

function mostIterations({ plan, bestOf, workflow }: GroupSpec): number | null {
  if (plan) return plan.loop.maxIterations
  if (bestOf) return times(bestOf.loop.maxIterations, bestOf.attempts * (bestOf.waves ?? 1))
  const all = workflow?.loops.map(({ spec, bestOf: n }) => times(spec.maxIterations, n ?? 1)) ?? []
  return all.some(one => one === null) ? null : all.reduce<number>((sum, one) => sum + (one ?? 0), 0)
}

function times(n: number | null, by: number): number | null {
  return n === null ? null : n * by
}

/** The column of names. */
export function wide({ nodes, spec }: GroupState): number {
  const names = nodes
    .filter(({ node }) => node.kind === 'loop' && !node.reads)
    .map(({ node }) => node.id.length)
  return Math.min(24, Math.max(spec.plan ? 8 : 4, ...names))
}

function ended(end: NodeEnd, state: GroupState, sight: Sight): string[] {
  const one = state.nodes.find(({ node }) => node.id === end.node)
  if (!one) return []
  switch (one.node.kind) {
    case 'loop':
      if (one.node.reads) return answered(end, state, sight.view)
      // A task of a plan is done once it is in the tree.
      return state.spec.plan && end.how === 'completed' ? [] : loopRows(one, end, { state, sight })
    case 'apply': {
      const from = state.nodes.find(({ node }) => one.node.kind === 'apply' && node.id === one.node.from)
      if (end.how !== 'completed')
        return noteRows(
          `${one.node.from} is not applied: ${end.why ?? end.conflicts?.join(', ') ?? end.how}`,
          '  ',
          sight.view,
        )
      return state.spec.plan && from?.end ? loopRows(from, from.end, { state, sight }) : []
    }
    case 'command':
      return commandRows(one, end, { state, view: sight.view })
    case 'choose':
    case 'gate':
      return []
    default:
      return one.node satisfies never
  }
}

function loopRows(
  one: NodeState,
  end: NodeEnd,
  { state, sight }: { state: GroupState; sight: Sight },
): string[] {
  const { view } = sight
  const seen = sight.member(end.node)
  const { mark, words } = resultOf(one, end, seen)
  const subject = state.spec.plan
    ? outlineOf(state).tasks.find(({ id }) => id === end.node)?.subject
    : undefined
  const rounds = (end.iterations ?? 1) > 1 ? [count(end.iterations ?? 1, 'iteration')] : []
  const changed = end.changes ? [changesWords(end.changes, end.paths ?? [])] : []
  const row = memberRow(
    {
      name: end.node,
      mark,
      time: end.durationMs === undefined ? '' : felt(end.durationMs),
      words: subject && mark === 'pass' ? oneLine(subject) : words,
      middle: [...rounds, ...changed].join(', '),
      cost: money(end.costUsd ?? null, {}),
    },
    wide(state),
    view,
  )
  if (mark === 'pass' || !seen) return [row]
  const { placed, all } = namedFailing(seen.judged.results)
  const label = `${below(state)}still failing: `
  const names = fitNames(placed, view.width - label.length, { of: all })
  return placed.length === 0 ? [row] : [row, ink(view.look, 'dim', label + names)]
}

const short: Record<string, string> = {
  'iteration-limit': 'limit of iterations',
  stuck: 'no progress',
  'no-change': 'changed no file',
  'agent-errors': 'its agent failed',
  'group-budget': 'the budget is used up',
  'promise-unrunnable': 'the check cannot run',
  cancelled: 'cancelled',
}

function resultOf(one: NodeState, end: NodeEnd, seen: State | null): { mark: Mark; words: string } {
  if (end.how === 'completed') {
    const passed = seen && seen.judged.results.length > 0 ? verdictCell(seen.judged.results, []) : null
    return { mark: 'pass', words: passed?.mark === 'pass' ? passed.words : 'passes' }
  }
  const why =
    nodeReasonWords(one.dropped) || (short[end.reason ?? ''] ?? end.why ?? shortReason(end.reason ?? end.how))
  const n = seen ? failingSum(seen.judged.results) : null
  return { mark: 'fail', words: n === null || n === 0 ? why : `${n} failing (${why})` }
}

/** Of the questions to models only what a person wants to know: the shape and the tasks. */
function answered(end: NodeEnd, state: GroupState, view: StartView): string[] {
  const cost = money(end.costUsd ?? null, {})
  if (end.how !== 'completed')
    return [memberRow({ name: end.node, mark: 'fail', words: 'no usable answer', cost }, wide(state), view)]
  const { shape, tasks } = outlineOf(state)
  if (end.node === 'shape' && shape) {
    const checks = shape.criteria.map(({ name }) => name)
    return [
      memberRow(
        {
          name: 'shape',
          mark: 'pass',
          words: fitNames(['done when', ...checks].slice(1), view.width - 24),
          cost,
        },
        wide(state),
        view,
      ),
    ]
  }
  if (end.node !== 'tasks') return []
  const row = memberRow(
    { name: 'tasks', mark: 'pass', words: count(tasks.length, 'task'), cost },
    wide(state),
    view,
  )
  // The gate after it shows the same steps.
  if (wantsGate(state, 'G1')) return [row]
  return [
    row,
    ...tasks.map(({ id, subject }) =>
      ink(view.look, 'dim', cutTo(`${below(state)}${id} ${oneLine(subject)}`, view.width)),
    ),
  ]
}

function commandRows(
  one: NodeState,
  end: NodeEnd,
  { state, view }: { state: GroupState; view: StartView },
): string[] {
  if (!isKind(one, 'command')) return []
  const { judges, measure, purpose } = one.node
  if (judges) {
    const isBad = judges.forbidden ? end.how === 'completed' : end.how !== 'completed'
    const words = `${judges.forbidden ? 'forbidden: ' : ''}${judges.name}`
    return isBad ? [memberRow({ name: 'gate', mark: 'fail', words }, wide(state), view)] : []
  }
  if (measure || end.looked) {
    const isSound = !end.looked || end.looked.is === 'sound'
    return isSound
      ? []
      : noteRows(
          `${one.node.of ?? 'the result'}: look at ${end.looked?.files.slice(0, 5).map(spelledOut).join(', ')}`,
          '  ',
          view,
        )
  }
  if (purpose !== 'hook') return []
  const mark = end.how === 'completed' ? 'pass' : 'fail'
  return [
    memberRow(
      {
        name: 'hook',
        mark,
        words: oneLine(one.node.command),
        middle: end.exitCode == null ? '' : `exit ${end.exitCode}`,
      },
      wide(state),
      view,
    ),
  ]
}

/** A round of review is over as soon as the plan goes on with something else. */
function reviewed(
  fold: GroupFold,
  ids: readonly string[],
  { state, view }: { state: GroupState; view: StartView },
): Step {
  const round = fold.reviews + 1
  const nodes = state.nodes.filter(({ node }) => node.id.startsWith(`review/${round}/`))
  const isOver = nodes.length > 0 && nodes.every(isSettled) && !ids.some(id => id.startsWith('review/'))
  if (!isOver) return { fold, lines: [] }
  const found = standingIn(state, round)
  const blockers = found.filter(({ severity }) => severity === 'BLOCKER')
  const others = found.length - blockers.length
  const words = [
    ...(blockers.length > 0 ? [count(blockers.length, 'blocker')] : []),
    ...(others > 0 ? [count(others, 'remark')] : []),
  ].join(', ')
  const [first] = blockers.length > 0 ? blockers : found
  const middle = first ? `${first.file}:${first.line} ${oneLine(first.problem)}` : ''
  const mark = blockers.length > 0 ? 'fail' : 'pass'
  const row = memberRow(
    { name: 'review', mark, words: words === '' ? 'nothing found' : words, middle },
    wide(state),
    view,
  )
  return { fold: { reviews: round }, lines: [row] }
}

function notes(event: GroupRecorded): string[] {
  switch (event.kind) {
    case 'tree.merged':
      return event.data.tree === null
        ? [`conflict in ${event.data.conflicts.map(spelledOut).join(', ')}: nothing was changed`]
        : []
    case 'tree.applied':
      return (event.data.left ?? []).map(path => `left as it is: ${spelledOut(path)}`)
    case 'tree.checked':
      return event.data.results
        .filter(({ verdict }) => verdict !== 'PASS')
        .map(({ name, why }) => `${name} fails with it in your files (${why})`)
    case 'tree.compared':
      return edited(event.data)
    case 'tree.unapplied':
      return ['your files are again what they were before']
    case 'tree.restored':
      return [`rolled back to ${event.data.to}`]
    case 'finding.resolved':
      return [`${event.data.by} on ${event.data.finding}: ${event.data.how}`]
    case 'node.advised':
      return [`${event.data.node} continues with the advice of reviewers`]
    case 'command.refused':
      return [`cannot ${event.data.command}: ${refusedWords(event.data)}`]
    case 'step.failed':
      return [`${event.data.step} failed: ${event.data.why}`]
    default:
      return []
  }
}

function edited({ changes, paths = [] }: GroupEventOf<'tree.compared'>['data']): string[] {
  if (changes?.files === 0) return []
  const files = paths.length > 0 ? ` (${paths.slice(0, 3).map(spelledOut).join(', ')})` : ''
  return [`files changed since the check passed${files}: it runs again`]
}

/** Below the words of a row. */
function below(state: GroupState): string {
  return ' '.repeat(wide(state) + 15)
}
