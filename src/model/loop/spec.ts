/**
 * The fully resolved spec of a loop: the data of `loop.created`. It does not depend on the environment, so a
 * journal replays the same on another day. Which option gives which value: options/resolve. null means "no
 * limit".
 */
import * as z from 'zod'
import { agentNames } from '../agent.ts'
import { answerNames } from '../answer.ts'
import { perBreaker } from './breakers.ts'
import { type hookKinds, verifications } from './words.ts'

/**
 * The sandbox of a loop, as it was decided when it began: its agent and its promise run in it, or the loop rests. What
 * it is made of is platform/contract.
 */

/** What a sandbox restricts; the network only where hosts are listed. */
const sandboxLevels = ['files', 'none'] as const

/** Why there is no sandbox. `check`: the promise runs `loop check`, which reads data that a sandbox hides. */
const sandboxTroubles = ['no-program', 'apparmor', 'refused', 'check', 'session'] as const

export type SandboxTrouble = (typeof sandboxTroubles)[number]

export const sandbox = z.strictObject({
  level: z.enum(sandboxLevels),
  why: z.enum(sandboxTroubles).optional().describe('why there is none, though it was asked for'),
  said: z.string().optional().describe('by the program that was tried'),
  write: z
    .array(z.string().regex(/^\//))
    .optional()
    .describe('directories outside of the work tree that may be written'),
  network: z
    .array(z.string())
    .optional()
    .describe('the hosts that may be reached, besides those of the model; every host without it'),
})

export type Sandbox = z.infer<typeof sandbox>

/** The order of background loops in the queue: `high` counts as queued an hour earlier, `low` an hour later. */
export const priorities = ['high', 'normal', 'low'] as const

const criterion = z.strictObject({
  name: z.string().min(1),
  command: z
    .string()
    .min(1)
    .nullable()
    .describe('run by /bin/sh -c in the loop directory; exit 0 means met; null: a human says whether it is'),
  verification: z.enum(verifications).optional().describe('execution output without it'),
  answer: z
    .strictObject({
      schema: z.enum(answerNames),
      about: z.array(z.string().min(1)).optional().describe('what it has to speak of, each once'),
    })
    .optional()
    .describe(
      'met by an answer of the agent that fits this schema; the loop is a question, without a command',
    ),
})

const forbidden = z.strictObject({
  name: z.string().min(1),
  command: z.string().min(1).describe('exit 0 means that the forbidden thing holds'),
})

const most = z.int().positive().nullable().describe('null: off')

/** How often in a row (same file: in one iteration) something can happen before a breaker stops the loop. */
const breakerLimits = z.strictObject(perBreaker(() => most))

/** One mount in the mount namespace of a run; without a lower layer it is a bind mount of `upper`. */
export const mount = z.strictObject({
  at: z.string().regex(/^\//).describe('where it is seen in the run'),
  lower: z.array(z.string().regex(/^\//)).describe('frozen templates, read only; none: `upper` alone'),
  upper: z.string().regex(/^\//).describe('what the run writes to'),
  work: z.string().describe('for the overlay; beside it lie the links by which it names the layers'),
})

/** The working copy of a group's member; `cwd` is the directory of the copy. */
const copy = z.strictObject({
  tree: z.string().regex(/^\//).describe('the tree it is a copy of, whose store has its checkpoints'),
  base: z.string().min(1).describe('the checkpoint of that tree it was made from'),
  mounts: z
    .array(mount)
    .min(1)
    .optional()
    .describe('made in each run, which then sees the copy at the path of the tree; else it runs in `cwd`'),
})

export const spec = z.strictObject({
  prompt: z.string().min(1).describe('what the agent is asked to do, verbatim'),
  criteria: z.array(criterion).min(1),
  cwd: z.string().regex(/^\//).describe('the work tree, with symlinks resolved'),
  agent: z.enum(agentNames),
  agentCmd: z
    .string()
    .describe('custom, acp: a shell command; scripted: the absolute path of the script; else the program'),
  checkpoint: z.enum(['btrfs', 'git', 'none']),
  checkpointWhy: z.string().optional().describe('why this backend, where nobody asked for one'),
  checkpointIgnored: z.boolean().optional().describe('ignored files are saved too, where they are small'),
  maxIterations: z.int().positive().nullable(),
  budgetUsd: z.number().positive().nullable(),
  timeoutMs: z.int().positive().describe('wall time of one agent run, enforced by the shim'),
  verifyTimeoutMs: z.int().positive().describe('wall time of one run of a promise'),
  graceMs: z.int().nonnegative().describe('between TERM and KILL'),
  backoffMs: z.int().nonnegative().describe('wait after the first agent error; doubles with each in a row'),
  maxOutputBytes: z.int().positive().describe('an agent that prints more than this is stopped'),
  baseline: z.boolean().describe('run the promise once before any agent'),
  mustNot: z.array(forbidden).optional().describe('forbidden things: the loop pauses as soon as one holds'),
  protect: z
    .array(z.string().min(1))
    .optional()
    .describe('globs of files that neither the agent nor the promise may change'),
  allow: z
    .array(z.string().min(1))
    .optional()
    .describe('globs of files that steer the promise and may be changed or deleted all the same'),
  namedByWords: z
    .array(z.string().min(1))
    .optional()
    .describe('globs of files that the prompt names as what is to be changed'),
  holdout: z
    .string()
    .min(1)
    .optional()
    .describe('run once after the promise has passed, sealed; no agent is told of it or of what it prints'),
  breakers: breakerLimits.optional(),
  idleTimeoutMs: z.int().positive().nullable().optional().describe('stop an agent that prints nothing'),
  failFast: z.boolean().optional().describe('stop verifying at the first criterion that is not met'),
  attended: z.boolean().optional().describe('somebody can be asked: else a question pauses the loop'),
  agentNotes: z.array(z.string()).optional().describe('what it may do, and what loop cannot know of it'),
  model: z.string().min(1).optional().describe('as the agent names it; its own choice without it'),
  contextMode: z.enum(['fresh', 'continue']).optional().describe('continue: one session for all iterations'),
  fallbacks: z
    .array(z.strictObject({ agent: z.enum(agentNames), agentCmd: z.string() }))
    .optional()
    .describe('agents to switch to at a usage limit, in this order'),
  maxWaitMs: z.int().positive().optional().describe('for usage limits, all waits together'),
  limitBackoffMs: z.int().positive().optional().describe('wait at a first limit that names no time'),
  price: z
    .strictObject({ input: z.number(), output: z.number(), cached: z.number() })
    .optional()
    .describe('in dollars for a million tokens, where the agent reports only tokens'),
  session: z
    .strictObject({ run: z.string().nullable().describe('its directory below .loop/runs') })
    .optional()
    .describe('the work is done in a session of a person: loop starts no agent, it verifies what is claimed'),
  group: z.string().optional().describe('the journal it is a member of'),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('of its agent and its promise, besides the environment it was started in'),
  passEnv: z
    .array(z.string().min(1))
    .optional()
    .describe('names of variables that reach agent and promise although they look like secrets; !name: not'),
  leftOut: z
    .array(z.string())
    .optional()
    .describe('names of variables that reached neither where it was started'),
  copy: copy.optional().describe('it works in a copy of the tree'),
  secondLook: z
    .literal('by-group')
    .optional()
    .describe('its group looks again at what steers the promise, if its result leads; it does not itself'),
  counsel: z
    .literal(true)
    .optional()
    .describe('after a failed verification it rests until its group has asked a panel for advice'),
  serialPromise: z
    .boolean()
    .optional()
    .describe('its promise does not run beside that of another member of its group'),
  hooks: z
    .strictObject({
      complete: z.string().min(1).optional(),
      failure: z.string().min(1).optional().describe('also after a crash; not after a cancel'),
      timeoutMs: z.int().positive().describe('wall time of one hook'),
    })
    .optional()
    .describe('commands that loop runs for the user after the end, once for each end'),
  sandbox: sandbox.optional().describe('of its agent and its promise; none without it'),
  notify: z.boolean().optional().describe('the user is told of its end in the foreground too'),
  deleteState: z.boolean().optional().describe('remove the state files from the work tree at the end'),
})

/**
 * The fields of a spec that belong to its agent. Choosing another agent replaces all of them, including those
 * that the new choice does not name.
 */
export const agentChoice = spec.pick({
  agent: true,
  agentCmd: true,
  agentNotes: true,
  model: true,
  contextMode: true,
  fallbacks: true,
  price: true,
})

export type AgentChoice = z.infer<typeof agentChoice>
export type Criterion = z.infer<typeof criterion>
export type Verification = (typeof verifications)[number]
export type Forbidden = z.infer<typeof forbidden>
export type HookKind = (typeof hookKinds)[number]
export type Priority = (typeof priorities)[number]
export type Mount = z.infer<typeof mount>
export type Spec = z.infer<typeof spec>
