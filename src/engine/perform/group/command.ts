/**
 * A command of a group: a measure of a result, or a hook. Under the shim like a promise. A measure whose host died is
 * made again; a hook acts on the world and runs at most once: its directory says that it has begun, and who comes later
 * waits for its end.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readExit } from '../../../adapters/process/files.ts'
import { clear, lookAtRun, watchRun } from '../../../adapters/process/run.ts'
import { forget, verify } from '../../../adapters/verify.ts'
import type { GroupStep } from '../../../core/group/decide.ts'
import { readMeasure } from '../../../core/group/measured.ts'
import { isKind } from '../../../core/group/state.ts'
import { ok } from '../../../model/failure.ts'
import type { GroupEvent } from '../../../model/group/event.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import type { Exit } from '../../../model/run.ts'
import { excerpt, settle } from '../../../store/files/artifact.ts'
import { loopDir } from '../../../store/files/paths.ts'
import { cleanOf } from '../loop/redaction.ts'
import { asCopy, copiesOf, fileName } from './copy.ts'
import { type GroupTask, nodeFailed, nodeOf } from './steps.ts'

const graceMs = 5_000
const maxOutputBytes = 100_000_000

export async function runCommand(
  { node: id, attempt }: Extract<GroupStep, { kind: 'run' }>,
  task: GroupTask,
): Promise<GroupEvent[]> {
  const { world, state, signal } = task
  const one = nodeOf(state, id)
  if (!isKind(one, 'command')) throw new Error(`Internal error: ${id} is no command`)
  const { node } = one
  const ended = (data: Outcome): GroupEvent => ({
    kind: 'node.ended',
    data: { node: id, attempt, ...data },
  })
  const { root, path, ...place } = placeIn(task, { node: id, attempt })
  if (node.purpose === 'hook' && existsSync(place.dir)) {
    const exit = await hookEnd(place, task)
    if (signal.aborted) return []
    if (!exit) return [ended({ how: 'lost', why: 'it was killed while it ran; it is not run again' })]
    return [ended(outcomeOf(node, { exit, durationMs: exit.durationMs }, { root, path, env: world.env }))]
  }
  // Before its copy is made ready: what is left of it may still write there.
  await forget(place, world.here)
  const cwd = await placeOf(node, task)
  if (typeof cwd !== 'string') return [cwd]
  const { LOOP_RUN: _, ...own } = world.env
  const env = { ...(node.purpose === 'hook' ? own : world.env), ...node.env, LOOP_GROUP: state.id }
  const run = { ...place, command: node.command, cwd, env, graceMs, maxOutputBytes }
  const outlives = node.purpose === 'hook'
  const pending = verify({ ...run, timeoutMs: node.timeoutMs, outlives }, world.here, signal)
  world.fault('command')
  const done = await pending
  if (done === null) return []
  if (!done.ok) return [nodeFailed(`command ${id}`, done.failure.message)]
  return [ended(outcomeOf(node, done.value, { root, path, env: world.env }))]
}

/** Whoever has begun it: nothing of it is left. */
export async function stopCommand(
  step: Extract<GroupStep, { kind: 'stop' }>,
  task: GroupTask,
): Promise<GroupEvent[]> {
  await forget(placeIn(task, step), task.world.here)
  return [{ kind: 'node.ended', data: { node: step.node, attempt: step.attempt, how: 'cancelled' } }]
}

/** Where the files of a command are, and what marks its processes. */
function placeIn({ world, state }: GroupTask, { node, attempt }: { node: string; attempt: number }) {
  const root = loopDir(world.store.paths, state.id)
  const path = join('commands', `${fileName(node)}-${attempt}`)
  return { root, path, dir: join(root, path), marker: `${state.id}/${path}`, cwd: state.spec.cwd }
}

type Outcome = Omit<Extract<GroupEvent, { kind: 'node.ended' }>['data'], 'node' | 'attempt'>

function outcomeOf(
  { measure }: NodeOf<'command'>,
  { exit, durationMs }: { exit: Exit | null; durationMs: number },
  { root, path, env }: { root: string; path: string; env: NodeJS.ProcessEnv },
): Outcome {
  const { head, tail, omittedBytes } = excerpt(join(root, path, 'out'), 1_000_000)
  settle(root, join(path, 'out'), cleanOf(env))
  const text = omittedBytes > 0 ? `${head}\n${tail}` : head
  return {
    how: exit?.code === 0 && !exit.timedOut ? 'completed' : 'failed',
    exitCode: exit?.code ?? null,
    ...(exit?.timedOut && { why: 'its time was up' }),
    durationMs,
    output: join(path, 'out'),
    ...(measure && { value: readMeasure(measure, exit, text) }),
  }
}

const pollMs = 200

/** How a hook has ended that another host began; null where it was killed, or never came to its command. */
async function hookEnd(
  { dir, marker, cwd: tree }: { dir: string; marker: string; cwd: string },
  { world: { here }, signal }: GroupTask,
): Promise<Exit | null> {
  const handle = { dir, marker, tree, here, identity: null }
  const doorbell = watchRun(dir)
  try {
    while (!signal.aborted && lookAtRun(handle).alive) await doorbell.ring(pollMs, signal)
    if (!signal.aborted) await clear(handle)
    return readExit(dir)
  } finally {
    doorbell.close()
  }
}

/**
 * Where it runs: the tree, or the copy of a node, which is first made what it was at its end: a command must not
 * change what the next one finds. With the new tests of another node, where it votes.
 */
async function placeOf(
  node: NodeOf<'command'>,
  { world, state, signal }: GroupTask,
): Promise<string | GroupEvent> {
  if (node.of === null) return state.spec.cwd
  const { copy, end } = nodeOf(state, node.of)
  if (!copy || !end?.tree)
    return nodeFailed(`command ${node.id}`, `the copy of ${node.of} is not there any more`)
  const copies = copiesOf(world, state)
  const writer = node.with === undefined ? null : nodeOf(state, node.with).end
  const { tree: from, tests = [] } = writer ?? {}
  const wanted = from ? await copies.tree.withFiles({ into: end.tree, from, files: tests }) : ok(end.tree)
  if (!wanted.ok) return nodeFailed(`command ${node.id}`, wanted.failure.message)
  const request = { loop: state.id, tree: wanted.value, keepAs: `${fileName(node.of)}-measured`, signal }
  const put = await copies.of(asCopy(copy)).restore(request)
  return put.ok ? copy.path : nodeFailed(`command ${node.id}`, put.failure.message)
}
