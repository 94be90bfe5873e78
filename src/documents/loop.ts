/**
 * A loop or group for programs: a row of a list, all of it, its iterations. As in every file of this room, a document
 * is its schema and the function that makes it, and a schema is made only by whoever asks for one: `loop status` and
 * the page load none.
 */
import * as z from 'zod'
import { attentionOf, attentions, sectionOf, sections } from '../core/attention.ts'
import { history, hooksIn, type Iteration, ownCheckpoints } from '../core/loop/history.ts'
import { isIncomplete } from '../core/loop/spent.ts'
import { isActive, type LoopSummary, statuses } from '../core/loop/summary.ts'
import { restartOf } from '../core/queue.ts'
import { type AnySummary, type ByKind, byKind } from '../core/summary.ts'
import { sandboxTroubleWords } from '../failures/machine.ts'
import { groupSpec } from '../model/group/spec.ts'
import type { Recorded } from '../model/loop/event.ts'
import { priorities, spec } from '../model/loop/spec.ts'
import { agentsOf, haveSeveralRun } from '../views/text/history.ts'
import { type Shown, timesOf, whyWords } from '../views/text/status.ts'
import { doubtWords, lookedWords } from '../views/words/doubt.ts'
import { exitCodeFor, waysOn } from '../views/words/message.ts'
import {
  changesSchema,
  type DocumentOf,
  fieldsOrNull,
  int,
  moment,
  someFields,
  string,
  stringOrNull,
  strings,
  tokensSchema,
  verdictSchema,
} from './fields.ts'

/** One line of any list. */
function lineSchema() {
  return z.strictObject({
    id: z.string(),
    kind: string('loop, or group: loops that are run together'),
    group: string('the group it is a member of').optional(),
    program: string('of a group: best-of, workflow or plan').optional(),
    status: z.enum(statuses),
    reason: string('why it is in this status, in words; empty while it simply runs'),
    iteration: int('of a group: nodes that are over'),
    maxIterations: z.int().nullable().describe('null: unlimited; of a group: nodes that are planned'),
    promise: z.string(),
    agent: z.string(),
    elapsedMs: int('at work: without the time it waited, was paused or queued'),
    totalMs: int('from its beginning to its end, or to now'),
    costUsd: z.number().nullable().describe('null: no run has said what it cost'),
    costEstimated: z.boolean().describe('worked out from tokens and a price list, or not all of it is known'),
    costIncomplete: z.boolean().optional().describe('it is at least this: some of it was never reported'),
    cwd: string('its work tree'),
    prompt: string('its first 400 characters'),
    createdAt: moment(),
  })
}

/** A row: a line, and of a group the lines of its loops. */
function rowSchemaOf<S extends z.ZodRawShape>(line: z.ZodObject<S, z.core.$strict>) {
  const member = line.extend({ node: stringOrNull('what it is called in its group') })
  const what = 'of a group: its loops, in the order of its plan; they are no rows of their own'
  return line.extend({ members: z.array(member).optional().describe(what) })
}

/** `loop status --json`, `loop list --json`: a list of these. */
export function rowSchema() {
  return rowSchemaOf(lineSchema())
}

function lineJson(shown: Shown, now: number): DocumentOf<typeof lineSchema> {
  const { summary } = shown
  const { group, status, costUsd, costIncomplete, program }: AnySummary = summary
  return {
    ...someFields(summary, 'id', 'kind'),
    ...(group !== null && { group }),
    ...(program !== undefined && { program }),
    status,
    reason: whyWords(shown, now),
    ...someFields(summary, 'iteration', 'maxIterations', 'promise', 'agent'),
    ...timesOf(shown, now),
    costUsd,
    costEstimated: summary.costEstimated || (costUsd !== null && costIncomplete),
    ...(costIncomplete && { costIncomplete }),
    ...someFields(summary, 'cwd', 'prompt', 'createdAt'),
  }
}

export function rowJson(shown: Shown, now: number): DocumentOf<typeof rowSchema> {
  const { nodes }: AnySummary = shown.summary
  const members = (shown.members ?? []).map(one => ({ ...lineJson(one, now), node: one.node }))
  return { ...lineJson(shown, now), ...(nodes && { members }) }
}

