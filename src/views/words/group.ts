/**
 * The words for a group: its kind, the reason for its status, what a person types next, and the possible answers to its
 * questions. The reasons of its loops are short; `loop status` of a loop has them in full.
 */
import type { GroupSummary } from '../../core/group/summary.ts'
import type { Summary } from '../../core/summary.ts'
import type { Reason } from '../../model/failure.ts'
import type { NodeOf } from '../../model/group/node.ts'
import { formatCost, formatMoney } from '../../model/units.ts'
import { shortReason } from './reasons.ts'

type Node = GroupSummary['nodes'][number]

/** `best of 3`, `isolated run`, `loop with counsel`, `workflow`. */
export function programWords({ program, nodes }: Pick<GroupSummary, 'program' | 'nodes'>): string {
  if (program !== 'best-of') return program
  const attempts = nodes.filter(isAttempt)
  if (attempts.length === 1) return attempts[0]?.id === 'loop' ? 'loop with counsel' : 'isolated run'
  return attempts.length === 0 ? program : `best of ${attempts.length}`
}

/** Questions to a panel or a judge have a name below that of an attempt. */
function isAttempt(node: Node): boolean {
  return node.kind === 'loop' && !node.id.includes('/')
}

/** A reason is one line, wherever it is shown; `loop answer` has the question as it is. */
function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}

/** The reason for the group's status; empty while it simply runs. */
export function groupReason(summary: GroupSummary): string {
  const { status, question, reason } = summary
  if (status === 'waiting' && question !== null) return `asks: ${onOneLine(question)}`
  if (status === 'queued') return 'waits until loopd takes it up and the work tree is free'
  if (status === 'running') return restingWords(summary)
  return reason === null ? '' : `${wordsFor(reason, summary)}${rolledBack(summary)}`
}

function wordsFor(reason: Reason, summary: GroupSummary): string {
  const { detail, nodes, inTree, costUsd, budgetUsd } = summary
  const marked = nodes.findLast(({ kind, how }) => kind === 'apply' && how === 'completed')?.why
  switch (reason) {
    case 'completed':
      if (summary.program === 'plan') return 'its tasks are done, reviewed, and every criterion is met'
      if (nodes.some(({ id }) => id === 'loop') && summary.program === 'best-of') return 'the promise holds'
      if (marked) return marked
      return inTree === null
        ? 'all its loops have completed'
        : `${inTree} is in the work tree, and the promise holds there`
    case 'cancelled':
      return 'cancelled by you'
    case 'paused-by-user':
      return 'paused by you'
    case 'budget-reached':
      return `${formatCost(costUsd ?? 0, summary)} of ${formatMoney(budgetUsd ?? 0)} spent by its loops together`
    case 'members-rest':
      return restingWords(summary) || 'only loops that rest are left'
    case 'unanswered':
      return `it has a question, and nobody is there to answer: ${onOneLine(detail)}`
    case 'nobody-passed': {
      const attempts = nodes.filter(isAttempt)
      const whose = attempts.length === 1 ? 'its attempt did not pass' : 'none of its attempts passed'
      return detail === '' ? `${whose}: ${attempts.map(endWords).join(', ')}` : detail
    }
    case 'node-failed':
      return failureWords(summary)
    case 'no-answer':
      return `a model has given no answer that can be used: ${failedNodes(summary).map(endWords).join(', ')}`
    case 'rejected':
      return `a person said no (${detail})`
    case 'review-failed':
      return `its reviews still find blockers: ${detail}`
    case 'holdout-failed':
      return 'everything is met, but the hold-out does not pass'
    case 'gate-failed':
      return `the gate is not passed: ${detail}`
    case 'apply-conflict':
      return `not applied, because the result and the work tree have changed the same places: ${detail}. The tree is as it was`
    case 'apply-failed':
      if (inTree !== null)
        return `${inTree} is in the work tree, which was changed since: the promise does not hold there any more`
      return `the result is not in the work tree: ${detail || 'the promise fails there'}. The tree is as it was`
    case 'newer-journal':
      return `its journal holds ${detail}, which this version of loop does not know`
    case 'store-damaged':
      return 'its journal is damaged'
    default:
      return detail || reason
  }
}

/** `b (its iterations are used up); not begun: c, d` */
function failureWords(summary: GroupSummary): string {
  const { nodes, detail } = summary
  const failed = failedNodes(summary).map(endWords).join(', ') || detail
  const skipped = nodes.filter(({ stage }) => stage === 'skipped').map(({ id }) => id)
  return `${failed}${skipped.length > 0 ? `; not begun: ${skipped.join(', ')}` : ''}`
}

function hasFailed({ stage, how }: Node): boolean {
  return stage === 'ended' && how !== 'completed'
}

/** In a plan a check that finds nothing forbidden, and a person's no, end "failed" too. */
function failedNodes({ nodes, program }: GroupSummary): Node[] {
  const isWork = ({ kind }: Node) => program !== 'plan' || kind === 'loop' || kind === 'apply'
  return nodes.filter(node => hasFailed(node) && isWork(node))
}

/** The loops that wait for a person, while others continue or as the last ones. */
function restingWords({ nodes }: GroupSummary): string {
  const resting = nodes.filter(({ stage }) => stage === 'rested')
  return resting.map(({ id, member, reason }) => `${id} (${member}) rests: ${shortReason(reason)}`).join('; ')
}

