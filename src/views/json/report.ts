/** The report as the document that model/report describes. */
import type { Expense, LoopsReport, ReportedLoop } from '../../core/report.ts'
import type { ReportDocument } from '../../model/report.ts'
import { nextOf } from '../text/report.ts'
import { whyWords } from '../text/status.ts'

export function reportJson(report: LoopsReport, damaged: string[]): ReportDocument {
  const { since, until, waitingLonger, cost } = report
  const rows = (loops: ReportedLoop[]) => loops.map(loop => loopJson(loop, until))
  return {
    since,
    until,
    waiting: rows(report.waiting).map((row, i) => ({
      ...row,
      waitingSince: report.waiting[i]?.lately.restingSince ?? null,
    })),
    waitingLonger,
    failed: rows(report.failed),
    running: rows(report.running),
    done: rows(report.done),
    cancelled: rows(report.cancelled),
    cost: {
      total: spentJson(cost.total),
      byDay: cost.byDay.map(({ of, spent }) => ({ day: of, ...spentJson(spent) })),
      byAgent: cost.byAgent.map(({ of, spent }) => ({ agent: of, ...spentJson(spent) })),
      byProject: cost.byProject.map(({ of, spent }) => ({ cwd: of, ...spentJson(spent) })),
    },
    damaged,
  }
}

function loopJson(loop: ReportedLoop, now: number) {
  const { id, kind, status, cwd, prompt, promise, agent, iteration, maxIterations, createdAt, endedAt } =
    loop.summary
  return {
    id,
    kind,
    ...(loop.members && { members: loop.members.map(({ summary }) => summary.id) }),
    status,
    reason: whyWords(loop, now),
    cwd,
    prompt,
    promise,
    agent,
    iteration,
    maxIterations,
    createdAt,
    endedAt,
    waitingSince: null,
    spent: spentJson(loop.spent),
    changes: loop.lately.worked,
    unmet: loop.lately.unmet.map(({ name, verdict, why, failing, output }) => ({
      criterion: name,
      verdict,
      why,
      failing,
      output: output.tail,
    })),
    next: nextOf(loop),
  }
}

function spentJson({ costUsd, costEstimated, costIncomplete, runs }: Expense) {
  return { costUsd, costEstimated, costIncomplete, runs }
}