function doubtsSchema() {
  const kinds = 'fewer-tests, skipped-tests, uncounted-tests, repository-gone, head-moved'
  const hows = [
    'suspect (the promise passes by these files), mixed (only together with them)',
    'not-alone (not by them alone; without them it was not tried), not-checkable (a clean copy cannot tell)',
    'unchanged (it failed before, and nothing was changed), only-here (not in a clean copy with the same files)',
    'unlooked (nobody has looked yet), accepted (by a person)',
  ].join(', ')
  const doubt = z.strictObject({
    kind: string(`steered: files that judge the work were changed; ${kinds}`),
    node: stringOrNull('of a group: the result it is about; null: all of it'),
    how: stringOrNull(`of steered: ${hows}`),
    files: strings('of steered'),
    words: string('for people; may change'),
  })
  return z
    .array(doubt)
    .describe('why to look at the result before it is shipped, although its promise passed')
}

/** Also a suspicion that a person has to decide about, which people are told as a question. */
function doubtsJson({ doubts = [], suspect, looked }: AnySummary): DocumentOf<typeof doubtsSchema> {
  const own = doubts.map(doubt => {
    const [how, files] = doubt.kind === 'steered' ? [doubt.how, doubt.files] : [null, []]
    return { kind: doubt.kind, node: null, how, files, words: doubtWords([doubt]) }
  })
  const looks = suspect ? [{ of: null, is: 'suspect' as const, files: suspect.files }] : []
  const found = (looked ?? looks).map(({ of, is, files }) => {
    return { kind: 'steered', node: of, how: is, files, words: lookedWords(is, files, suspect?.why) }
  })
  return [...own, ...found]
}

function sandboxSchema() {
  return z.strictObject({
    level: string('files, or none'),
    why: stringOrNull('why there is none'),
    network: strings('the hosts it may reach, besides the provider of the agent; absent: all').optional(),
    refused: z
      .record(z.string(), z.int())
      .optional()
      .describe('hosts that it did not let through, and how often'),
  })
}

function sandboxJson({ sandbox, refused }: LoopSummary): DocumentOf<typeof sandboxSchema> {
  if (sandbox?.level === 'files') {
    const { network } = sandbox
    return { level: 'files', why: null, ...(network && { network, refused: refused ?? {} }) }
  }
  const why = sandbox?.why === undefined ? '--sandbox off' : sandboxTroubleWords(sandbox.why, sandbox.said)
  return { level: 'none', why }
}

function criterionSchema() {
  const evidence = z.strictObject({
    command: z.string(),
    exitCode: z.int().nullable(),
    durationMs: z.number(),
    failing: z.int().nullable().describe('failing tests, where the runner is known'),
    checkpoint: stringOrNull('the saved tree that it was run in'),
    output: string('what it printed, below the directory of the loop: verify/<iteration>-<criterion>/out'),
  })
  return z.looseObject({
    met: z.boolean(),
    verification: z.string(),
    verdict: verdictSchema(),
    why: z.string(),
    evidence: evidence.nullable().describe('null where no command was run'),
  })
}

