/** Runs every criterion of a loop, in order, and states the verdicts. */
import { join } from 'node:path'
import { verify } from '../adapters/verify.ts'
import { failingCount } from '../core/failing.ts'
import { floodVerdict, verdictOf } from '../core/verdict.ts'
import type { CriterionResult, Event } from '../model/event.ts'
import { excerpt, settle } from '../store/artifact.ts'
import { loopDir, verifyDir } from '../store/paths.ts'
import { failed, type Task } from './perform.ts'

export async function verifyAll(iteration: number, task: Task): Promise<Event[]> {
  const { world, state, signal } = task
  const { spec } = state
  const root = loopDir(world.store.paths, state.id)
  const results: CriterionResult[] = []
  for (const [index, criterion] of spec.criteria.entries()) {
    const path = verifyDir(iteration, index)
    const pending = verify(
      {
        criterion,
        dir: join(root, path),
        cwd: spec.cwd,
        env: world.env,
        timeoutMs: spec.verifyTimeoutMs,
        graceMs: spec.graceMs,
        maxOutputBytes: spec.maxOutputBytes,
        marker: `${state.id}/${path}`,
      },
      world.here,
      signal,
    )
    world.fault('verify')
    const verified = await pending
    if (verified === null) return []
    if (!verified.ok) return [failed('verify', verified.failure.message)]
    const { exit, flooded, durationMs } = verified.value
    results.push({
      ...criterion,
      ...(flooded ? floodVerdict(spec.maxOutputBytes) : verdictOf(exit, spec.verifyTimeoutMs)),
      exitCode: exit?.code ?? null,
      durationMs,
      failing: failing(join(root, path, 'out')),
      output: settle(root, join(path, 'out')),
    })
  }
  return [{ kind: 'promise.verified', data: { iteration, results } }]
}

/** Runners count at the end, some at the beginning: both ends are read, whatever lies between. */
function failing(file: string): number | null {
  const { head, tail } = excerpt(file, 100_000)
  return failingCount(head + tail)
}
