/**
 * The commands that a person can give to an existing loop. They travel through the inbox of the store; the host
 * of the loop admits them, and core/loop/admit turns each into events or a refusal.
 */
import * as z from 'zod'
import { agentChoice, sandbox } from './spec.ts'

/** The sender, if it is not the user: an agent, in its run or through MCP, or a panel that was asked for advice. */
const by = z.enum(['agent', 'panel']).optional().describe('an agent or a panel says it, not the user')

/** A message to the agent. */
export const injection = z.string().min(1).max(100_000)

export const report = z
  .strictObject({
    kind: z.literal('report'),
    criterion: z.string().min(1).max(1_000),
    met: z.boolean(),
    evidence: z.string().max(10_000),
  })
  .describe('an agent says whether a criterion is met: a claim, which decides nothing')

export const resume = z
  .strictObject({
    kind: z.literal('resume'),
    maxIterations: z.int().positive().nullable().optional(),
    budgetUsd: z.number().positive().nullable().optional(),
    timeoutMs: z.int().positive().optional(),
    idleTimeoutMs: z.int().positive().nullable().optional(),
    verifyTimeoutMs: z.int().positive().optional(),
    maxWaitMs: z.int().positive().optional(),
    passEnv: z.array(z.string().min(1).max(1_000)).max(1_000).optional(),
    agent: agentChoice.optional().describe('another agent, or the same one called otherwise'),
    sandbox: sandbox.optional(),
    attended: z.boolean().optional(),
    stays: z.literal(true).optional().describe('it stays with its host: only a pause is withdrawn'),
  })
  .describe('go on, perhaps with another limit or agent')

/** All commands except `resume`, which programs give in the words of the options (options/request). */
export const otherCommands = [
  z
    .strictObject({
      kind: z.literal('pause'),
      by: z.enum(['agent', 'group']).optional().describe('who asks for it, where it is not the user'),
    })
    .describe('rest after this iteration'),
  z
    .strictObject({ kind: z.literal('inject'), text: injection, by })
    .describe('tell the agent something, once, in the next iteration'),
  report,
  z
    .strictObject({ kind: z.literal('answer'), by: z.string().min(1), text: z.string().max(100_000) })
    .describe('yes, no, or what is wrong: the answer to what the loop has asked'),
  z
    .strictObject({ kind: z.literal('checkpoint'), name: z.string().min(1).max(64).nullable() })
    .describe('save the work tree as it is now; null makes a name'),
  z
    .strictObject({ kind: z.literal('rollback'), to: z.string().min(1) })
    .describe('make the work tree what it was at this checkpoint'),
  z
    .strictObject({
      kind: z.literal('cancel'),
      by: z
        .literal('session')
        .optional()
        .describe('typed inside a session of an agent, perhaps by the agent'),
    })
    .describe('stop now, kill the agent, keep the tree'),
] as const

export const command = z.discriminatedUnion('kind', [resume, ...otherCommands])

export type Command = z.infer<typeof command>

export type Resume = z.infer<typeof resume>

/** Commands that loop gives to a loop itself. They are never accepted from the inbox or the API. */
export type Internal =
  /** A session claims that the work is done: run the promise. */
  | { kind: 'claim'; session: string }
  /** Release the session of the loop, for this reason. */
  | {
      kind: 'release'
      reason: 'session-ended' | 'session-stuck' | 'session-says-stuck' | 'session-limit' | 'budget-reached'
    }
  /** Continue in the background when its turn comes. */
  | { kind: 'enqueue'; resume: Resume }
  /** The agent failed too often; loopd tries once more. */
  | { kind: 'restart' }
  /** The turn of a queued loop has come. */
  | { kind: 'dequeue' }