/** `loop status <id> --json`, `loop start --json` at its end; loopd answers with the same. */
export function loopSchema() {
  const retry = z.strictObject({ n: z.int(), of: z.int(), at: moment('in ms since 1970') })
  const breaker = z.strictObject({
    count: z.int().nullable().describe('null: its agent does not say'),
    limit: z.int().nullable().describe('null: off'),
  })
  const changedByPromise = z.strictObject({ changes: changesSchema(), paths: strings('some of them') })
  const goesOn = 'it goes on by itself; false: it needs an answer, a resume or a loopd'
  return rowSchema().extend({
    exitCode: z.int().nullable().describe('as `loop start` ends; null while it goes on'),
    endedAt: z.number().nullable(),
    seq: int('the number of its newest event'),
    budgetUsd: z.number().nullable().describe('null: no limit'),
    hosted: z.boolean().describe('a process drives it'),
    background: z.enum(priorities).nullable().describe('null: it is in the foreground'),
    ran: strings('the agents that ran, where it was not one alone').optional(),
    sandbox: sandboxSchema().optional().describe('how its agent was kept in its work tree'),
    question: stringOrNull('what it asks a person'),
    next: strings('what a person can do about it: one command or sentence each'),
    retry: retry
      .optional()
      .describe('of a crashed loop that loopd starts again: which try, of how many, and when'),
    doubts: doubtsSchema(),
    criteria: z.record(z.string(), criterionSchema()).describe('by name'),
    byPromise: changedByPromise.nullable().describe('files that the promise itself changed; null: none'),
    hook: z.looseObject({}).optional().describe('what ran after its end, and how that ended'),
    assessed: z.looseObject({}).optional().describe('its shape, workflow type and reversibility'),
    ship: z
      .looseObject({ verdict: z.string() })
      .optional()
      .describe('SHIP, MONITOR or RESEARCH, and what speaks against it'),
    breakers: z.record(z.string(), breaker).describe('by name'),
    nodes: z
      .array(z.looseObject({ id: z.string() }))
      .optional()
      .describe('of a group: what it does, and how far it is'),
    winner: stringOrNull('of a group: the node that was chosen').optional(),
    winnerBy: stringOrNull('of a group: the value by which it won').optional(),
    inTree: stringOrNull('of a group: the node whose result is in the work tree').optional(),
    choices: strings('of a group: the answers to its question').optional(),
    changes: changesSchema().nullable().optional().describe('of all of it, at the end of a start'),
    goesOn: z.boolean().optional().describe(`of a group, after an answer: ${goesOn}`),
    run: sessionRunSchema().shape.run.optional(),
    taskList: sessionRunSchema().shape.taskList,
  })
}

export function loopJson(shown: Shown, now: number): DocumentOf<typeof loopSchema> {
  const { summary, orphaned } = shown
  const retry = restartOf(summary)
  return {
    ...rowJson(shown, now),
    exitCode: summary.reason === null ? null : exitCodeFor(summary),
    ...someFields(summary, 'endedAt', 'seq', 'budgetUsd'),
    hosted: isActive(summary.status) && !orphaned,
    background: summary.background ?? null,
    question: summary.question,
    next: waysOn(shown),
    ...(retry && { retry }),
    doubts: doubtsJson(summary),
    criteria: {},
    byPromise: null,
    breakers: {},
    ...byKind(bodies, summary),
  }
}

/** What only its kind says. */
const bodies: ByKind<Partial<DocumentOf<typeof loopSchema>>> = {
  loop: summary => {
    const { ran, session, criteria, byPromise, hook, assessed, ship, breakers } = summary
    return {
      ...(ran.length > 1 && { ran }),
      ...(!session && { sandbox: sandboxJson(summary) }),
      criteria,
      byPromise,
      ...(hook && { hook }),
      assessed,
      ...(ship && { ship }),
      breakers: Object.fromEntries(breakers.map(({ name, count, limit }) => [name, { count, limit }])),
    }
  },
  group: summary => someFields(summary, 'nodes', 'winner', 'winnerBy', 'inTree', 'choices'),
  newer: () => ({}),
}

/** `loop history <id> --json` */
export function historySchema() {
  const iteration = z.strictObject({
    n: z.int(),
    checkpoint: string('the tree before its agent ran'),
    after: stringOrNull('what the agent left; null while that is not saved'),
    verdict: verdictSchema().describe('null while it is not verified'),
    suspect: z
      .literal(true)
      .optional()
      .describe('it passed by changes to what judges the work, and no person has accepted that'),
    durationMs: z.int(),
    added: z.int().nullable(),
    removed: z.int().nullable(),
    files: z.int().nullable(),
    promiseChanges: changesSchema()
      .nullable()
      .describe('what the promise changed when it was run after that'),
    costUsd: z.number().nullable(),
    estimated: z.boolean(),
    costIncomplete: z.boolean().optional(),
    tokens: tokensSchema(),
    agents: strings('who ran, where it was not one agent throughout').optional(),
  })
  const discarded = z.strictObject({ name: z.string(), at: z.number().nullable() })
  return z.strictObject({
    id: z.string(),
    iterations: z.array(iteration),
    checkpoints: strings('those that people asked for'),
    discarded: z.array(discarded).describe('checkpoints that were thrown away'),
    hooks: z.array(z.looseObject({})).optional().describe('what ran after its ends'),
  })
}

type History = DocumentOf<typeof historySchema>

