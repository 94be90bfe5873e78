/**
 * The schema of the document that `loop report --json` prints. Programs rely on it: fields are added, never
 * removed. docs/reference/report.md is generated from it.
 */
import * as z from 'zod'

const at = z.number().describe('milliseconds since 1970')

const spent = z.strictObject({
  costUsd: z.number().nullable().describe('null: no run has said what it cost'),
  costEstimated: z.boolean().describe('some of it was worked out from tokens and a price list'),
  costIncomplete: z.boolean().describe('some run did not say all of its cost: it is at least this'),
  runs: z.int().describe('how many runs of an agent it is the sum of'),
})

const loop = z.strictObject({
  id: z.string(),
  kind: z.string().describe('loop, or group: loops that are run together and counted once'),
  members: z.array(z.string()).optional().describe('of a group: the ids of its loops'),
  status: z.string(),
  reason: z.string().describe('why it is in this status, in words; empty while it simply runs'),
  cwd: z.string().describe('its work tree'),
  prompt: z.string().describe('its first 400 characters'),
  promise: z.string(),
  agent: z.string(),
  iteration: z.int(),
  maxIterations: z.int().nullable(),
  createdAt: at,
  endedAt: at.nullable(),
  waitingSince: at.nullable().describe('of one that waits for you: since when, where that is known'),
  spent: spent.describe('in the time of the report, not since the loop began'),
  changes: z
    .strictObject({
      added: z.int(),
      removed: z.int(),
      files: z.int(),
      atLeast: z.boolean().describe('there may be more files: an event names only 20 of them'),
    })
    .nullable()
    .describe('by its agent since then: lines as counted in each iteration; null where nothing is known'),
  unmet: z
    .array(
      z.strictObject({
        criterion: z.string(),
        verdict: z.string(),
        why: z.string(),
        failing: z.int().nullable().describe('failing tests, where the runner is known'),
        output: z.string().describe('the end of what it printed'),
      }),
    )
    .describe('what of its promise did not pass when it was last run'),
  next: z.array(z.string()).describe('what you can do about it'),
})

function shares<T extends z.ZodRawShape>(of: T) {
  return z.array(z.strictObject({ ...of, ...spent.shape }))
}

export const reportDocument = z.strictObject({
  since: at,
  until: at.describe('when the report was made'),
  waiting: z.array(loop).describe('for you: paused, with a question, or without a process that hosts it'),
  waitingLonger: z.array(z.string()).describe('the ids of those that wait for you since before that'),
  failed: z.array(loop).describe('failed or crashed since then'),
  running: z.array(loop).describe('running, queued, or waiting for a limit to pass; now'),
  done: z.array(loop).describe('completed since then'),
  cancelled: z.array(loop).describe('cancelled since then'),
  cost: z.strictObject({
    total: spent,
    byDay: shares({ day: z.string().describe('in local time: 2026-11-16') }),
    byAgent: shares({ agent: z.string().describe('the agent that ran') }),
    byProject: shares({ cwd: z.string().describe('the work tree') }),
  }),
  damaged: z
    .array(z.string())
    .describe('the ids of loops whose journal cannot be read: they are not counted'),
})

export type ReportDocument = z.infer<typeof reportDocument>
