/** The result of a start on the made-up machine with only a promise and an agent given. */
import type { Spec } from '../../src/model/loop/spec.ts'
import { tree } from './made-up-system.ts'

export const everyDefault: Spec = {
  prompt: 'do it',
  criteria: [{ name: 'npm test', command: 'npm test' }],
  cwd: tree,
  agent: 'custom',
  agentCmd: 'my-agent',
  checkpoint: 'git',
  checkpointWhy: 'it is made up',
  maxIterations: 10,
  budgetUsd: 25,
  timeoutMs: 300_000,
  verifyTimeoutMs: 300_000,
  graceMs: 5_000,
  backoffMs: 2_000,
  maxOutputBytes: 2_000_000_000,
  baseline: true,
  idleTimeoutMs: null,
  breakers: { stuck: 5, sameError: 3, sameFile: 20, noChange: 3, agentErrors: 3, promiseErrors: 3 },
  failFast: false,
  attended: false,
  maxWaitMs: 86_400_000,
  limitBackoffMs: 60_000,
}
