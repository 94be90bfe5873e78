/**
 * Runs the verify command of a task, under the shim like every promise. A task of a session is completed when this
 * passes, not when its agent says so.
 */
import { join } from 'node:path'
import { verify } from '../adapters/verify.ts'
import { floodVerdict, verdictOf } from '../core/loop/verdict.ts'
import { ok, type Result } from '../model/failure.ts'
import type { Verdict } from '../model/loop/event.ts'
import type { Here } from '../platform/contract.ts'
import { reached } from '../secrets/environment.ts'
import { excerpt } from '../store/files/artifact.ts'
import type { Paths } from '../store/files/paths.ts'
import { type TaskCheck, type TaskPlace, taskRunDir, writeTaskCheck } from '../store/files/task-checks.ts'
import { redactFile, secretBytes } from './perform/loop/redaction.ts'
import { ownScript } from './perform/own-script.ts'

const limits = { timeoutMs: 300_000, graceMs: 5_000, maxOutputBytes: 50_000_000 }
const mostTail = 2_000

export type CheckedTask = { verdict: Verdict; why: string; tail: string }

type Around = { paths: Paths; env: NodeJS.ProcessEnv; here: Here; now: Date; signal: AbortSignal }

/** A pass is recorded: from then on the task counts as completed. Null if aborted. */
export async function checkTask(
  place: TaskPlace,
  check: TaskCheck,
  { paths, env, here, now, signal }: Around,
): Promise<Result<CheckedTask> | null> {
  const dir = taskRunDir(paths, place)
  const passed = reached(env, { pass: [], own: [], commands: [check.command] }).env
  const run = { command: check.command, dir, cwd: check.cwd, env: passed, marker: `task/${dir}`, ...limits }
  const verified = await verify(run, here, signal)
  if (verified === null || !verified.ok) return verified
  const { exit, flooded } = verified.value
  await redactFile(join(dir, 'out'), secretBytes(env), signal)
  const found = flooded
    ? floodVerdict(limits.maxOutputBytes)
    : verdictOf(exit, limits.timeoutMs, ownScript(check.command, { cwd: check.cwd, env }))
  if (found.verdict === 'PASS') writeTaskCheck(paths, place, { ...check, passedAt: now.toISOString() })
  const { head, tail } = excerpt(join(dir, 'out'), mostTail)
  return ok({ ...found, tail: tail || head })
}
