/**
 * Runs and judges one command of a promise: for a loop after its agent, for a group in the tree after an apply. It
 * returns the verdict and what the output shows; the caller decides where the run belongs and what follows.
 */
import { join } from 'node:path'
import { refusedIn } from '../../adapters/network/way-out.ts'
import { pipeFile, verify } from '../../adapters/verify.ts'
import { floodVerdict, verdictOf, withCounts } from '../../core/loop/verdict.ts'
import { doubtOf, errorSignature, newLines } from '../../core/text/failed-output.ts'
import { failingCount, failingTests, testCounts } from '../../core/text/test-output.ts'
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
  /** What it printed the last time, below the journal's directory. */
  before?: string | undefined
}

/** Null if aborted; then no process of it is left. */
export async function judgeCriterion(
  { id, dir, name, command, isHidden, spec, cwd, mounts, mayDoubt, before }: CriterionRun,
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
  const file = join(root, dir, 'out')
  const said = readOutput(file, { clean, mayDoubt: mayDoubt && ended.verdict === 'FAIL' })
  const judged = withCounts(ended, command, said)
  const names = judged.verdict !== 'PASS' && !isHidden
  return ok({
    name,
    command,
    ...judged,
    exitCode: exit?.code ?? null,
    ...(exit?.timedOut && !flooded && { timedOut: true }),
    durationMs,
    ...(piped !== null && { piped }),
    ...refusedIn(join(root, dir)),
    ...said,
    ...(names && whatFails(file, { clean, tree: cwd, before: before && join(root, before) })),
    output: settle(root, join(dir, 'out'), clean),
  })
}

type Naming = { clean(text: string): string; tree: string; before: string | undefined }

/** Failures are named anywhere in a long output. Without names, what is new in the output is what may matter. */
function whatFails(
  file: string,
  { clean, tree, before }: Naming,
): Pick<CriterionResult, 'fails' | 'differs'> {
  const fails = failingTests(clean(bothEnds(file, 500_000)), tree)
  if (fails.length > 0) return { fails }
  if (before === undefined) return {}
  const differs = newLines(clean(bothEnds(file, 50_000)), clean(bothEnds(before, 50_000)))
  return differs.length > 0 ? { differs } : {}
}

function bothEnds(file: string, most: number): string {
  const { head, tail, omittedBytes } = excerpt(file, most)
  return omittedBytes > 0 ? `${head}\n${tail}` : head
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
