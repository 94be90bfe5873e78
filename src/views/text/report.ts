/**
 * The report in words, for a person who comes back to many loops: first what waits for them, each with the command
 * that helps; then failures with their reasons, running loops, finished ones; at the end the cost.
 */
import { isNotApplied } from '../../core/attention.ts'
import type { Expense, LoopsReport, ReportedLoop, ReportGroup, Share, Worked } from '../../core/report.ts'
import { type AnySummary, type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { clip, oneLine, safeLine } from '../../core/text/plain-text.ts'
import type { CriterionResult } from '../../model/loop/event.ts'
import { momentWords } from '../../model/moment.ts'
import { count, formatAge, formatCost, formatDuration } from '../../model/units.ts'
import { align, clipStart, wrap } from '../layout/columns.ts'
import { doubtWords } from '../words/doubt.ts'
import { programWords } from '../words/group.ts'
import { formatChanges, verdictLine, waysOn } from '../words/message.ts'
import { directoryWords, type Place } from './loop-table.ts'
import { failingNames, failureLines, quoted } from './promise-output.ts'
import { timesOf, whyWords } from './status.ts'

/** The limit per group; the JSON has all. */
const mostShown = 20
const indent = '          '

const titles: [ReportGroup, string][] = [
  ['waiting', 'Waiting for you'],
  ['failed', 'Failed'],
  ['running', 'Running'],
  ['done', 'Done'],
]

export function reportLines(report: LoopsReport, place: Place): string[] {
  const parts = [
    ...titles.map(([group, title]) => section(report, group, { title, place })),
    longer(report),
    cancelled(report),
    costLines(report, place),
  ].filter(lines => lines.length > 0)
  const head = `Since ${momentWords(report.since, report.until)}`
  if (parts.length === 0) return [`${head}: no loop has run, and none waits for you.`]
  return [`${head}: ${countWords(report)}`, ...parts.flatMap(lines => ['', ...lines])].map(safeLine)
}

function countWords(report: LoopsReport): string {
  const words = { waiting: 'waiting for you', failed: 'failed', running: 'running', done: 'done' }
  const counts = Object.entries(words).flatMap(([group, word]) => {
    const n = report[group as ReportGroup].length
    return n > 0 ? [`${n} ${word}`] : []
  })
  return counts.length > 0 ? `${counts.join(', ')}.` : 'no loop is new.'
}

function section(
  report: LoopsReport,
  group: ReportGroup,
  { title, place }: { title: string; place: Place },
): string[] {
  const loops = report[group]
  if (loops.length === 0) return []
  const left = loops.length - mostShown
  return [
    title,
    ...loops.slice(0, mostShown).flatMap(loop => loopLines(loop, { group, now: report.until, place })),
    ...(left > 0 ? [`  … and ${left} more: loop report --json`] : []),
  ]
}

type Look = { group: ReportGroup; now: number; place: Place }

function loopLines(loop: ReportedLoop, look: Look): string[] {
  const { summary } = loop
  const { doubts = [] }: AnySummary = summary
  const { width } = look.place
  const directory = oneLine(directoryWords(summary.cwd, look.place))
  const head = `  ${summary.id}  ${directory}  ${oneLine(summary.prompt).trim()}`
  const why = standingWords(loop, look.now)
  return [
    clip(head, width ?? 160),
    ...(why === '' ? [] : wrapped(why, width)),
    ...(look.group === 'failed' || look.group === 'waiting' ? unmetLines(loop, width) : []),
    ...(doubts.length > 0 ? wrapped(`look at: ${doubtWords(doubts)}`, width) : []),
    ...wrapped(factWords(loop, look).join(' · '), width),
    ...nextOf(loop).flatMap(step => wrapped(`→ ${step}`, width)),
  ]
}

/** `paused: $25.00 of $25 spent`; empty if the title says it all. */
function standingWords(loop: ReportedLoop, now: number): string {
  const { status } = loop.summary
  if (status === 'completed' && byKind(isPlainlyDone, loop.summary)) return ''
  const why = oneLine(whyWords(loop, now))
  if (why === '') return status === 'running' ? '' : status
  return `${status}: ${why}`
}

/** Of a completed one: the title says it all. A group has a reason also then. */
const isPlainlyDone: ByKind<boolean> = {
  loop: ({ iteration }) => iteration > 0,
  group: () => false,
  newer: ({ iteration }) => iteration > 0,
}

const mostUnmet = 2
const mostOutput = 2

/** The first criteria that did not pass, each with what fails, or with the end of its output. */
function unmetLines({ recent: { unmet } }: ReportedLoop, width: number | null): string[] {
  const left = unmet.length - mostUnmet
  return [
    ...unmet
      .slice(0, mostUnmet)
      .flatMap(result => [...wrapped(oneLine(verdictLine(result)), width), ...failing(result, width)]),
    ...(left > 0 ? [`${indent}and ${left} more of its criteria`] : []),
  ]
}

const mostNamed = 3

function failing(result: CriterionResult, width: number | null): string[] {
  const names = failingNames([result], mostNamed)
  if (names !== '') return wrapped(`still failing: ${names}`, width)
  return quoted(failureLines(result, mostOutput)).map(line => clip(`${indent}${line}`, width ?? 160))
}

function factWords(loop: ReportedLoop, { group, now }: Look): string[] {
  const { summary, recent, spent } = loop
  const rests = group === 'waiting' && recent.restingSince !== null
  return [
    ...(rests ? [`waiting for ${formatAge(now - (recent.restingSince ?? now))}`] : []),
    byKind(extents, summary),
    formatDuration(timesOf(loop, now).elapsedMs),
    ...(spent.runs > 0 ? [spentWords(spent, 'cost unknown')] : []),
    recent.worked?.files ? changeWords(recent.worked) : 'no changes',
    summary.agent,
  ]
}

/** How far it came, or what it consists of. */
const extents: ByKind<string> = { loop: iterationWords, group: programWords, newer: iterationWords }

function iterationWords({ iteration, maxIterations }: Summary): string {
  const of = maxIterations === null ? '' : ` of ${maxIterations}`
  return `${iteration}${of} ${iteration === 1 && of === '' ? 'iteration' : 'iterations'}`
}

function changeWords(worked: Worked): string {
  return worked.atLeast ? formatChanges(worked).replace('(', '(at least ') : formatChanges(worked)
}

/** `$1.20`; `~$1.20` if computed from tokens; `at least $1.20` if a run reported no cost. */
function spentWords(spent: Expense, unknown = 'unknown'): string {
  if (spent.costUsd === null) return spent.costIncomplete ? unknown : '$0'
  return formatCost(spent.costUsd, spent)
}

/** The commands that a person can use. */
export function nextOf(loop: ReportedLoop): string[] {
  const { summary } = loop
  return summary.status === 'completed' && !isNotApplied(summary) ? [`loop diff ${summary.id}`] : waysOn(loop)
}

function longer({ waitingLonger }: LoopsReport): string[] {
  if (waitingLonger.length === 0) return []
  return [
    `${count(waitingLonger.length, 'loop')} waiting for you since before that: loop list --status paused,waiting`,
  ]
}

function cancelled({ cancelled: loops }: LoopsReport): string[] {
  if (loops.length === 0) return []
  const ids = loops.slice(0, mostShown).map(({ summary }) => summary.id)
  const left = loops.length - ids.length
  return [`Cancelled: ${ids.join(', ')}${left > 0 ? ` and ${left} more` : ''}`]
}

function costLines({ cost: { total, byDay, byAgent, byProject } }: LoopsReport, place: Place): string[] {
  if (total.runs === 0) return []
  const rows = (title: string, shares: Share[], name = (of: string) => of) =>
    shares.slice(0, mostShown).map(({ of, spent }, i) => {
      const runs = count(spent.runs, 'run')
      return [i === 0 ? `  by ${title}` : '', oneLine(name(of)), spentWords(spent), runs]
    })
  return [
    `Cost: ${spentWords(total)} in ${count(total.runs, 'run')}${total.costIncomplete ? '; some agents did not say all of theirs' : ''}`,
    ...align([
      ...rows('day', byDay),
      ...rows('agent', byAgent),
      ...rows('project', byProject, of => clipStart(directoryWords(of, place), (place.width ?? 160) - 50)),
    ]),
  ]
}

/** Lines of their own below the loop; words are not cut. */
function wrapped(text: string, width: number | null): string[] {
  return wrap(text, (width ?? Number.POSITIVE_INFINITY) - indent.length).map(line => indent + line)
}
