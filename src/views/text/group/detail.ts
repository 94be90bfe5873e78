/** One group in detail, for `loop status <group>`: its status and reason, its nodes with their loops, what to type. */
import { type GroupSummary } from '../../../core/group/summary.ts'
import { isGroup } from '../../../core/summary.ts'
import { clip, oneLine, safeLine } from '../../../core/text/plain-text.ts'
import { formatCost, formatDuration, formatMoney } from '../../../model/units.ts'
import { programWords } from '../../words/group.ts'
import { waysOn } from '../../words/next-steps.ts'
import { checkWords } from '../../words/plan.ts'
import { shortReason } from '../../words/reasons.ts'
import { align, type Shown, type ShownMember, timesOf, timeWords, whyWords } from '../status.ts'
import { whyChosen } from './choice.ts'

export function groupDetail(shown: Shown, now: number): string[] {
  const { summary } = shown
  if (!isGroup(summary)) throw new Error(`Internal error: ${summary.id} is no group`)
  const why = whyWords(shown, now)
  return [
    `group ${summary.id}: ${summary.status}${why ? ` (${why})` : ''}`,
    `  directory   ${summary.cwd}`,
    `  program     ${programWords(summary)}`,
    `  prompt      ${clip(oneLine(summary.prompt), 100)}`,
    ...(summary.agent === '' ? [] : [`  agent       ${summary.agent}`]),
    ...(summary.promise === '' ? [] : [`  promise     ${clip(oneLine(summary.promise), 100)}`]),
    `  elapsed     ${timeWords(shown, now)}`,
    `  cost        ${costWords(shown, summary)}`,
    ...questionLines(summary),
    ...winnerLines(summary),
    `  nodes       ${summary.iteration} of ${summary.maxIterations} are over`,
    ...nodeLines(shown, summary, now),
    ...waysOn(shown).map(step => `  next        ${step}`),
  ].map(safeLine)
}

/** The cost of all its loops, and its budget. */
function costWords({ members = [] }: Shown, summary: GroupSummary): string {
  const hasRun = members.some(({ summary: { iteration } }) => iteration > 0)
  const { costUsd, budgetUsd } = summary
  const spent = costUsd === null && hasRun ? 'unknown' : formatCost(costUsd ?? 0, summary)
  return `${spent}${budgetUsd === null ? '' : ` of ${formatMoney(budgetUsd)}`}`
}

function questionLines({ question, choices }: GroupSummary): string[] {
  if (question === null) return []
  const asked = `${question} [${(choices.length > 0 ? choices : ['yes', 'no']).join(' / ')}]`
  return asked.split('\n').map((line, index) => `  ${(index === 0 ? 'question' : '').padEnd(11)} ${line}`)
}

/** With one attempt there is nothing to choose. */
function winnerLines({ winner, winnerBy, inTree, nodes }: GroupSummary): string[] {
  const attempts = nodes.filter(({ kind }) => kind === 'loop')
  const passed = attempts.filter(({ how }) => how === 'completed').length
  const chosen =
    winner === null || attempts.length < 2 ? [] : [`  winner      ${winner} (${whyChosen(winnerBy, passed)})`]
  return [...chosen, ...(inTree === null ? [] : [`  in the tree ${inTree}`])]
}

function nodeLines({ members = [] }: Shown, { nodes }: GroupSummary, now: number): string[] {
  const byId = new Map(members.map(one => [one.summary.id, one]))
  const earlier = members.filter(({ node }) => node === null)
  const rows = [
    ...nodes.map(node => {
      const member = node.member === null ? undefined : byId.get(node.member)
      return [node.id, node.member ?? node.kind, nodeWords(node, member, now)]
    }),
    ...earlier.map(one => ['(earlier)', one.summary.id, memberWords(one, now)]),
  ]
  return align(rows, 2).map((line, i) => `  ${i === rows.length - 1 ? '└' : '├'} ${line}`)
}

/** `running, 2/10, 1m 3s, $0.20`; the loop's own status is newer than its node's. */
function nodeWords(
  { stage, how, reason, why, kind, judged }: GroupSummary['nodes'][number],
  member: ShownMember | undefined,
  now: number,
): string {
  const note = why === '' ? '' : `: ${oneLine(why)}`
  switch (stage) {
    case 'planned':
      return `planned${note}`
    case 'skipped':
      return `skipped${note}`
    case 'started':
    case 'called':
      return member ? memberWords(member, now) : kind === 'gate' ? 'waits for your answer' : 'started'
    case 'rested':
      return member ? `rests: ${memberWords(member, now)}` : `rests: ${shortReason(reason)}`
    case 'ended':
      if (judged) return oneLine(checkWords(judged))
      return member ? memberWords(member, now) : `${how ?? 'ended'}${note}`
    default:
      return stage satisfies never
  }
}

function memberWords(member: ShownMember, now: number): string {
  const { summary } = member
  const why = whyWords(member, now)
  return [
    `${summary.status}${why ? ` (${why})` : ''}`,
    `${summary.iteration}/${summary.maxIterations ?? '∞'}`,
    formatDuration(timesOf(member, now).elapsedMs),
    ...(summary.costUsd === null ? [] : [formatCost(summary.costUsd, summary)]),
  ].join(', ')
}
