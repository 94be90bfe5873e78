/**
 * A command of a group, run under the shim like a promise: a measure of a result, a hook, or a second look. A lost
 * measure is repeated. A hook acts on the world and runs at most once: it outlives a host that leaves, and the next
 * host waits for its end instead of running it again.
 */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readExit } from '../../../adapters/process/files.ts'
import { clear, type Handle, lookAtRun, watchRun } from '../../../adapters/process/run.ts'
import { endLeftover, verify } from '../../../adapters/verify.ts'
import type { GroupStep } from '../../../core/group/decide.ts'
import { isKind, type NodeState } from '../../../core/group/state.ts'
import { valueIn } from '../../../core/group/values.ts'
import { metricValue, readMeasure } from '../../../core/text/measure.ts'
import { chainOf } from '../../../core/trust/chain.ts'
import { isJudge } from '../../../core/trust/side.ts'
import { filledEnvironment } from '../../../core/workflow.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import type { GroupEvent, NodeEnd } from '../../../model/group/event.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import type { Mount, Spec } from '../../../model/loop/spec.ts'
import { type Exit, runsIn } from '../../../model/run.ts'
import { excerpt, settle } from '../../../store/files/artifact.ts'
import { loopDir } from '../../../store/files/paths.ts'
import { unseal } from '../../../store/files/sealed.ts'
import { inWords } from '../../recorded.ts'
import { commandEnv } from '../environment.ts'
import { readingOf } from '../loop/promise-text.ts'
import { cleanOf, redactFile, secretBytes } from '../loop/redaction.ts'
import { sandboxOf } from '../sandbox.ts'
import { copiesOf, fileName } from './copy.ts'
import { endLookAgain, lookAgain } from './look.ts'
import { type GroupTask, nodeFailed, nodeOf } from './steps.ts'
import { treeLeft } from './verified-tree.ts'

const graceMs = 5_000
const maxOutputBytes = 100_000_000
const excerptBytes = 1_000_000
const pollMs = 200

type Command = NodeOf<'command'>

export async function runCommand(
  { node: id, attempt }: Extract<GroupStep, { kind: 'run' }>,
  task: GroupTask,
): Promise<GroupEvent[]> {
  const { world, state } = task
  const one = nodeOf(state, id)
  if (!isKind(one, 'command')) throw new Error(`Internal error: ${id} is no command`)
  const { node } = one
  if (node.purpose === 'look') return lookAgain(node, attempt, task)
  const files = filesOf(task, { node: id, attempt })
  // Before the copy is prepared: a process left by the last host could still write there.
  if (node.purpose === 'measure') await endLeftover(files, world.here)
  const place = await placeOf(node, task)
  if (!place.ok) return task.signal.aborted ? [] : [nodeFailed(`command ${id}`, place.failure.facts)]
  const { root, path } = files
  const began = Date.now()
  const ran = await ranOnce(node, { ...files, place: place.value }, task)
  if (ran === null) return []
  if (!ran.ok) return [nodeFailed(`command ${id}`, ran.failure.facts)]
  const exit = ran.value
  const { head, tail, omittedBytes } = excerpt(join(root, path, 'out'), excerptBytes)
  await redactFile(join(root, path, 'out'), secretBytes(world.env), task.signal)
  if (existsSync(join(root, path, 'out'))) settle(root, join(path, 'out'), cleanOf(world.env))
  const output = omittedBytes > 0 ? `${head}\n${tail}` : head
  const found = exit ? measured(node, { exit, output, reports: reportsOf(node, place.value, began) }) : {}
  const left = isJudgingTree(node) ? await treeLeft(id, task) : {}
  if (task.signal.aborted) return []
  const data = { node: id, attempt, ...endOf(exit), output: join(path, 'out'), ...found, ...left }
  return [{ kind: 'node.ended', data }]
}

/** A check of a plan's gate, or its hold-out. */
function isJudgingTree({ of, purpose }: Command): boolean {
  return of === null && purpose === 'measure'
}

/** Ends the command, whichever host began it. */
export async function stopCommand(
  step: Extract<GroupStep, { kind: 'stop' }>,
  task: GroupTask,
): Promise<GroupEvent[]> {
  const { node } = nodeOf(task.state, step.node)
  if (node.kind === 'command' && node.purpose === 'look') await endLookAgain(node, task)
  else await endLeftover(filesOf(task, step), task.world.here)
  return [{ kind: 'node.ended', data: { node: step.node, attempt: step.attempt, how: 'cancelled' } }]
}

/** The files of the command and the mark of its processes. */
function filesOf({ world, state }: GroupTask, { node, attempt }: { node: string; attempt: number }) {
  const root = loopDir(world.store.paths, state.id)
  const path = join('commands', `${fileName(node)}-${attempt}`)
  return { root, path, dir: join(root, path), marker: `${state.id}/${path}`, cwd: state.spec.cwd }
}

function endOf(exit: Exit | null): Pick<NodeEnd, 'how' | 'facts' | 'why' | 'exitCode' | 'durationMs'> {
  if (!exit) return { how: 'lost', ...inWords({ kind: 'command-lost' }), exitCode: null }
  const { code: exitCode, timedOut, durationMs } = exit
  const how = exitCode === 0 && !timedOut ? 'completed' : 'failed'
  return { how, exitCode, durationMs, ...(timedOut && inWords({ kind: 'command-timeout' })) }
}

type Place = { path: string; cwd: string; mounts: Mount[] | undefined }

