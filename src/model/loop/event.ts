/**
 * The events of a loop: a closed union, past tense, add-only. An event states a fact; core decides what follows
 * from it. Bytes (output, prompts) are in artifact files; the event holds their path relative to the loop's
 * directory, their size and tail. Time, sequence number, epoch and checksum belong to the envelope.
 */
import * as z from 'zod'
import { agentNames, limitKinds } from '../agent.ts'
import { answerSources } from '../answer.ts'
import type { Envelope } from '../envelope.ts'
import { recordedFacts } from '../recorded-facts.ts'
import { containments } from '../run.ts'
import { assessment, raise, ship } from './assessment.ts'
import { breakerReasons } from './breakers.ts'
import { agentChoice, priorities, sandbox, spec } from './spec.ts'
import { lookTaken, steeringChange, suspicionRaised, verdict } from './trust.ts'
import { holdReasons, hookKinds } from './words.ts'

/** Who a process is, and which directory a work tree is, as journals record them. */
export const identity = z.strictObject({ pid: z.int().positive(), start: z.int().nonnegative() })

export const process = z.strictObject({ pid: z.int(), command: z.string() })

const workPlace = z.strictObject({
  ino: z.int().nonnegative(),
  bornMs: z
    .number()
    .nonnegative()
    .describe('when the directory was made; 0 where the filesystem does not say'),
})

const artifact = z.strictObject({ path: z.string(), bytes: z.int().nonnegative(), tail: z.string() })

const failing = z
  .array(
    z.strictObject({
      name: z.string(),
      file: z.string().nullable(),
      line: z.int().nonnegative().nullable(),
      said: z.string().describe('the error in one line; may be empty'),
    }),
  )
  .min(1)

const refused = z
  .array(z.strictObject({ host: z.string(), times: z.int().positive() }))
  .min(1)
  .optional()
  .describe('hosts that its sandbox did not let it reach')

export const criterionResult = z.strictObject({
  name: z.string(),
  command: z.string(),
  verdict,
  why: z.string().describe('in words: "exit 1", "timed out after 5m"'),
  exitCode: z.int().nullable(),
  timedOut: z.literal(true).optional().describe('it was stopped because its time was up'),
  durationMs: z.number().nonnegative(),
  failing: z.int().nonnegative().nullable().describe('failing tests, where the runner is known'),
  fails: failing.optional().describe('the first of what fails, where the runner names it'),
  differs: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('without names: lines that it did not print before'),
  total: z.int().nonnegative().optional().describe('tests that passed or failed, where the runner says so'),
  skipped: z.int().positive().optional().describe('tests that were left out, where the runner says so'),
  piped: z.int().positive().optional().describe('the exit code of a command before a pipe that failed'),
  signature: z.string().nullable().optional().describe('what its error comes down to; null without output'),
  checkpoint: z.string().nullable().optional().describe('the name of the tree it was run in'),
  source: z
    .enum(answerSources)
    .optional()
    .describe('of an answer: where it was found; `output` is the answer'),
  refused,
  doubted: recordedFacts.facts.describe('at the baseline: why the command may never work'),
  doubt: z.string().optional().describe('the same in words'),
  output: artifact,
})

export const changes = z.strictObject({
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  files: z.int().nonnegative(),
})

const tokens = z.strictObject({
  input: z.number().nonnegative().describe('without what came from a cache'),
  cached: z.number().nonnegative(),
  output: z.number().nonnegative(),
})

/** The cost of a run, as far as its agent reported it. */
const spending = {
  estimated: z.boolean().optional().describe('the cost was worked out from tokens and a price list'),
  costIncomplete: z
    .boolean()
    .optional()
    .describe('the agent reports cost, and was cut short or ended before it had reported all of it'),
  tokens: tokens.optional().describe('of this run; absent when the agent did not say'),
}

const ended = ship.describe('whether the result may be shipped')

export function kind<K extends string, D extends z.ZodRawShape>(name: K, doc: string, data: D) {
  return z.strictObject({ kind: z.literal(name), data: z.strictObject(data) }).describe(doc)
}