function endWords({ id, how, reason, why }: Node): string {
  const failed = reason === null ? why || shortReason(how) : shortReason(reason)
  return `${id} (${how === 'completed' ? 'passed' : failed})`
}

function rolledBack({ rolledBackTo, reason, inTree }: GroupSummary): string {
  if (!rolledBackTo || inTree !== null || reason === 'cancelled') return ''
  return `; the files were rolled back to ${rolledBackTo} since then`
}

/** For a loop that rests because of its group; null if that is not the reason. */
export function memberSteps({ id, group, reason }: Summary): string[] | null {
  if (reason === 'paused-by-group')
    return [`With all of its group: loop resume ${group}`, `Alone: loop resume ${id}`]
  if (reason !== 'group-budget') return null
  return [
    `With more money: loop resume ${group} --budget <usd>`,
    `Alone, once its group has ended: loop resume ${id} --budget <usd>`,
  ]
}

/** The possible actions: one command or sentence each. */
export function groupSteps(summary: GroupSummary): string[] {
  const { id, status, reason, question } = summary
  if (question !== null && (reason === null || reason === 'unanswered')) return answers(summary)
  switch (reason) {
    case null:
      return status === 'running' ? restingSteps(summary) : []
    case 'completed':
      return [
        ...compare(summary),
        ...(summary.undo ? [`To undo it: loop rollback ${id} ${summary.undo}`] : []),
      ]
    case 'cancelled':
      return []
    case 'members-rest':
      return [...restingSteps(summary), `Then, for all that rest: ${resumeWords(summary)}`]
    case 'budget-reached':
      return [`${resumeWords(summary)} --budget ${Math.ceil((summary.costUsd ?? 0) * 2)}`]
    case 'nobody-passed':
    case 'node-failed':
      return [...compare(summary), ...afterFailures(summary)]
    case 'apply-conflict':
      return [
        ...compare(summary),
        `Merge with conflict markers: loop apply ${id} --merge`,
        `Keep your version of these files: loop apply ${id} --mine`,
        `Take the version of the result (yours is saved first): loop apply ${id} --theirs`,
        `As a patch: git add -u && loop diff ${id} | git apply -3`,
      ]
    case 'apply-failed':
      return [`loop diff ${id}`, `Mend the work tree, then: loop apply ${id}`]
    case 'review-failed':
      return [
        `loop review ${id}`,
        `Live with one: loop review ${id} <finding> approve`,
        `Then, with one more round for what still stands: ${resumeWords(summary)}`,
      ]
    case 'gate-failed':
      return [
        `loop diff ${id}`,
        `Mend it, or leave it to one more round: ${resumeWords(summary)}`,
        'A resume runs the checks of the gate again; what still fails becomes a task.',
      ]
    case 'holdout-failed':
      return [`loop diff ${id}`, `Mend it, then: ${resumeWords(summary)}`]
    case 'rejected':
      return [`To be asked again: ${resumeWords(summary)}`]
    case 'step-failed':
      return [`Mend the cause, then: ${resumeWords(summary)}`]
    case 'newer-journal':
      return ['Update loop.']
    case 'store-damaged':
      return ['Start a new one; the files of the work tree are as they were left.']
    default:
      return [resumeWords(summary)]
  }
}

function answers(summary: GroupSummary): string[] {
  const { id, choices, reason } = summary
  const then = reason === null ? '' : `; then: ${resumeWords(summary)}`
  const words = choices.length > 0 ? choices : ['yes', 'no']
  return [...compare(summary), ...words.map(word => `loop answer ${id} ${word}${then}`)]
}

/** Each loop says in full why it rests and what it needs. */
function restingSteps({ nodes }: GroupSummary): string[] {
  return nodes.filter(({ stage }) => stage === 'rested').map(({ member }) => `loop status ${member}`)
}

function afterFailures(summary: GroupSummary): string[] {
  const failed = summary.nodes.filter(hasFailed)
  const [first] = failed.flatMap(({ member }) => member ?? [])
  const isUsedUp = failed.some(({ reason }) => reason === 'iteration-limit')
  return [
    ...(first === undefined ? [] : [`loop logs ${first}`]),
    isUsedUp ? `With more iterations: ${resumeWords(summary)} --max-iterations <n>` : resumeWords(summary),
  ]
}

/** With two results there is something to compare. */
function compare({ id, nodes, program }: GroupSummary): string[] {
  const results = nodes.filter(node => isAttempt(node) && node.stage === 'ended')
  return program === 'best-of' && results.length > 1 ? [`loop compare ${id}`] : []
}

function resumeWords({ id, background }: GroupSummary): string {
  return `loop resume ${id}${background ? ' -b' : ''}`
}

type Gate = NodeOf<'gate'>

/** `[Y/n]` if Enter means yes: only at gates that `--yes` would answer too. */
export function answerForm({ asks, choices, options }: Gate): string {
  if (options)
    return asks === 'finding' ? `[a-${lastLetter(options)}, or what you think of it]` : lettered(options)
  if (choices.length > 0) return `[${choices.join(' / ')}]`
  return isDefaultYes({ asks }) ? '[Y/n]' : '[yes / no]'
}

function lettered(options: readonly string[]): string {
  return `[a-${lastLetter(options)}, or your own words]`
}

function lastLetter(options: readonly string[]): string {
  return String.fromCharCode(96 + options.length)
}

/** An empty line never answers consent, findings or a change that is hard to take back. */
export function isDefaultYes({ asks }: Pick<Gate, 'asks'>): boolean {
  return asks === 'gate'
}
