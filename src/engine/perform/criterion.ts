/**
 * Runs and judges one command of a promise: for a loop after its agent, for a group in the tree after an apply. It
 * returns the verdict and what the output shows; the caller decides where the run belongs and what follows.
 */
import { join } from 'node:path'
import { refusedIn } from '../../adapters/network/way-out.ts'
import { pipeFile, verify } from '../../adapters/verify.ts'
import { floodVerdict, verdictOf, withCounts } from '../../core/loop/verdict.ts'
import { doubtOf, errorSignature } from '../../core/text/failed-output.ts'
import { failingCount, testCounts } from '../../core/text/test-output.ts'
import { withPipeCodes } from '../../core/trust/pipe-codes.ts'
import { factWords } from '../../failures/words.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { CriterionResult } from '../../model/loop/event.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { excerpt, settle } from '../../store/files/artifact.ts'
import { loopDir } from '../../store/files/paths.ts'
import type { World } from '../world.ts'
import { promiseEnv } from './environment.ts'
import { cleanOf, redactFile, secretBytes } from './loop/redaction.ts'
import { ownScript } from './own-script.ts'
import { sandboxOf } from './sandbox.ts'

type CriterionRun = {
  /** The journal that it runs for, and its directory below the journal's. */
  id: string
  dir: string
  name: string
  command: string
  /** No other process may see the text of the command. */
  isHidden?: boolean
  spec: Spec
  cwd: string
  mounts?: NonNullable<Spec['copy']>['mounts']
  /** Whether to look for signs that the command can never pass. */
  mayDoubt: boolean
}

/** Null if aborted; then no process of it is left. */
export async function judgeCriterion(
  { id, dir, name, command, isHidden, spec, cwd, mounts, mayDoubt }: CriterionRun,
  world: World,
  signal: AbortSignal,
): Promise<Result<CriterionResult> | null> {
  const root = loopDir(world.store.paths, id)
  const { verifyTimeoutMs: timeoutMs, graceMs, maxOutputBytes } = spec
  const env = promiseEnv(world, spec)
  const sandbox = sandboxOf({ spec, cwd, mounts, env }, world)
  if (!sandbox.ok) return sandbox
  const run = { command, isHidden, dir: join(root, dir), cwd, mounts, env, sandbox: sandbox.value }
  // In a sandbox a command cannot write beside its output.
  const asRun = sandbox.value ? command : withPipeCodes(command, pipeFile(run.dir))
  const limits = { timeoutMs, graceMs, maxOutputBytes, marker: `${id}/${dir}` }
  const pending = verify({ ...run, asRun, ...limits }, world.here, signal)
  world.fault('verify')
  const verified = await pending
  if (verified === null || !verified.ok) return verified
  const { exit, flooded, piped, durationMs } = verified.value
  const clean = cleanOf(world.env)
  await redactFile(join(root, dir, 'out'), secretBytes(world.env), signal)
  const ended = flooded
    ? floodVerdict(maxOutputBytes)
    : verdictOf(exit, timeoutMs, ownScript(command, { cwd, env }))
  const said = readOutput(join(root, dir, 'out'), { clean, mayDoubt: mayDoubt && ended.verdict === 'FAIL' })
  return ok({
    name,
    command,
    ...withCounts(ended, command, said),
    exitCode: exit?.code ?? null,
    ...(exit?.timedOut && !flooded && { timedOut: true }),
    durationMs,
    ...(piped !== null && { piped }),
    ...refusedIn(join(root, dir)),
    ...said,
    output: settle(root, join(dir, 'out'), clean),
  })
}

type Read = Pick<CriterionResult, 'failing' | 'total' | 'skipped' | 'signature' | 'doubted' | 'doubt'>
type Reading = { clean(text: string): string; mayDoubt: boolean }

/** Runners print counts at the end, some at the beginning: both ends are read, whatever the size between. */
function readOutput(file: string, { clean, mayDoubt }: Reading): Read {
  const { head, tail, omittedBytes } = excerpt(file, 100_000)
  const text = omittedBytes > 0 ? `${head}\n${tail}` : head
  const tests = testCounts(text, omittedBytes === 0)
  const doubted = mayDoubt ? doubtOf(clean(text)) : null
  return {
    failing: failingCount(text),
    ...(tests && { total: tests.run, ...(tests.skipped > 0 && { skipped: tests.skipped }) }),
    signature: errorSignature(clean(text)),
    ...(doubted && { doubted, doubt: factWords(doubted) }),
  }
}
