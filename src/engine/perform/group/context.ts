/**
 * The reading material of a question besides its prompt: the changes in the tree, or why a member failed. It is made
 * once, before the question's copy, and kept as a file of the group, so that the next host uses the same text.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Checkpoints, wholeDiff } from '../../../checkpoints/contract.ts'
import { checkpointOf, type NodeState } from '../../../core/group/state.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import { excerpt, writeDurably } from '../../../store/files/artifact.ts'
import { loopDir } from '../../../store/files/paths.ts'
import { readState } from '../../machine.ts'
import type { World } from '../../world.ts'
import { copiesOf, nameOf } from './copy.ts'
import { type GroupTask, nodeOf } from './steps.ts'

const mostDiff = 60_000
const mostOutput = 6_000

type Of = { node: string; attempt: number }

/** The saved tree for the question's copy (null: the tree as it is); the whole result is null if aborted. */
export async function readBefore(of: Of, task: GroupTask): Promise<Result<string | null> | null> {
  const { node } = nodeOf(task.state, of.node)
  const context = node.kind === 'loop' ? node.context : undefined
  if (!context) return ok(null)
  const base = context.failureOf === undefined ? ok(null) : await savedCopy(context.failureOf, of, task)
  if (task.signal.aborted) return null
  if (!base.ok) return base
  const file = contextFile(task.world, task.state.id, nameOf(of.node, of.attempt))
  if (existsSync(file)) return base
  const text = await textOf(context, task)
  if (task.signal.aborted) return null
  if (!text.ok) return text
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeDurably(file, text.value)
  return base
}

function contextFile({ store }: World, group: string, name: string): string {
  return join(loopDir(store.paths, group), 'context', name)
}

/** The stored reading material of a question, as text after its prompt; empty if there is none. */
export function contextText(world: World, group: string, name: string): string {
  const file = contextFile(world, group, name)
  return existsSync(file) ? `\n\n${readFileSync(file, 'utf8')}` : ''
}

/** The current state of a member's copy. */
async function savedCopy(
  id: string,
  of: Of,
  { world, state, signal }: GroupTask,
): Promise<Result<string | null>> {
  const { copy } = nodeOf(state, id)
  if (!copy) return ok(null)
  return copiesOf(world, state).save(copy, {
    loop: state.id,
    name: `${nameOf(of.node, of.attempt)}-read`,
    signal,
  })
}

async function textOf(
  context: NonNullable<NodeOf<'loop'>['context']>,
  task: GroupTask,
): Promise<Result<string>> {
  const changes = context.changesSince === undefined ? ok('') : await changesSince(context.changesSince, task)
  if (!changes.ok) return changes
  const failure =
    context.failureOf === undefined ? '' : failureOf(nodeOf(task.state, context.failureOf), task)
  const results = context.results ? await bothResults(context.results, task) : ok('')
  if (!results.ok) return results
  return ok([changes.value, failure, results.value].filter(Boolean).join('\n\n'))
}

/** The changes of two results, each against its own base, as A and B without their names. */
async function bothResults([a, b]: [string, string], task: GroupTask): Promise<Result<string>> {
  const parts: string[] = []
  for (const [letter, id] of [
    ['A', a],
    ['B', b],
  ] as const) {
    const { copy, end } = nodeOf(task.state, id)
    if (!copy || !end?.tree) return fail('step-failed', { kind: 'result-gone', node: id })
    const { tree } = copiesOf(task.world, task.state)
    const diff = await boundedDiff(tree, { from: copy.base, to: end.tree })
    if (!diff.ok) return diff
    parts.push(`## Change ${letter}\n${fenced(diff.value, 'diff')}`)
  }
  return ok(parts.join('\n\n'))
}

async function boundedDiff(
  saved: Pick<Checkpoints, 'diff'>,
  range: { from: string; to: string },
): Promise<Result<string>> {
  const diff = await wholeDiff(saved, range)
  if (!diff.ok) return diff
  const text = diff.value.toString()
  if (text.length <= mostDiff) return ok(text === '' ? '(nothing)' : text)
  return ok(`${text.slice(0, mostDiff)}\n… ${text.length - mostDiff} characters left out …`)
}

async function changesSince(name: string, { world, state, signal }: GroupTask): Promise<Result<string>> {
  const from = checkpointOf(state, name) ?? checkpointOf(state, 'initial')
  if (from === null) return fail('step-failed', { kind: 'no-group-checkpoint', name })
  const { tree } = copiesOf(world, state)
  const now = await tree.take({
    loop: state.id,
    name: `${name.replaceAll('/', '-')}-read`,
    since: null,
    signal,
  })
  if (!now.ok) return now
  const to = now.value.tree
  if (to === null) return ok('')
  const diff = await boundedDiff(tree, { from, to })
  return diff.ok ? ok(['## What has changed', fenced(diff.value, 'diff')].join('\n')) : diff
}

/** The fence is longer than any in the text, so that the text cannot end the block. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function failureOf({ member }: NodeState, { world }: GroupTask): string {
  const loop = member === null ? null : readState(world.store, member, 'loop')
  if (!loop?.ok || member === null) return ''
  const { judged, work, tree } = loop.value
  const root = loopDir(world.store.paths, member)
  const failed = judged.results.filter(({ verdict }) => verdict !== 'PASS')
  const said = work.run?.end && 'said' in work.run.end ? work.run.end.said : undefined
  return [
    `## What failed, after iteration ${work.iteration}`,
    ...failed.map(({ command, verdict, why, output }) => {
      const { head, tail, omittedBytes } = excerpt(join(root, output.path), mostOutput)
      const shown = omittedBytes > 0 ? `${head}\n… ${omittedBytes} bytes left out …\n${tail}` : head
      return [
        `${command}: ${verdict} (${why})`,
        fenced(shown === '' ? '(it printed nothing)' : shown, ''),
      ].join('\n')
    }),
    ...(tree.paths.length > 0 ? [`The agent changed: ${tree.paths.join(', ')}`] : []),
    ...(said ? [`It said last: ${said.slice(-1_000)}`] : []),
  ].join('\n')
}
