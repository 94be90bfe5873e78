/** What became of all loops since a moment, for programs: `loop report --json`, and loopd. */
import * as z from 'zod'
import type { Expense, LoopsReport, ReportedLoop } from '../core/report.ts'
import { nextOf } from '../views/text/report.ts'
import { whyWords } from '../views/text/status.ts'
import { changesSchema, type DocumentOf, int, moment, someFields, string, strings } from './fields.ts'

function spentSchema() {
  return z.strictObject({
    costUsd: z.number().nullable().describe('null: no run has said what it cost'),
    costEstimated: z.boolean().describe('some of it was worked out from tokens and a price list'),
    costIncomplete: z.boolean().describe('some run did not say all of its cost: it is at least this'),
    runs: int('how many runs of an agent it is the sum of'),
  })
}

function reportedSchema() {
  const changes = changesSchema().extend({
    atLeast: z.boolean().describe('there may be more files: an event names only 20 of them'),
  })
  const unmet = z.strictObject({
    criterion: z.string(),
    verdict: z.string(),
    why: z.string(),
    failing: z.int().nullable().describe('failing tests, where the runner is known'),
    output: string('the end of what it printed'),
  })
  const counted = 'lines as counted in each iteration; null where nothing is known'
  return z.strictObject({
    id: z.string(),
    kind: string('loop, or group: loops that are run together and counted once'),
    members: strings('of a group: the ids of its loops').optional(),
    status: z.string(),
    reason: string('why it is in this status, in words; empty while it simply runs'),
    cwd: string('its work tree'),
    prompt: string('its first 400 characters'),
    promise: z.string(),
    agent: z.string(),
    iteration: z.int(),
    maxIterations: z.int().nullable(),
    createdAt: moment(),
    endedAt: moment().nullable(),
    waitingSince: moment().nullable().describe('of one that waits for you: since when, where that is known'),
    spent: spentSchema().describe('in the time of the report, not since the loop began'),
    changes: changes.nullable().describe(`by its agent since then: ${counted}`),
    unmet: z.array(unmet).describe('what of its promise did not pass when it was last run'),
    next: strings('what you can do about it'),
  })
}

export function reportSchema() {
  const loops = (what: string) => z.array(reportedSchema()).describe(what)
  const shares = <S extends z.ZodRawShape>(of: S) =>
    z.array(z.strictObject({ ...of, ...spentSchema().shape }))
  return z.strictObject({
    since: moment(),
    until: moment('when the report was made'),
    waiting: loops('for you: paused, with a question, or without a process that hosts it'),
    waitingLonger: strings('the ids of those that wait for you since before that'),
    failed: loops('failed or crashed since then'),
    running: loops('running, queued, or waiting for a limit to pass; now'),
    done: loops('completed since then'),
    cancelled: loops('cancelled since then'),
    cost: z.strictObject({
      total: spentSchema(),
      byDay: shares({ day: string('in local time: 2026-11-16') }),
      byAgent: shares({ agent: string('the agent that ran') }),
      byProject: shares({ cwd: string('the work tree') }),
    }),
    damaged: strings('the ids of loops whose journal cannot be read: they are not counted'),
  })
}

export function reportJson(
  { since, until, waitingLonger, cost, ...of }: LoopsReport,
  damaged: string[],
): DocumentOf<typeof reportSchema> {
  const rows = (loops: ReportedLoop[]) => loops.map(loop => reportedJson(loop, until))
  return {
    since,
    until,
    waiting: of.waiting.map(loop => ({
      ...reportedJson(loop, until),
      waitingSince: loop.recent.restingSince ?? null,
    })),
    waitingLonger,
    failed: rows(of.failed),
    running: rows(of.running),
    done: rows(of.done),
    cancelled: rows(of.cancelled),
    cost: {
      total: spentJson(cost.total),
      byDay: cost.byDay.map(({ of: day, spent }) => ({ day, ...spentJson(spent) })),
      byAgent: cost.byAgent.map(({ of: agent, spent }) => ({ agent, ...spentJson(spent) })),
      byProject: cost.byProject.map(({ of: cwd, spent }) => ({ cwd, ...spentJson(spent) })),
    },
    damaged,
  }
}

function reportedJson(loop: ReportedLoop, now: number): DocumentOf<typeof reportedSchema> {
  const { summary } = loop
  return {
    ...someFields(summary, 'id', 'kind'),
    ...(loop.members && { members: loop.members.map(one => one.summary.id) }),
    status: summary.status,
    reason: whyWords(loop, now),
    ...someFields(summary, 'cwd', 'prompt', 'promise', 'agent', 'iteration', 'maxIterations'),
    ...someFields(summary, 'createdAt', 'endedAt'),
    waitingSince: null,
    spent: spentJson(loop.spent),
    changes: loop.recent.worked,
    unmet: loop.recent.unmet.map(({ name, verdict, why, failing, output }) => {
      return { criterion: name, verdict, why, failing, output: output.tail }
    }),
    next: nextOf(loop),
  }
}

function spentJson(expense: Expense) {
  return someFields(expense, 'costUsd', 'costEstimated', 'costIncomplete', 'runs')
}