export const event = z.discriminatedUnion('kind', [
  kind('loop.created', 'A loop was asked for, with every option resolved.', {
    spec,
    assessed: assessment.describe('what loop judges of it'),
  }),
  kind('promise.verified', 'Every criterion was run by loop itself; iteration 0 is the baseline.', {
    iteration: z.int().nonnegative(),
    results: z.array(criterionResult).min(1),
    mustNot: z.array(criterionResult).optional().describe('PASS means that the forbidden thing holds'),
    steered: z
      .array(steeringChange)
      .min(1)
      .optional()
      .describe('the promise passed, and these files that steer it differ from those that the loop found'),
    unread: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('at the baseline: files that the prompt mentions, and that no test of the promise reads'),
    isCut: z.literal(true).optional().describe('there were more of them than are listed'),
    allowed: z.array(z.string()).min(1).optional().describe('the same for files that --allow names'),
    silenced: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('files of the work with new comments that keep a tool of the promise from looking'),
    hasLeftovers: z
      .literal(true)
      .optional()
      .describe('caches or build outputs were written after the loop began and before the promise ran'),
    product: z
      .int()
      .nonnegative()
      .optional()
      .describe('how many files of the work itself differ; absent where nothing was compared'),
  }),
  kind('checkpoint.taken', 'The exact state of the tree was saved, durably.', {
    name: z.string(),
    tree: z.string().nullable().describe('what it can be restored from; null with the backend none'),
    durationMs: z.number().nonnegative(),
    skipped: z.array(z.string()).describe('paths that cannot be saved (FIFO, socket, unreadable)'),
    changes: changes.nullable().describe('against the checkpoint before it, where asked for'),
    paths: z.array(z.string()).optional().describe('some of the files that have changed since then'),
    place: workPlace.optional().describe('which directory the work tree was'),
    steering: z
      .string()
      .optional()
      .describe('the checksum of the record of files that steer the promise and are in no checkpoint'),
    touched: z
      .array(z.string())
      .optional()
      .describe('protected files that differ from the tree that the loop found or a person accepted'),
    repository: z
      .strictObject({
        dir: z.string(),
        branch: z.string().nullable().describe('null for a detached HEAD'),
        commit: z.string().nullable(),
      })
      .nullable()
      .optional()
      .describe(
        "where HEAD of the user's repository is, if it has moved since the last look; null: it is gone",
      ),
    raises: raise
      .optional()
      .describe('the change is harder to take back than was known, and the file that says so'),
  }),
  kind('run.started', 'An agent run is about to be launched; from here on it happens at most once.', {
    run: z.int().positive(),
    iteration: z.int().positive(),
    dir: z.string().describe('the directory of the run, relative to the loop directory'),
    boot: z
      .string()
      .describe('boot id of the machine, so that a reboot is never taken for "not yet launched"'),
    prompt: artifact,
    injected: z.int().nonnegative().optional().describe('how many of the waiting texts the prompt contains'),
    agent: z.enum(agentNames).optional().describe('which agent runs; that of the spec without it'),
    session: z.string().optional().describe('the session it continues'),
  }),
  kind(
    'run.launched',
    'The run has been claimed by its shim; it is this one and will never be launched again.',
    {
      run: z.int().positive(),
      identity: z.strictObject({
        shim: identity,
        inner: identity.nullable(),
        child: z.int().nonnegative(),
        boot: z.string(),
        ns: z.string(),
        mode: z.enum(containments),
        locked: z.boolean(),
        verified: z.boolean(),
      }),
    },
  ),
  kind('run.ended', 'The agent ended by itself, by its wall timeout, or because loop stopped it.', {
    run: z.int().positive(),
    how: z.enum(['exited', 'unstartable', 'killed', 'timeout', 'idle', 'stopped', 'flooded', 'lingered']),
    exitCode: z.int().nullable(),
    durationMs: z.number().nonnegative(),
    out: artifact,
    err: artifact,
    costUsd: z.number().nonnegative().nullable().describe('null when the agent did not say'),
    edited: z
      .strictObject({ path: z.string(), times: z.int().positive() })
      .nullable()
      .optional()
      .describe('the file it edited most often; null when the agent did not say'),
    ...spending,
    context: z
      .strictObject({ used: z.number().nullable(), window: z.number().nullable() })
      .optional()
      .describe('tokens in the context of its model, and how many that holds'),
    session: z
      .strictObject({
        id: z.string(),
        tokens: tokens.nullable().describe('since the session began, where the agent counts so'),
        costUsd: z.number().nonnegative().nullable(),
      })
      .optional(),
    limit: z
      .strictObject({
        until: z.number().nullable(),
        why: z.string(),
        kind: z.enum(limitKinds).optional().describe('a usage limit without it'),
      })
      .optional()
      .describe('a usage limit, an overload or no network: the run counts for nothing but its cost'),
    auth: z.string().optional().describe('it may not use its model, in its words'),
    question: z.string().optional().describe('what it asks, and nobody was there to answer'),
    said: z.string().optional().describe('its last words'),
    failed: z.string().optional().describe('it said itself that it failed, or its output was cut off'),
    usageProblem: z.string().optional().describe('why what it wrote into its usage file cannot be used'),
    refused,
  }),
  kind('look.taken', 'The promise was run in a clean copy that was made for this question.', lookTaken),
  kind(
    'suspicion.raised',
    'The promise passes because of files that steer it, not because of the work.',
    suspicionRaised,
  ),
  kind('tree.compared', 'The work tree was compared with the one that the promise left when it passed.', {
    iteration: z.int().nonnegative(),
    changes: changes.nullable().describe('since then; null where they could not be compared'),
    paths: z.array(z.string()).optional().describe('some of the files that have changed since then'),
  }),
  kind('holdout.judged', 'The hold-out was run, after the promise had passed. No agent is shown it.', {
    iteration: z.int().nonnegative(),
    result: criterionResult,
  }),
  kind('session.claimed', 'The session the work is done in says that it is done: the promise is to be run.', {
    session: z.string(),
  }),
  kind('agent.switched', 'Another agent of the chain runs from here on.', {
    to: z.enum(agentNames),
    why: z.string(),
  }),
  kind('run.lost', 'The run left no exit file and nothing of it is alive (reboot, kill -9 of its shim).', {
    run: z.int().positive(),
    facts: recordedFacts.facts,
    why: z.string(),
    out: artifact,
    err: artifact,
    costUsd: z.number().nonnegative().nullable().optional().describe('as far as the agent had said'),
    ...spending,
  }),
  kind('run.cleared', 'Nothing of the run is alive any more.', {
    run: z.int().positive(),
    killed: z
      .int()
      .nonnegative()
      .nullable()
      .describe(
        'processes it had left behind; null in a namespace, where the kernel kills and does not count',
      ),
    suspects: z.array(process).describe('without a namespace: processes that may be of the run, left alone'),
    redacted: z
      .int()
      .positive()
      .optional()
      .describe('secrets taken out of its stored output, which is no longer of the size it was printed in'),
  }),
  kind('run.survived', 'Processes of the run are still alive after KILL.', {
    run: z.int().positive(),
    alive: z.array(process).min(1),
  }),
  kind('step.failed', 'A step could not be done (disk full, git missing); it does not count as done.', {
    step: z.string(),
    facts: recordedFacts.facts,
    why: z.string(),
  }),
  kind('wait.started', 'The loop waits for a moment in time.', {
    for: z
      .enum(['agent-back-off', 'usage-limit'])
      .describe('usage-limit: also for an overload or the network; the run before the wait says which'),
    until: z.number(),
  }),
  kind('wait.ended', 'The wait is over.', {}),
  kind('loop.held', 'The loop is to rest at the end of this iteration, for the reason given.', {
    reason: z.enum(holdReasons),
  }),
  kind(
    'loop.queued',
    'The loop is one of the background: it waits until loopd has room and its tree is free.',
    {
      priority: z.enum(priorities),
      restart: z.boolean().optional().describe('by loopd itself, after the agent failed too often'),
    },
  ),
  kind('loop.dequeued', 'Its turn has come: loopd hosts it from here on.', {}),
  kind('loop.resumed', 'A person asked the loop to go on, perhaps with another limit or agent.', {
    maxIterations: z.int().positive().nullable().optional(),
    budgetUsd: z.number().positive().nullable().optional(),
    timeoutMs: z.int().positive().optional(),
    idleTimeoutMs: z.int().positive().nullable().optional(),
    verifyTimeoutMs: z.int().positive().optional(),
    maxWaitMs: z.int().positive().optional(),
    passEnv: z.array(z.string()).optional(),
    agent: agentChoice
      .optional()
      .describe('the agent from here on; replaces the earlier agent with all its options'),
    sandbox: sandbox.optional().describe('from here on'),
    attended: z.boolean().optional(),
    stays: z.literal(true).optional().describe('a pause was taken back before it began; its host goes on'),
  }),
  kind('question.asked', 'Only a human can say whether this criterion is met, or what the agent asks.', {
    criterion: z.string(),
    agent: z.boolean().optional().describe('it is a question of the agent'),
    suspect: z
      .literal(true)
      .optional()
      .describe('whether a promise counts that passes because of files that steer it'),
  }),
  kind('question.answered', 'A human has said whether the criterion is met.', {
    criterion: z.string(),
    met: z.boolean(),
    by: z.string(),
    text: z.string().describe('what is wrong, in the words of who answered; may be empty'),
    agent: z.boolean().optional().describe('it is the answer to a question of the agent'),
    suspect: z.literal(true).optional().describe('it is the answer to a suspicion'),
  }),
  kind('checkpoint.requested', 'A person asked for a checkpoint of a name of their own.', {
    name: z.string(),
  }),
  kind('checkpoint.failed', 'The checkpoint that was asked for could not be taken; the loop goes on.', {
    name: z.string(),
    facts: recordedFacts.facts,
    why: z.string(),
  }),
  kind('context.injected', 'The agent is to be told something; the next prompt says it, once.', {
    text: z.string().min(1),
    by: z
      .enum(['agent', 'loop', 'panel'])
      .optional()
      .describe(
        'an agent says it, loop itself (why it is done again), or a panel; absent where its user does',
      ),
  }),
  kind('criterion.reported', 'An agent says whether a criterion is met: a claim, which decides nothing.', {
    criterion: z.string(),
    met: z.boolean(),
    evidence: z.string().describe('in its words; may be empty'),
  }),
  kind('rollback.requested', 'A person asked for the work tree as it was at a checkpoint.', {
    to: z.string(),
    tree: z.string(),
    keepAs: z.string().describe('the name under which what is there now will be saved'),
  }),
  kind('tree.restored', 'The work tree is what it was at the checkpoint; what was there before is saved.', {
    to: z.string(),
    written: z.int().nonnegative(),
    deleted: z.int().nonnegative(),
    left: z.array(z.string()).optional().describe('paths left as they are, since they could not be saved'),
  }),
  kind(
    'rollback.failed',
    'The work tree could not be restored; it is as it was, or a next try will finish it.',
    {
      to: z.string(),
      ...recordedFacts,
    },
  ),
  kind('cancel.requested', 'The loop was asked to stop now.', {
    by: z.literal('session').optional().describe('inside a session of an agent, perhaps by the agent'),
  }),
  kind('command.refused', 'A command was read by the host and cannot be carried out.', {
    command: z.string(),
    ...recordedFacts,
  }),
  kind('loop.completed', "Every criterion passed in loop's own run.", { ship: ended }),
  kind('loop.failed', 'A limit was reached without the promise, or the promise cannot be judged.', {
    reason: z.enum(['iteration-limit', 'promise-unrunnable', ...breakerReasons('fail'), 'holdout-failed']),
    ship: ended,
  }),
  kind('loop.crashed', 'The agent failed too often in a row.', {
    reason: z.enum(breakerReasons('crash')),
    ship: ended,
  }),
  kind('hook.started', 'A hook is about to be launched; from here on it happens at most once.', {
    hook: z.int().positive().describe('counted over all ends of the loop'),
    on: z.enum(hookKinds),
    command: z.string(),
    dir: z.string().describe('the directory of its run, relative to the loop directory'),
    boot: z.string().describe('boot id of the machine, as for a run'),
  }),
  kind('hook.cancelled', 'A person wants the hook to end, or not to be run.', {}),
  kind('hook.ended', 'The hook ended, or was not run; the outcome of the loop stays what it is.', {
    hook: z.int().positive(),
    on: z.enum(hookKinds),
    command: z.string(),
    how: z
      .enum(['exited', 'timeout', 'flooded', 'stopped', 'lost', 'not-run'])
      .describe('lost: its end left no trace, and it is not run again'),
    facts: recordedFacts.facts.describe('why it is lost or was not run'),
    why: z.string().describe('in words: "exit 1", "timed out after 5m"'),
    exitCode: z.int().nullable(),
    durationMs: z.number().nonnegative(),
    output: artifact.nullable().describe('null where it was not run'),
  }),
  kind('loop.cancelled', 'The loop was cancelled and nothing of it is running.', { ship: ended }),
])

export type Event = z.infer<typeof event>
export type EventOf<K extends Event['kind']> = Extract<Event, { kind: K }>
export type Artifact = z.infer<typeof artifact>
export type Verdict = z.infer<typeof verdict>
export type CriterionResult = z.infer<typeof criterionResult>
export type Changes = z.infer<typeof changes>
export type Process = z.infer<typeof process>
export type TreePlace = z.infer<typeof workPlace>

/** An event as recorded in the journal. */
export type Recorded = Event & Envelope
