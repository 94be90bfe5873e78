/** The working copies of a group: one per attempt, in which its member works. A copy shares nothing with the tree. */

import { join } from 'node:path'
import { endLeftover, verify } from '../../../adapters/verify.ts'
import type { WorkCopies, WorkCopy } from '../../../adapters/workcopies/contract.ts'
import type { GroupStep } from '../../../core/group/decide.ts'
import { checkpointOf, type GroupState } from '../../../core/group/state.ts'
import { valueIn } from '../../../core/group/values.ts'
import { filledEnvironment } from '../../../core/workflow.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import type { GroupEvent } from '../../../model/group/event.ts'
import type { GroupNode } from '../../../model/group/node.ts'
import type { ShellCommand } from '../../../model/group/workflow.ts'
import { runsIn } from '../../../model/run.ts'
import { loopDir } from '../../../store/files/paths.ts'
import { inWords } from '../../recorded.ts'
import type { World } from '../../world.ts'
import { commandEnv } from '../environment.ts'
import { redactFile, secretBytes } from '../loop/redaction.ts'
import { sandboxOf } from '../sandbox.ts'
import { readBefore } from './context.ts'
import { type GroupTask, nodeFailed, nodeOf } from './steps.ts'

export function copiesOf({ copies }: World, { spec }: GroupState): WorkCopies {
  return copies(spec.cwd)
}

const mostNames = 20

/** A node's id as a name for files and refs. */
export function fileName(node: string): string {
  return node.replaceAll('/', '-')
}

/** The name of a node's copy, and of the states saved from it. */
export function nameOf(node: string, attempt: number): string {
  return `${fileName(node)}-${attempt}`
}

export async function makeCopy(
  { node, attempt }: Extract<GroupStep, { kind: 'copy' }>,
  task: GroupTask,
): Promise<GroupEvent[]> {
  const { world, state, signal } = task
  const planned = nodeOf(state, node).node
  const isFrozen = planned.kind === 'loop' && planned.base === 'initial'
  const setup = planned.kind === 'loop' ? planned.copySetup : null
  const read = await readBefore({ node, attempt }, task)
  if (read === null) return []
  if (!read.ok) return [nodeFailed(`context of ${node}`, read.failure.facts)]
  const base = isFrozen ? checkpointOf(state, 'initial') : read.value
  const pending = copiesOf(world, state).make({
    loop: state.id,
    name: nameOf(node, attempt),
    base,
    signal,
    ...((setup || isReader(planned)) && { dependencies: 'skip' }),
  })
  world.fault('copy')
  const made = await pending
  if (signal.aborted) return []
  if (!made.ok) return [nodeFailed(`copy for ${node}`, made.failure.facts)]
  const failed = setup ? await setUp(setup, { node, attempt, copy: made.value }, task) : ok(null)
  if (failed === null) return []
  if (!failed.ok) {
    return [{ kind: 'node.ended', data: { node, attempt, how: 'failed', ...inWords(failed.failure.facts) } }]
  }
  const { references: named } = made.value
  if (!setup && !isReader(planned) && named.length > 0) {
    const why = inWords({ kind: 'copy-names-tree', reference: named[0] ?? '' })
    return [{ kind: 'node.ended', data: { node, attempt, how: 'failed', ...why } }]
  }
  const { ms: durationMs, skipped, references, borrowed: _, ...copy } = made.value
  const data = {
    node,
    attempt,
    ...copy,
    durationMs,
    ...(skipped.length > 0 && { skipped: skipped.slice(0, mostNames) }),
    ...(references.length > 0 && { references: references.slice(0, mostNames) }),
  }
  return [{ kind: 'copy.made', data }]
}

/** Tells whether a node is a question, which only reads. */
export function isReader(node: GroupNode): boolean {
  return node.kind === 'loop' && node.reads === true
}

const setUpMs = 1_800_000
const limits = { timeoutMs: setUpMs, graceMs: 5_000, maxOutputBytes: 100_000_000 }

type NewCopy = { node: string; attempt: number; copy: WorkCopy }

/** Runs the setup command of a new copy, if dependency directories were not copied. Null if aborted. */
async function setUp(
  { command, written, variables }: ShellCommand,
  { node, attempt, copy }: NewCopy,
  { world, state, signal }: GroupTask,
): Promise<Result<null> | null> {
  const filled = filledEnvironment(variables, valueIn(state))
  if (!('env' in filled)) return fail('step-failed', { kind: 'setup-value-missing', command: written })
  const { path: cwd, base, mounts } = copy
  const place = { cwd, copy: { tree: state.spec.cwd, base, ...(mounts && { mounts }) } }
  const run = { command, ...setUpFiles(world, { group: state.id, name: nameOf(node, attempt) }) }
  const env = { ...commandEnv(world, state.spec, command), ...filled.env }
  const { node: planned } = nodeOf(state, node)
  const spec = planned.kind === 'loop' ? planned.spec : {}
  const sandbox = sandboxOf({ spec, cwd: runsIn(place), mounts: mounts ?? [], env }, world)
  if (!sandbox.ok) return sandbox
  const around = { cwd: runsIn(place), mounts: mounts ?? undefined, sandbox: sandbox.value, env }
  const done = await verify({ ...run, ...around, ...limits }, world.here, signal)
  if (done === null || !done.ok) return done
  await redactFile(join(run.dir, 'out'), secretBytes(world.env), signal)
  const { exit } = done.value
  if (exit?.code === 0 && !exit.timedOut) return ok(null)
  const why = exit?.timedOut ? 'its time was up' : `exit ${exit?.code ?? 'unknown'}`
  return fail('step-failed', { kind: 'setup-failed', why, command: written })
}

function setUpFiles({ store }: World, { group, name }: { group: string; name: string }) {
  const path = join('commands', `setup-${name}`)
  return { dir: join(loopDir(store.paths, group), path), marker: `${group}/${path}` }
}

export async function freeCopy(
  { node }: Extract<GroupStep, { kind: 'free' }>,
  { world, state }: GroupTask,
): Promise<GroupEvent[]> {
  const { copy, attempt } = nodeOf(state, node)
  const copies = copiesOf(world, state)
  // Copies of earlier attempts too; each can be incomplete, or still be prepared by a process of the last host.
  const names = Array.from({ length: attempt }, (_, i) => nameOf(node, i + 1))
  for (const name of names)
    await endLeftover({ ...setUpFiles(world, { group: state.id, name }), cwd: state.spec.cwd }, world.here)
  const paths = names.map(name => copies.pathOf({ loop: state.id, name }))
  for (const path of new Set([...(copy ? [copy.path] : []), ...paths])) {
    const freed = await copies.remove({ path })
    if (!freed.ok) return [nodeFailed(`removal of the copy of ${node}`, freed.failure.facts)]
  }
  return [{ kind: 'copy.freed', data: { node } }]
}
