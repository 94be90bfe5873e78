/** Commands to an existing group: resume and pick; group/answer-group has answers. */
import { relative, resolve } from 'node:path'
import { conflictFacts } from '../../core/group/apply.ts'
import type { GroupState } from '../../core/group/state.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import type { Summary } from '../../core/summary.ts'
import { ask, takeUp } from '../../engine/ask.ts'
import { goneOfGroup } from '../../engine/garbage/discarded.ts'
import { groupRange } from '../../engine/group-trees.ts'
import { keepEnvironment } from '../../engine/host.ts'
import { readState } from '../../engine/machine.ts'
import type { World } from '../../engine/world.ts'
import { all, fail, ok, type Result } from '../../model/failure.ts'
import type { GroupCommand } from '../../model/group/command.ts'
import type { GroupEvent, NodeEnd } from '../../model/group/event.ts'
import { conflictWays } from '../../model/group/words.ts'
import type { WorkflowSpec } from '../../model/group/workflow.ts'
import { groupResumeFrom } from '../../options/resume.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import { reasonWords } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import { directoryHere } from '../find-loop.ts'
import { isAttended } from '../foreground/question.ts'
import { mayHandOver, underDaemon } from '../loopd/connect.ts'
import { outFor, unbroken } from '../terminal.ts'
import { groupJson, runGroup } from './run.ts'

/** Longer than all members need to stop. */
const endMs = 60_000

type Told = { state: GroupState; events: GroupEvent[] }

/** Changes of the tree are short: an interrupted one would be worse than the wait. */
export function groupAsked(world: World, id: string, wish: GroupCommand): Promise<Result<Told>> {
  return wish.kind === 'pick' ? unbroken(() => askedOf(world, id, wish)) : askedOf(world, id, wish)
}

async function askedOf(world: World, id: string, wish: GroupCommand): Promise<Result<Told>> {
  const ends = ['group.completed', 'group.failed', 'group.held']
  const done = (events: { kind: string }[]) =>
    wish.kind !== 'pick' || events.some(({ kind }) => ends.includes(kind))
  return ask(world, id, wish, { of: 'group', until: { done, ms: endMs } })
}

export function printGroup(
  world: World,
  input: Input,
  { state, words, more = {} }: { state: GroupState; words: string; more?: object },
): Result<number> {
  const document = () => redactAll({ ...groupJson(state, world), ...more }, secretsIn(input.env))
  outFor<'loop'>(input, document(), words)
  return ok(0)
}

export async function resumeGroup(world: World, { id }: Summary, input: Input): Promise<Result<number>> {
  const command = await resumeFor(world, id, input)
  if (!command.ok) return command
  if (input.given('background')) return resumeInBackground(world, id, { command: command.value, input })
  const group = takeUp(world, { id, of: 'group' }, command.value)
  return group.ok ? runGroup(group.value, input) : group
}

type Resuming = { command: Extract<GroupCommand, { kind: 'resume' }>; input: Input }

async function resumeInBackground(
  world: World,
  id: string,
  { command, input }: Resuming,
): Promise<Result<number>> {
  const meant = mayHandOver(input.env)
  if (!meant.ok) return meant
  const prepare = () => keepEnvironment(world.store.paths, id, input.env)
  const queued = await ask(world, id, { kind: 'enqueue', resume: command }, { of: 'group', prepare })
  return queued.ok ? underDaemon(id, input, 'group') : queued
}

async function resumeFor(world: World, id: string, input: Input): Promise<Result<Resuming['command']>> {
  const state = readState(world.store, id, 'group')
  if (!state.ok) return state
  const { workflow: started, options = {} } = state.value.spec
  const workflow = started ? await changedWorkflow(id, { workflow: started, options }, input) : ok(null)
  if (!workflow.ok) return workflow
  const changes = groupResumeFrom(input)
  if (!changes.ok) return changes
  return ok({
    kind: 'resume',
    attended: isAttended(input),
    ...changes.value,
    ...(workflow.value && { workflow: workflow.value }),
  })
}

async function changedWorkflow(
  id: string,
  started: { workflow: WorkflowSpec; options: Record<string, string[]> },
  input: Input,
): Promise<Result<WorkflowSpec | null>> {
  const { reloaded } = await import('../workflow/reload.ts')
  return reloaded(id, started, input)
}

/** The files as paths from the top of the tree, however they were typed. */
function allInTree(files: string[], tree: string): Result<string[]> {
  const here = directoryHere() ?? tree
  const isBelow = here === tree || here.startsWith(`${tree}/`)
  return all(
    files.map(file => {
      const path = relative(tree, resolve(isBelow ? here : tree, file))
      if (path !== '' && !path.startsWith('..')) return ok(path)
      return fail('invalid-arguments', { kind: 'not-in-tree', file, tree })
    }),
  )
}

/** Applies the result of an attempt to the tree, whether it was chosen or not. */
export async function pickFrom(
  world: World,
  { id, cwd }: Summary,
  { node, files, input }: { node: string; files: string[]; input: Input },
): Promise<Result<number>> {
  const inTree = allInTree(files, cwd)
  if (!inTree.ok) return inTree
  const group = readState(world.store, id, 'group')
  if (!group.ok) return group
  const saved = groupRange(world.store, group.value, node)
  const trees = saved.ok ? [saved.value.from, saved.value.to] : []
  const there = await goneOfGroup(world.store.paths, { id, cwd }, trees)
  if (!there.ok) return there
  const ways = conflictWays.filter(way => input.given(way))
  const [wanted] = ways
  if (ways.length > 1) return fail('invalid-arguments', { kind: 'one-conflict-way', given: ways })
  const which = { ...(files.length > 0 && { files: inTree.value }), ...(wanted && { resolve: wanted }) }
  const wish: GroupCommand = { kind: 'pick', node, ...which }
  const picked = await groupAsked(world, id, wish)
  if (!picked.ok) return picked
  const { state } = picked.value
  const apply = `apply-${state.picks.length + 1}`
  const { end } = state.nodes.find(one => one.node.id === apply) ?? {}
  if (end?.how === 'completed') {
    const name = state.picks.at(-1)?.node ?? node
    const what = files.length > 0 ? `${files.join(', ')} of ${name}` : name
    const undo = `To undo this: loop rollback ${id} before-${apply}-1`
    return printGroup(world, input, {
      state,
      words: `${inTreeWords(what, { end, isPart: files.length > 0 })}. ${undo}`,
    })
  }
  if (end?.how === 'conflict') return fail('apply-conflict', conflictFacts(state, end))
  const why = end?.why ?? reasonWords(summarizeGroup(state), world.now())
  return fail('apply-failed', { kind: 'pick-failed', node, why })
}

function inTreeWords(what: string, { end, isPart }: { end: NodeEnd; isPart: boolean }): string {
  if (end.facts?.kind === 'nothing-taken') return `${what} is not in the work tree: ${end.why}`
  if (end.why) return `${what} is in the work tree: ${end.why}`
  return `${what} is in the work tree, and the promise ${isPart ? 'was not run' : 'holds there'}`
}
