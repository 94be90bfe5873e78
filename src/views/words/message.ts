/**
 * The words for the status of a journal, for its reason, and for what a person can do about it. This and
 * views/words/reasons are the only places for them; events and summaries hold facts.
 */
import type { Head } from '../../core/head.ts'
import type { Changed } from '../../core/loop/parts/tree.ts'
import type { LoopSummary } from '../../core/loop/summary.ts'
import { type Restart, restartOf } from '../../core/queue.ts'
import { type AnySummary, type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { spelledOut } from '../../core/text/plain-text.ts'
import { exitCodeOf } from '../../model/failure.ts'
import type { Assessment, Raised, Shape } from '../../model/loop/assessment.ts'
import type { Changes, CriterionResult } from '../../model/loop/event.ts'
import { count, formatCost, formatDuration } from '../../model/units.ts'
import { groupReason, groupSteps, memberSteps } from './group.ts'
import { waitWords } from './limit.ts'
import { endedBecause, waysOut } from './reasons.ts'

const shapeNames: Record<Shape, string> = {
  tool: 'Tool',
  'tool-review': 'Tool-Review',
  colleague: 'Colleague',
  blocked: 'Blocked',
}

/** `Tool`, or `Tool (9/10)` where it was scored. */
export function shapeWords({ shape, score }: Pick<Assessment, 'shape' | 'score'>): string {
  return score === undefined ? shapeNames[shape] : `${shapeNames[shape]} (${score}/10)`
}

export function raiseWords({ reversibility, path }: Raised): string {
  return `harder to take back than it seemed: Type ${reversibility}, by ${spelledOut(path)}`
}

/** The reason for the loop's status, in words; empty while it simply runs. */
export function reasonWords(summary: Summary, now: number): string {
  return byKind(reasons, summary, now)
}

const reasons: ByKind<string, [number]> = {
  loop: loopReason,
  group: groupReason,
  newer: ({ reason }) => reason ?? '',
}

function loopReason(summary: LoopSummary, now: number): string {
  if (summary.status === 'waiting' && summary.question !== null) {
    if (summary.agentAsks) return `the agent asks: ${summary.question}`
    return `a human has to say whether this is so: ${summary.question}`
  }
  if (summary.status === 'queued') return 'queued until loopd has a free slot and the working tree is free'
  if (summary.status === 'waiting') {
    const left = (summary.waitUntil ?? now) - now
    const due = summary.background ? turnComes : 'next try now'
    const next = left > 0 ? `next try in ${formatDuration(left)}` : due
    if (summary.waitFor === 'usage-limit') return waitWords(summary, next)
    return `the agent failed (${summary.detail}); ${next}`
  }
  if (summary.reason === null) return ''
  const restart = restartOf(summary)
  return `${endedBecause(summary.reason, summary)}${restart ? `; ${retryWords(restart, now)}` : ''}`
}

/** `retry 2 of 3 in 48s` */
function retryWords({ n, of, at }: Restart, now: number): string {
  return `retry ${n} of ${of} ${at > now ? `in ${formatDuration(at - now)}` : 'is due'}`
}

/** The status of a loop as it is shown in a table. */
export function statusWords({
  summary: { status },
  orphaned,
}: {
  summary: Pick<Summary, 'status'>
  orphaned: boolean
}): string {
  if (!orphaned) return status
  return status === 'queued' || status === 'crashed' ? `${status}, no loopd` : `${status}, no host`
}

/** Of a loop whose wait is over: loopd runs no more loops at once than it may. */
const turnComes = 'its turn comes when a running loop stops'

/** The loop that a queued one waits for. A resting loop holds a tree only if its rollback was interrupted. */
export function behindWords({ id, status, unfinished, holdsTree }: Head): string {
  if (unfinished && !holdsTree) return `waits until the hook of loop ${id} (${status}) has run`
  if (status === 'running' || status === 'waiting')
    return `waits until loop ${id} (${status}) lets go of the work tree`
  return `waits until loop ${id} (${status}) has finished its rollback of the work tree: loop resume ${id}`
}

/** The exit code of a program that drove this loop to its current status. */
export function exitCodeFor(summary: Summary): number {
  return exitCodeOf(summary.reason ?? 'detached')
}

const mostLeft = 10
const longestPath = 200

/** After a rollback: the paths that it left alone. Empty if there are none; `--json` has all of them. */
export function leftWords(left: readonly string[] = [], indent = ''): string[] {
  if (left.length === 0) return []
  const short = (path: string) => (path.length > longestPath ? `${path.slice(0, longestPath)}…` : path)
  const named = left.slice(0, mostLeft).map(path => spelledOut(short(path)))
  const more = left.length > mostLeft ? ` and ${left.length - mostLeft} more` : ''
  return [`${indent}Left in place, because they could not be saved or removed: ${named.join(', ')}${more}`]
}

type Costs = Pick<
  AnySummary,
  'costUsd' | 'costEstimated' | 'costIncomplete' | 'usageProblem' | 'iteration' | 'session'
>

export function cost(summary: Costs): string {
  const { costUsd, costEstimated, costIncomplete, usageProblem } = summary
  if (isUnspent(summary)) return '$0'
  if (costUsd === null) return `unknown (${usageProblem ?? unknownBecause(summary)})`
  const notes = [
    ...(costEstimated ? ['estimated from tokens'] : []),
    ...(costIncomplete ? ['some of it was never reported'] : []),
    ...(usageProblem ? [`last run: ${usageProblem}`] : []),
  ]
  return `${formatCost(costUsd, summary)}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`
}

/** No agent has run yet. */
export function isUnspent({ costUsd, iteration }: Costs): boolean {
  return costUsd === null && iteration === 0
}

function unknownBecause({ costIncomplete, session }: Costs): string {
  if (session) return 'loop does not see what your session costs'
  return costIncomplete ? 'the agent was stopped before it reported any' : 'the agent reports none'
}

/** `+8 -3 (1 file)` */
export function formatChanges(changes: Changes): string {
  return `+${changes.added} -${changes.removed} (${count(changes.files, 'file')})`
}

const mostPaths = 5

/** `the promise changed +3 -0 (1 file): coverage/lcov.info` */
export function promiseChanged({ changes, paths }: Changed): string {
  const shown = paths.slice(0, mostPaths)
  const rest = changes.files - shown.length
  const names = [...shown, ...(rest > 0 ? [`${rest} more`] : [])]
  return `the promise changed ${formatChanges(changes)}: ${names.join(', ')}`
}

/** For `status` and the receipt: a line if the promise changed anything in its last run. */
export function promiseLines({ byPromise }: Pick<AnySummary, 'byPromise'>): string[] {
  return byPromise ? [`  changes     ${promiseChanged(byPromise)}`] : []
}

/** `npm test: FAIL (exit 1, 3 failing, 0.4s)` */
export function verdictLine(result: CriterionResult): string {
  const failing = result.failing ? [`${result.failing} failing`] : []
  const facts = [result.why, ...failing, formatDuration(result.durationMs)]
  return `${label(result)}: ${result.verdict} (${facts.join(', ')})`
}

/** A promise without a name is called by its command. */
function label({ name, command }: { name: string; command: string }): string {
  return name === command ? command : `${name} (${command})`
}

/** The message for a result that could not be printed. It is in its own file because every command loads it. */
export function lostOutputWords(why: string): string {
  return `Standard output cannot be written (${why}): what was printed is lost. Nothing recorded is.`
}

/** The answer to a signal while files are written. */
export const unbrokenWords = 'loop: the work tree is being written; this ends when that is done.'

/** One command or sentence each. */
export function nextSteps(summary: Summary): string[] {
  return byKind(steps, summary)
}

const steps: ByKind<string[]> = {
  loop: summary => memberSteps(summary) ?? waysOut(summary),
  group: groupSteps,
  newer: () => [],
}

/** For a loop as it is shown: one without a host has to be taken up first. */
export function waysOn({ summary, orphaned }: { summary: Summary; orphaned: boolean }): string[] {
  return [...nextSteps(summary), ...(orphaned ? [takeUpWords(summary)] : [])]
}

export function takeUpWords({ id, background }: Pick<Summary, 'id' | 'background'>): string {
  return background ? 'loopd start' : `loop resume ${id}`
}

export function stateFileWords(why: string): string {
  return `.loop/state.json cannot be written: ${why}`
}

/** `problem`: in words. */
export function withoutStateFiles(problem: string): string {
  return `loop: ${problem}. The loop goes on without it.`
}
