/**
 * One journal in detail, for `loop status <id>`, by its kind: the status, the facts, what to type next. The table of all
 * is views/text/loop-table; the same for programs is documents/loop.
 */
import type { GroupSummary } from '../../core/group/summary.ts'
import type { CriterionSummary } from '../../core/loop/summary.ts'
import { type AnySummary, type ByKind, byKind } from '../../core/summary.ts'
import { clip, oneLine, safeLine } from '../../core/text/plain-text.ts'
import type { CriterionResult } from '../../model/loop/event.ts'
import { formatCost, formatDuration, formatMoney } from '../../model/units.ts'
import { align } from '../layout/columns.ts'
import { whyChosen } from '../text/compare.ts'
import { failureLines, quoted } from '../text/promise-output.ts'
import { breakerWords, type Shown, type ShownMember, timesOf, timeWords, whyWords } from '../text/status.ts'
import { doubtWords } from '../words/doubt.ts'
import { programWords } from '../words/group.ts'
import { hookLines } from '../words/hook.ts'
import { isUnspent, promiseLines, waysOn } from '../words/message.ts'
import { checkWords } from '../words/plan.ts'
import { shortReason } from '../words/reasons.ts'
import { refusedLines, sandboxWords } from '../words/sandbox.ts'

/** `results`: the newest of each criterion, by name. */
type Detailed = { shown: Shown; now: number; results(): ReadonlyMap<string, CriterionResult> }

const details: ByKind<string[], [Detailed]> = {
  loop: (_, { shown, now, results }) => detail(shown, now, results()),
  group: (summary, { shown, now }) => groupDetail(summary, shown, now),
  newer: (_, { shown, now }) => detail(shown, now),
}

export function detailLines(detailed: Detailed): string[] {
  return byKind(details, detailed.shown.summary, detailed)
}

const mostOutput = 5

/** `results`: the newest of each criterion, by name. */
export function detail(
  shown: Shown,
  now: number,
  results: ReadonlyMap<string, CriterionResult> = new Map(),
): string[] {
  const summary: AnySummary = shown.summary
  const { criteria: judged = {}, ran = [], doubts = [], breakers = [] } = summary
  const criteria = Object.entries(judged).flatMap(row => [
    criterionLine(row),
    ...unmetLines(results.get(row[0])).map(line => `            ${line}`),
  ])
  const reason = whyWords(shown, now)
  return [
    `loop ${summary.id}: ${summary.status}${reason ? ` (${reason})` : ''}`,
    ...(summary.group === null ? [] : [`  group       ${summary.group} (loop status ${summary.group})`]),
    `  directory   ${summary.cwd}`,
    `  prompt      ${clip(summary.prompt.replaceAll('\n', ' '), 100)}`,
    `  agent       ${summary.agent}${ran.length > 1 ? ` (ran: ${ran.join(', ')})` : ''}`,
    ...(summary.session ? [] : [`  sandbox     ${sandboxWords(summary.sandbox)}`]),
    ...refusedLines(summary),
    ...criteria,
    ...promiseLines(summary),
    ...(doubts.length > 0 ? [`  look at     ${doubtWords(doubts)}`] : []),
    `  iterations  ${summary.iteration}${summary.maxIterations === null ? '' : ` of ${summary.maxIterations}`}`,
    `  elapsed     ${timeWords(shown, now)}`,
    `  cost        ${costWords(summary)}`,
    ...hookLines(summary),
    `  breakers    ${breakers.map(breakerWords).join(', ')}`,
    ...waysOn(shown).map(step => `  next        ${step}`),
  ].map(safeLine)
}

function unmetLines(result: CriterionResult | undefined): string[] {
  return result === undefined || result.verdict === 'PASS' ? [] : quoted(failureLines(result, mostOutput))
}

function costWords(summary: AnySummary): string {
  const { costUsd, usageProblem, budgetUsd } = summary
  const spent = costUsd === null && !isUnspent(summary) ? 'unknown' : formatCost(costUsd ?? 0, summary)
  const of = budgetUsd === null ? '' : ` of ${formatMoney(budgetUsd)}`
  return `${spent}${of}${usageProblem ? ` (last run: ${usageProblem})` : ''}`
}

function criterionLine([name, { verdict, why, verification, evidence }]: [string, CriterionSummary]): string {
  const at = evidence?.checkpoint ? `, in ${evidence.checkpoint}` : ''
  const facts = evidence
    ? `${why}${evidence.failing ? `, ${evidence.failing} failing` : ''}, ${formatDuration(evidence.durationMs)}${at}`
    : why
  const type = verification === 'execution output' ? '' : `, ${verification}`
  return `  promise     ${name}: ${verdict ?? '–'} (${facts}${type})`
}

function groupDetail(summary: GroupSummary, shown: Shown, now: number): string[] {
  const why = whyWords(shown, now)
  return [
    `group ${summary.id}: ${summary.status}${why ? ` (${why})` : ''}`,
    `  directory   ${summary.cwd}`,
    `  program     ${programWords(summary)}`,
    `  prompt      ${clip(oneLine(summary.prompt), 100)}`,
    ...(summary.agent === '' ? [] : [`  agent       ${summary.agent}`]),
    ...(summary.promise === '' ? [] : [`  promise     ${clip(oneLine(summary.promise), 100)}`]),
    `  elapsed     ${timeWords(shown, now)}`,
    `  cost        ${groupCost(shown, summary)}`,
    ...questionLines(summary),
    ...winnerLines(summary),
    `  nodes       ${summary.iteration} of ${summary.maxIterations} are over`,
    ...nodeLines(shown, summary, now),
    ...waysOn(shown).map(step => `  next        ${step}`),
  ].map(safeLine)
}

/** The cost of all its loops, and its budget. */
function groupCost({ members = [] }: Shown, summary: GroupSummary): string {
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