/** The exit of the command: `exit` is null if it was lost, the whole result is null if it was aborted. */
async function ranOnce(
  node: Command,
  { dir, marker, place }: { dir: string; marker: string; place: Place },
  { world, state, signal }: GroupTask,
): Promise<Result<Exit | null> | null> {
  const isHook = node.purpose === 'hook'
  if (isHook && existsSync(dir)) {
    const handle = { dir, marker, tree: place.path, here: world.here, identity: null }
    return (await hasEnded(handle, signal)) ? ok(readExit(dir)) : null
  }
  const { LOOP_RUN: _, ...ofUser } = world.env
  // A hook acts for the user, so it is not part of a run.
  const filled = filledEnvironment(node.variables ?? {}, valueIn(state))
  if (!('env' in filled)) return fail('step-failed', { kind: 'unfit-environment' })
  const { paths } = world.store
  const command = unseal(paths, node.command)
  if (command === null) return fail('step-failed', { kind: 'holdout-sealed', key: paths.sealKey })
  const passed = isHook ? ofUser : commandEnv(world, state.spec, command)
  const env = { ...passed, ...node.env, ...filled.env, LOOP_GROUP: state.id }
  const { cwd, mounts } = place
  const spec = isHook || node.of === null ? {} : specIn(nodeOf(state, node.of))
  const sandbox = sandboxOf({ spec, cwd, mounts, env }, world)
  if (!sandbox.ok) return sandbox
  const limits = { timeoutMs: node.timeoutMs, graceMs, maxOutputBytes }
  const pending = verify(
    {
      command,
      isHidden: command !== node.command,
      dir,
      cwd,
      mounts,
      sandbox: sandbox.value,
      env,
      marker,
      ...limits,
      outlives: isHook,
      ...(isHook && { mark: 'LOOP_HOOK' }),
    },
    world.here,
    signal,
  )
  world.fault('command')
  const done = await pending
  return done?.ok ? ok(done.value.exit) : done
}

/** A command that measures a result runs in the same sandbox as the loop of that result. */
function specIn({ node }: NodeState): Pick<Spec, 'sandbox'> {
  return node.kind === 'loop' ? node.spec : {}
}

/** False when aborted. */
async function hasEnded(handle: Handle, signal: AbortSignal): Promise<boolean> {
  const doorbell = watchRun(handle.dir)
  try {
    while (!signal.aborted) {
      const { alive, exited } = lookAtRun(handle)
      if (exited || !alive) {
        await clear(handle)
        return true
      }
      await doorbell.ring(pollMs, signal)
    }
    return false
  } finally {
    doorbell.close()
  }
}

type Ran = { exit: Exit; output: string; reports: string[] }

function measured(
  { measure, timeoutMs }: Command,
  { exit, output, reports }: Ran,
): Pick<NodeEnd, 'value' | 'facts' | 'why'> {
  if (!measure) return {}
  const { code: exitCode, timedOut } = exit
  if (measure.name === 'votes') return { value: exitCode === 0 && !timedOut ? 1 : 0 }
  const found =
    measure.name === 'metric'
      ? metricValue(output, timedOut ? null : exitCode)
      : readMeasure({ name: measure.name, timeoutMs }, { exitCode, timedOut, output, reports })
  return 'value' in found ? found : { value: null, ...inWords(found.trouble) }
}

/** The report files that this run has written. */
function reportsOf({ measure }: Command, { path }: Place, began: number): string[] {
  return (measure?.reports ?? []).flatMap(name => {
    const file = join(path, name)
    const stat = statSync(file, { throwIfNoEntry: false })
    return stat?.isFile() && stat.mtimeMs >= began - 1 ? readFileSync(file, 'utf8') : []
  })
}

/**
 * The place where it runs: the tree, or a node's copy, which is first reset to its final state so that no command
 * changes what the next one finds. A voting command also gets the new tests of another node.
 */
async function placeOf(node: Command, { world, state, signal }: GroupTask): Promise<Result<Place>> {
  const { cwd: tree } = state.spec
  if (node.of === null) return ok({ path: tree, cwd: tree, mounts: undefined })
  const { copy, end } = nodeOf(state, node.of)
  if (!copy || !end?.tree) return gone(node.of)
  const copies = copiesOf(world, state)
  const writer = node.with === undefined ? null : nodeOf(state, node.with).end
  const { tree: from, tests = [] } = writer ?? {}
  const wanted = from
    ? await copies.tree.withFiles({ into: end.tree, from, files: tests })
    : await measuredTree(node, end.tree, { world, state, signal })
  if (!wanted.ok) return wanted
  const request = { loop: state.id, tree: wanted.value, keepAs: `${fileName(node.of)}-measured`, signal }
  const put = await copies.of(copy).restore(request)
  if (!put.ok) return put
  const { path, base, mounts } = copy
  const mounted = { cwd: path, copy: { tree, base, ...(mounts && { mounts }) } }
  return ok({ path, cwd: runsIn(mounted), mounts: mounts ?? undefined })
}

/** A metric is the command of the start: what it runs and compares with is as the attempt found it. */
async function measuredTree(node: Command, tree: string, task: GroupTask): Promise<Result<string>> {
  const { world, state } = task
  const { copy } = nodeOf(state, node.of ?? '')
  if (node.measure?.name !== 'metric' || !copy) return ok(tree)
  const chain = chainOf([node.command], readingOf(state.spec.cwd, world.env))
  const { tree: git } = copiesOf(world, state)
  const saved = await git.files(copy.base)
  if (!saved.ok) return saved
  await saved.value.close()
  const files = saved.value.paths.filter(path => isJudge(path, chain))
  return files.length > 0 ? git.withFiles({ into: tree, from: copy.base, files }) : ok(tree)
}

function gone(node: string): Result<never> {
  return fail('step-failed', { kind: 'copy-gone', node })
}
