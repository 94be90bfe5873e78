/**
 * What a loop was asked to do, fully resolved: the data of `loop.created`.
 * Nothing in here depends on the environment any more: a journal replays the same on another day.
 * Which flag or variable a value came from is model/flag; null means "no limit".
 */
import { z } from 'zod'

export const criterion = z.strictObject({
  name: z.string().min(1),
  command: z.string().min(1).describe('run by /bin/sh -c in the loop directory; exit 0 means met'),
})

export const spec = z.strictObject({
  prompt: z.string().min(1).describe('what the agent is asked to do, verbatim'),
  criteria: z.array(criterion).min(1),
  cwd: z.string().startsWith('/').describe('the work tree, with symlinks resolved'),
  agent: z.enum(['custom', 'scripted']),
  agentCmd: z.string().describe('custom: a shell command; scripted: the absolute path of the script'),
  checkpoint: z.enum(['git', 'none']),
  maxIterations: z.int().positive().nullable(),
  budgetUsd: z.number().positive().nullable(),
  timeoutMs: z.int().positive().describe('wall time of one agent run, enforced by the shim'),
  verifyTimeoutMs: z.int().positive().describe('wall time of one run of a promise'),
  graceMs: z.int().nonnegative().describe('between TERM and KILL'),
  backoffMs: z.int().nonnegative().describe('wait after the first agent error; doubles with each in a row'),
  maxOutputBytes: z.int().positive().describe('an agent that prints more than this is stopped'),
  baseline: z.boolean().describe('run the promise once before any agent'),
})

export type Criterion = z.infer<typeof criterion>
export type Spec = z.infer<typeof spec>
