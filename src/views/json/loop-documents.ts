/** What `--json` prints about loops: rows of lists, one loop in detail, its history, and failures. */
import * as z from 'zod'
import { groupSpec } from '../../model/group/spec.ts'
import { problemList } from './workflow-documents.ts'

const at = z.number().describe('milliseconds since 1970')
const verdict = z.enum(['PASS', 'FAIL', 'ERROR']).nullable()
export const changesDocument = z.strictObject({ added: z.int(), removed: z.int(), files: z.int() })

const row = z.strictObject({
  id: z.string(),
  kind: z.string().describe('loop, or group: loops that are run together'),
  group: z.string().optional().describe('the group it is a member of'),
  status: z.string().describe('queued, running, waiting, paused, completed, failed, cancelled or crashed'),
  reason: z.string().describe('why it is in this status, in words; empty while it simply runs'),
  iteration: z.int().describe('of a group: nodes that are over'),
  maxIterations: z.int().nullable().describe('null: unlimited; of a group: nodes that are planned'),
  promise: z.string(),
  agent: z.string(),
  elapsedMs: z.int().describe('at work: without the time it waited, was paused or queued'),
  totalMs: z.int().describe('from its beginning to its end, or to now'),
  costUsd: z.number().nullable().describe('null: no run has said what it cost'),
  costEstimated: z.boolean().describe('worked out from tokens and a price list, or not all of it is known'),
  costIncomplete: z.boolean().optional().describe('it is at least this: some of it was never reported'),
})

const placed = row.extend({
  cwd: z.string().describe('its work tree'),
  prompt: z.string().describe('its first 400 characters'),
  createdAt: at,
})

const members = z
  .array(
    z.looseObject({ id: z.string(), node: z.string().nullable().describe('what it is called in its group') }),
  )
  .optional()
  .describe('of a group: its loops, each with the fields of a row')

const program = z.string().optional().describe('of a group: best-of, workflow or plan')

/** `loop status --json`, `loop list --json`: a list of these. */
export const listRow = placed.extend({ program, members })

const evidence = z.strictObject({
  command: z.string(),
  exitCode: z.int().nullable(),
  durationMs: z.number(),
  failing: z.int().nullable().describe('failing tests, where the runner is known'),
  checkpoint: z.string().nullable().describe('the saved tree that it was run in'),
  output: z.string().describe('where what it printed is, below the directory of the loop'),
})

const criterion = z.looseObject({
  met: z.boolean(),
  verification: z.string(),
  verdict,
  why: z.string(),
  evidence: evidence.nullable().describe('null where no command was run'),
})

export const doubtList = z
  .array(
    z.strictObject({
      kind: z
        .string()
        .describe(
          'steered: files that judge the work were changed; fewer-tests, skipped-tests, uncounted-tests, repository-gone, head-moved',
        ),
      node: z.string().nullable().describe('of a group: the result it is about; null: all of it'),
      how: z
        .string()
        .nullable()
        .describe(
          'of steered: suspect (the promise passes by these files), mixed (only together with them), not-alone (not by them alone; without them it was not tried), not-checkable (a clean copy cannot tell), unlooked (nobody has looked yet), accepted (by a person)',
        ),
      files: z.array(z.string()).describe('of steered'),
      words: z.string().describe('for people; may change'),
    }),
  )
  .describe('why to look at the result before it is shipped, although its promise passed')

const run = z.string().nullable().describe('of a session: the directory of its run; null: it has none')
const taskList = z.string().describe('of a session: the name of its task list, where one was asked for')

