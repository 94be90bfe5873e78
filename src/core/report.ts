/**
 * The report over all loops since a moment: which loops wait for a person, failed, run or are done, what they
 * changed, and the cost by day, agent and project. It is a fold of summaries and of the journals touched since
 * then, and holds facts only (words: views/text/report, JSON: documents/report). A sum of money is never
 * silently too small: a run of unknown cost makes each sum that contains it incomplete, which is shown as "at
 * least" (core/loop/spent).
 */
import type { CriterionResult, Recorded } from '../model/loop/event.ts'
import { dayOf } from '../model/moment.ts'
import { isNotApplied } from './attention.ts'
import { nothingSpent, spentAfter } from './loop/spent.ts'
import { isActive } from './loop/summary.ts'
import { restartOf } from './queue.ts'
import type { Summary } from './summary.ts'

/**
 * `costUsd` is null if no run reported a cost. `costIncomplete`: some runs did not, so the sum is a lower
 * bound.
 */
export type Expense = {
  costUsd: number | null
  costEstimated: boolean
  costIncomplete: boolean
  runs: number
}

/**
 * The agent's changes over all iterations: lines are added up per iteration, files count once. `atLeast`: there
 * can be more files.
 */
export type Worked = { added: number; removed: number; files: number; atLeast: boolean }

type RunSpent = { at: number; agent: string; spent: Expense }

/**
 * The recent history of one loop: its events since the moment, when it began to wait for a person, and which
 * criteria failed when the promise was last run.
 */
export type RecentHistory = {
  runs: RunSpent[]
  worked: Worked | null
  restingSince: number | null
  unmet: CriterionResult[]
}

export type ReportedLoop = {
  summary: Summary
  orphaned: boolean
  /** For a group: its member loops, which are counted only there. */
  members?: { summary: Summary; orphaned: boolean; node: string | null }[]
  recent: RecentHistory
  spent: Expense
}

const groups = ['waiting', 'failed', 'running', 'done', 'cancelled'] as const

export type ReportGroup = (typeof groups)[number]

export type LoopsReport = Record<ReportGroup, ReportedLoop[]> & {
  since: number
  until: number
  /** The loops that have waited for a person since before the period. */
  waitingLonger: string[]
  cost: { total: Expense; byDay: Share[]; byAgent: Share[]; byProject: Share[] }
}

/** The share of one day, agent or work tree. */
export type Share = { of: string; spent: Expense }

type Loop = Omit<ReportedLoop, 'spent'>

export function reportOf(
  loops: readonly Loop[],
  { since, until }: { since: number; until: number },
): LoopsReport {
  const all = loops.map(loop => ({ ...loop, spent: sum(loop.recent.runs) }))
  const of = (group: ReportGroup) => all.filter(loop => groupOf(loop) === group)
  const ended = (group: ReportGroup) => of(group).filter(({ summary }) => (summary.endedAt ?? until) >= since)
  const waiting = of('waiting').filter(({ summary }) => (summary.endedAt ?? since) >= since)
  const isLonger = ({ recent }: Loop) => recent.restingSince !== null && recent.restingSince < since
  const runs = all.flatMap(({ summary, recent }) =>
    recent.runs.map(run => ({ ...run, project: summary.cwd })),
  )
  return {
    since,
    until,
    waiting: waiting.filter(loop => !isLonger(loop)),
    waitingLonger: waiting.filter(isLonger).map(({ summary }) => summary.id),
    failed: ended('failed'),
    running: of('running'),
    done: ended('done'),
    cancelled: ended('cancelled'),
    cost: {
      total: sum(runs),
      byDay: shares(runs, ({ at }) => dayOf(at)).toSorted((a, b) => (a.of < b.of ? -1 : 1)),
      byAgent: shares(runs, ({ agent }) => agent).toSorted(byMoney),
      byProject: shares(runs, ({ project }) => project).toSorted(byMoney),
    },
  }
}

/** A loop that needs a person counts as waiting, whatever its status; so does a loop without a host. */
function groupOf({ summary, orphaned }: Loop): ReportGroup {
  const { status, question } = summary
  if (isNotApplied(summary)) return 'waiting'
  if (orphaned || status === 'paused' || (status === 'waiting' && question !== null)) return 'waiting'
  if (isActive(status) || restartOf(summary)) return 'running'
  if (status === 'completed') return 'done'
  return status === 'cancelled' ? 'cancelled' : 'failed'
}

const nothing: Expense = { costUsd: null, costEstimated: false, costIncomplete: false, runs: 0 }

function sum(runs: readonly RunSpent[]): Expense {
  return runs.reduce((all, { spent }) => together(all, spent), nothing)
}

function together(one: Expense, other: Expense): Expense {
  return {
    costUsd: one.costUsd === null ? other.costUsd : one.costUsd + (other.costUsd ?? 0),
    costEstimated: one.costEstimated || other.costEstimated,
    costIncomplete: one.costIncomplete || other.costIncomplete,
    runs: one.runs + other.runs,
  }
}

function shares<T extends RunSpent>(runs: readonly T[], of: (run: T) => string): Share[] {
  return Array.from(Map.groupBy(runs, of), ([name, some]) => ({ of: name, spent: sum(some) }))
}

function byMoney(a: Share, b: Share): number {
  return (b.spent.costUsd ?? 0) - (a.spent.costUsd ?? 0) || (a.of < b.of ? -1 : 1)
}

/** Folds the whole journal of a loop into its history since the moment. */
export function recentIn(events: readonly Recorded[], since: number): RecentHistory {
  const [first] = events
  const agents = new Map<number, string>()
  const named = first?.kind === 'loop.created' ? first.data.spec.agent : 'custom'
  const recent: RecentHistory = { runs: [], worked: null, restingSince: null, unmet: [] }
  const paths = new Set<string>()
  for (const event of events) {
    if (event.kind === 'run.started') agents.set(event.data.run, event.data.agent ?? named)
    if (event.kind === 'loop.held' || event.kind === 'question.asked') recent.restingSince = event.at
    if (event.kind === 'promise.verified')
      recent.unmet = event.data.results.filter(({ verdict }) => verdict !== 'PASS')
    if (event.at < since) continue
    if (event.kind === 'run.ended' || event.kind === 'run.lost') {
      const agent = agents.get(event.data.run) ?? named
      recent.runs.push({ at: event.at, agent, spent: expenseOf(event) })
    }
    if (event.kind === 'checkpoint.taken' && /^iter-\d+-after$/.test(event.data.name))
      recent.worked = workedIn(event.data, recent.worked, paths)
  }
  return recent
}

type RunEnd = Extract<Recorded, { kind: 'run.ended' | 'run.lost' }>

function expenseOf(end: RunEnd): Expense {
  const { costUsd, costEstimated, wasCut, hasUnreported } = spentAfter(nothingSpent, end)
  return { costUsd, costEstimated, costIncomplete: wasCut || hasUnreported, runs: 1 }
}

type TakenCheckpoint = Extract<Recorded, { kind: 'checkpoint.taken' }>['data']

/** `known` has the files that were counted before. Events name only some of the files when there are very many. */
function workedIn(
  { changes, paths = [] }: TakenCheckpoint,
  before: Worked | null,
  known: Set<string>,
): Worked | null {
  if (!changes) return before
  for (const path of paths) known.add(path)
  return {
    added: (before?.added ?? 0) + changes.added,
    removed: (before?.removed ?? 0) + changes.removed,
    files: Math.max(known.size, before?.files ?? 0, changes.files),
    atLeast: before?.atLeast === true || paths.length < changes.files,
  }
}