export function historyJson(
  id: string,
  events: readonly Recorded[],
  discarded: History['discarded'],
): History {
  const iterations = history(events)
  const several = haveSeveralRun(iterations)
  const hooks = hooksIn(events)
  return {
    id,
    iterations: iterations.map(row => ({
      ...iterationJson(row),
      ...(several && { agents: agentsOf(row) }),
    })),
    checkpoints: ownCheckpoints(events),
    discarded,
    ...(hooks.length > 0 && { hooks }),
  }
}

function iterationJson(row: Iteration) {
  const { spent } = row
  return {
    ...someFields(row, 'n', 'checkpoint', 'after', 'verdict'),
    ...(row.isSuspect && { suspect: true as const }),
    durationMs: Math.round(row.durationMs),
    ...fieldsOrNull(row.changes, 'added', 'removed', 'files'),
    promiseChanges: row.promiseChanges,
    costUsd: spent.costUsd,
    estimated: spent.costEstimated || (spent.costUsd !== null && isIncomplete(spent)),
    ...(isIncomplete(spent) && { costIncomplete: true }),
    tokens: row.tokens,
  }
}

/** A run inside a session without a promise: loop keeps no journal of it. */
function sessionRunSchema() {
  const taskList = string('of a session: the name of its task list, where one was asked for')
  return z.strictObject({
    id: z.null().describe('it has none'),
    run: stringOrNull('of a session: the directory of its run; null: it has none'),
    status: string('in_progress or cancelled'),
    taskList: taskList.optional(),
  })
}

/** What would be started, by `--dry-run`; a workflow has a document of its own. */
function plannedGroupSchema() {
  const [bestOf, plan] = [groupSpec.shape.bestOf.unwrap(), groupSpec.shape.plan.unwrap()]
  const loop = z.looseObject({ cwd: z.string() }).describe('its options, as loopPlanned has them')
  return groupSpec.omit({ workflow: true, options: true }).extend({
    bestOf: bestOf.extend({ loop: loop.describe('what each attempt is to do') }).optional(),
    plan: plan.extend({ loop }).optional(),
  })
}

export function loopDocuments() {
  return {
    list: z.array(rowSchema()),
    loop: loopSchema(),
    started: z.strictObject({ id: z.string() }),
    loopPlanned: spec,
    groupPlanned: plannedGroupSchema(),
    sessionRun: sessionRunSchema(),
    history: historySchema(),
  }
}

/** A loop or group as a row of the list that people watch: what any list says of it, and what needs a person. */
function watchedLineSchema() {
  const failing = 'failing tests after each of the last 40 verifications, oldest first; null: not known'
  return lineSchema().extend({
    section: z.enum(sections),
    attention: z.enum(attentions).nullable().describe('why it needs a person'),
    budgetUsd: z.number().nullable(),
    endedAt: z.number().nullable(),
    question: z.string().nullable(),
    pending: z.enum(['pause', 'cancel']).nullable().describe('what was asked for and takes effect later'),
    background: z.enum(priorities).nullable(),
    waitUntil: z.number().nullable(),
    failing: z.array(z.int().nullable()).describe(failing),
    seq: int('the number of its newest event'),
  })
}

export function watchedSchema() {
  return rowSchemaOf(watchedLineSchema())
}

export type WatchedRow = DocumentOf<typeof watchedSchema>

/** `failing`: of a loop, up to the number of an event. */
export type RowNow = { now: number; failing(id: string, seq: number): (number | null)[] }

/** The row without its members. */
function watchedLine(shown: Shown, { now, failing }: RowNow): DocumentOf<typeof watchedLineSchema> {
  const { summary, orphaned } = shown
  const { criteria }: AnySummary = summary
  const attention = attentionOf(summary, orphaned, now)
  return {
    ...lineJson(shown, now),
    section: sectionOf(summary.status, attention, restartOf(summary) !== null),
    attention,
    ...someFields(summary, 'budgetUsd', 'endedAt', 'question', 'pending', 'background', 'waitUntil'),
    failing: criteria ? failing(summary.id, summary.seq) : [],
    seq: summary.seq,
  }
}

export function watchedRow(shown: Shown, at: RowNow): WatchedRow {
  const members = shown.members?.map(one => ({ ...watchedLine(one, at), node: one.node }))
  return { ...watchedLine(shown, at), ...(members && { members }) }
}