/** `loop status <id> --json`, `loop start --json` at its end. */
export const loopDocument = row.extend({
  program,
  members,
  exitCode: z.int().nullable().describe('as `loop start` ends; null while it goes on'),
  cwd: z.string().describe('its work tree'),
  ran: z.array(z.string()).optional().describe('the agents that ran, where it was not one alone'),
  question: z.string().nullable().describe('what it asks a person'),
  next: z.array(z.string()).describe('what a person can do about it: one command or sentence each'),
  retry: z
    .strictObject({ n: z.int(), of: z.int(), at: z.number().describe('in ms since 1970') })
    .optional()
    .describe('of a crashed loop that loopd starts again: which try, of how many, and when'),
  doubts: doubtList,
  criteria: z.record(z.string(), criterion).describe('by name'),
  byPromise: z
    .strictObject({ changes: changesDocument, paths: z.array(z.string()).describe('some of them') })
    .nullable()
    .describe('files that the promise itself changed; null: none'),
  sandbox: z
    .strictObject({
      level: z.string().describe('files, or none'),
      why: z.string().nullable().describe('why there is none'),
      network: z
        .array(z.string())
        .optional()
        .describe('the hosts it may reach, besides the provider of the agent; absent: all'),
      refused: z
        .record(z.string(), z.int())
        .optional()
        .describe('hosts that it did not let through, and how often'),
    })
    .optional()
    .describe('how its agent was kept in its work tree'),
  hook: z.looseObject({}).optional().describe('what ran after its end, and how that ended'),
  assessed: z.looseObject({}).optional().describe('its shape, workflow type and reversibility'),
  ship: z
    .looseObject({ verdict: z.string() })
    .optional()
    .describe('SHIP, MONITOR or RESEARCH, and what speaks against it'),
  breakers: z
    .record(
      z.string(),
      z.strictObject({
        count: z.int().nullable().describe('null: its agent does not say'),
        limit: z.int().nullable().describe('null: off'),
      }),
    )
    .describe('by name'),
  budgetUsd: z.number().nullable().optional().describe('of a group'),
  nodes: z
    .array(z.looseObject({ id: z.string() }))
    .optional()
    .describe('of a group: what it does, and how far it is'),
  winner: z.string().nullable().optional().describe('of a group: the node that was chosen'),
  winnerBy: z.string().nullable().optional().describe('of a group: the value by which it won'),
  inTree: z.string().nullable().optional().describe('of a group: the node whose result is in the work tree'),
  choices: z.array(z.string()).optional().describe('of a group: the answers to its question'),
  changes: changesDocument.nullable().optional().describe('of all of it, at the end of a start'),
  goesOn: z
    .boolean()
    .optional()
    .describe(
      'of a group, after an answer: it goes on by itself; false: it needs an answer, a resume or a loopd',
    ),
  run: run.optional(),
  taskList: taskList.optional(),
})

/** `loop history <id> --json` */
export const historyOfLoop = z.strictObject({
  id: z.string(),
  iterations: z.array(
    z.strictObject({
      n: z.int(),
      checkpoint: z.string().describe('the tree before its agent ran'),
      after: z.string().nullable().describe('what the agent left; null while that is not saved'),
      verdict: verdict.describe('null while it is not verified'),
      suspect: z
        .literal(true)
        .optional()
        .describe('it passed by changes to what judges the work, and no person has accepted that'),
      durationMs: z.int(),
      added: z.int().nullable(),
      removed: z.int().nullable(),
      files: z.int().nullable(),
      promiseChanges: changesDocument
        .nullable()
        .describe('what the promise changed when it was run after that'),
      costUsd: z.number().nullable(),
      estimated: z.boolean(),
      costIncomplete: z.boolean().optional(),
      tokens: z.strictObject({ input: z.number(), cached: z.number(), output: z.number() }).nullable(),
      agents: z.array(z.string()).optional().describe('who ran, where it was not one agent throughout'),
    }),
  ),
  checkpoints: z.array(z.string()).describe('those that people asked for'),
  discarded: z
    .array(z.strictObject({ name: z.string(), at: z.number().nullable() }))
    .describe('checkpoints that were thrown away'),
  hooks: z.array(z.looseObject({})).optional().describe('what ran after its ends'),
})

export const started = z.strictObject({ id: z.string() })

const [bestOf, plan] = [groupSpec.shape.bestOf.unwrap(), groupSpec.shape.plan.unwrap()]
const optionsOfLoop = z.looseObject({ cwd: z.string() }).describe('its options, as loopPlanned has them')

/** `loop start --dry-run --json`. A workflow has a document of its own. */
export const plannedGroup = groupSpec.omit({ workflow: true, options: true }).extend({
  bestOf: bestOf.extend({ loop: optionsOfLoop.describe('what each attempt is to do') }).optional(),
  plan: plan.extend({ loop: optionsOfLoop }).optional(),
})

/** A run inside a session without a promise: loop keeps no journal of it. */
export const sessionRun = z.strictObject({
  id: z.null().describe('it has none'),
  run,
  status: z.string().describe('in_progress or cancelled'),
  taskList: taskList.optional(),
})

/** On stderr, beside the document on stdout. */
export const noticeDocument = z.strictObject({
  notice: z.strictObject({ message: z.string().describe('for people; may change') }),
})

/** On stderr, with the exit code of the reason. */
export const failureDocument = z.strictObject({
  error: z.strictObject({
    reason: z.string().describe('a word that stays the same'),
    message: z.string().describe('for people; may change'),
    facts: z.looseObject({ kind: z.string() }).optional().describe('the values that the message is made of'),
    problems: problemList.optional().describe('every mistake in a file of a workflow'),
  }),
})
