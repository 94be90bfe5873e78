/**
 * A command of a group: a measure of a result, or a hook. Under the shim like a promise. A measure that was lost is
 * made again; a hook acts on the world and runs at most once: its claim says whether it has begun.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { verify } from '../../../adapters/verify.ts'
import type { GroupStep } from '../../../core/group/decide.ts'
import { readMeasure } from '../../../core/group/measured.ts'
import { isKind } from '../../../core/group/state.ts'
import { ok } from '../../../model/failure.ts'
import type { GroupEvent } from '../../../model/group/event.ts'
import type { NodeOf } from '../../../model/group/node.ts'
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
  const root = loopDir(world.store.paths, state.id)
  const path = join('commands', `${fileName(id)}-${attempt}`)
  const ended = (
    data: Omit<Extract<GroupEvent, { kind: 'node.ended' }>['data'], 'node' | 'attempt'>,
  ): GroupEvent => ({
    kind: 'node.ended',
    data: { node: id, attempt, ...data },
  })
  if (node.purpose === 'hook' && existsSync(join(root, path))) {
    return [ended({ how: 'lost', why: 'its host ended while it ran; it is not run again' })]
  }
  const place = await placeOf(node, task)
  if (typeof place !== 'string') return [place]
  const { LOOP_RUN: _, ...own } = world.env
  const env = { ...(node.purpose === 'hook' ? own : world.env), ...node.env, LOOP_GROUP: state.id }
  const run = { command: node.command, dir: join(root, path), cwd: place, env, graceMs, maxOutputBytes }
  const marker = `${state.id}/${path}`
  const pending = verify({ ...run, timeoutMs: node.timeoutMs, marker }, world.here, signal)
  world.fault('command')
  const done = await pending
  if (done === null) return []
  if (!done.ok) return [nodeFailed(`command ${id}`, done.failure.message)]
  const { exit, durationMs } = done.value
  const { head, tail, omittedBytes } = excerpt(join(root, path, 'out'), 1_000_000)
  settle(root, join(path, 'out'), cleanOf(world.env))
  const text = omittedBytes > 0 ? `${head}\n${tail}` : head
  const value = node.measure ? { value: readMeasure(node.measure, exit, text) } : {}
  return [
    ended({
      how: exit?.code === 0 && !exit.timedOut ? 'completed' : 'failed',
      exitCode: exit?.code ?? null,
      ...(exit?.timedOut && { why: 'its time was up' }),
      durationMs,
      output: join(path, 'out'),
      ...value,
    }),
  ]
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
