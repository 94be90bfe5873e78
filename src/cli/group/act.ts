/** Commands to an existing group: pause, resume, cancel, rollback, pick; group/answer-group has answers. */
import { relative, resolve } from 'node:path'
import { conflictFacts } from '../../core/group/apply.ts'
import { type GroupKinds, groupMachine } from '../../core/group/machine.ts'
import { checkpointOf, type GroupState } from '../../core/group/state.ts'
import { summarizeGroup } from '../../core/group/summary.ts'
import type { Kinds } from '../../core/machine.ts'
import type { Summary } from '../../core/summary.ts'
import { ask, takeUp, wouldAdmit } from '../../engine/ask.ts'
import { goneOfGroup } from '../../engine/garbage/discarded.ts'
import { groupRange } from '../../engine/group-trees.ts'
import { keepEnvironment } from '../../engine/host.ts'
import { readState } from '../../engine/read-state.ts'
import { shownWhole } from '../../engine/shown/detail.ts'
import type { World } from '../../engine/world.ts'
import { all, fail, ok, type Result } from '../../model/failure.ts'
import type { GroupCommand } from '../../model/group/command.ts'
import type { GroupEvent, NodeEnd } from '../../model/group/event.ts'
import { conflictWays } from '../../model/group/words.ts'
import type { WorkflowSpec } from '../../model/group/workflow.ts'
import { groupResumeFrom } from '../../options/resume.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import { groupReceipt } from '../../views/text/group/announce.ts'
import { reasonWords } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import { directoryHere } from '../find-loop.ts'
import { isAttended } from '../foreground/question.ts'
import { mayHandOver, underDaemon } from '../loopd/connect.ts'
import { printPreview } from '../print/preview.ts'
import { err, outFor } from '../terminal.ts'
import { groupJson, runGroup } from './run.ts'

/** Longer than all members need to stop. */
const endMs = 60_000

type Told = { state: GroupState; events: GroupEvent[] }

export async function groupAsked(world: World, id: string, wish: GroupCommand): Promise<Result<Told>> {
  const forget = finishingWhat(wish)
  try {
    return await askedOf(world, id, wish)
  } finally {
    forget()
  }
}

/** Changes of the tree are short: an interrupted one would be worse than the wait. */
function finishingWhat({ kind }: GroupCommand): () => void {
  if (kind !== 'pick' && kind !== 'rollback') return () => {}
  const say = () => err('loop: the work tree is being written; this ends when that is done.')
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, say)
  return () => {
    for (const signal of signals) process.off(signal, say)
  }
}

async function askedOf(world: World, id: string, wish: GroupCommand): Promise<Result<Told>> {
  const until = { done: (events: Kinds['event'][]) => isDone(wish, events), ms: endMs }
  return ask(world, id, wish, { of: 'group', until })
}

function isDone({ kind }: GroupCommand, events: Kinds['event'][]): boolean {
  const ends: Partial<Record<GroupCommand['kind'], string[]>> = {
    cancel: ['group.cancelled', 'group.completed', 'group.failed', 'group.held'],
    rollback: ['tree.restored', 'rollback.failed'],
    pick: ['group.completed', 'group.failed', 'group.held'],
  }
  const wanted = ends[kind]
  return !wanted || events.some(event => wanted.includes(event.kind))
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

export async function pauseGroup(world: World, { id }: Summary, input: Input): Promise<Result<number>> {
  const paused = await groupAsked(world, id, { kind: 'pause' })
  if (!paused.ok) return paused
  const words = `Group ${id} pauses: its loops rest after their iterations. Go on with: loop resume ${id}`
  return printGroup(world, input, { state: paused.value.state, words })
}

export async function cancelGroup(world: World, { id }: Summary, input: Input): Promise<Result<number>> {
  const cancelled = await groupAsked(world, id, { kind: 'cancel' })
  if (!cancelled.ok) return cancelled
  const { state } = cancelled.value
  if (state.outcome && state.outcome.kind !== 'cancelled') {
    const words = `The hook of group ${id} is stopped; the group stays ${state.outcome.kind}.`
    return printGroup(world, input, { state, words })
  }
  if (!state.outcome) {
    const why = reasonWords(summarizeGroup(state), world.now()) || 'it is still stopping'
    return fail('survivors', { kind: 'group-not-cancelled', id, why })
  }
  if (input.given('rollback')) return rollbackGroup(world, { id }, { target: 'initial', input })
  const shown = shownWhole(world.store, summarizeGroup(state))
  const lines = redactAll(groupReceipt(state, shown, world.now()), secretsIn(input.env))
  return printGroup(world, input, { state, words: lines.join('\n') })
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

type RollbackWish = { target: string | undefined; input: Input }

function checkpointFor({ id, rollbacks }: GroupState, { target, input }: RollbackWish): Result<string> {
  if (input.given('undo') && target === undefined) {
    if (rollbacks === 0) return fail('not-allowed', { kind: 'group-never-rolled-back', id })
    return ok(`before-rollback-${rollbacks}`)
  }
  if (target !== undefined && !input.given('undo') && !input.given('after')) return ok(target)
  return fail('invalid-arguments', { kind: 'group-checkpoint-missing', id })
}

async function wouldRollBack(
  world: World,
  state: GroupState,
  { to, input }: { to: string; input: Input },
): Promise<Result<number>> {
  const wanted = wouldAdmit<GroupKinds>(world, { machine: groupMachine, state }, { kind: 'rollback', to })
  if (!wanted.ok) return wanted
  const checkpoints = world.checkpoints({ cwd: state.spec.cwd, checkpoint: 'git' })
  const found = await checkpoints.preview({ loop: state.id, tree: checkpointOf(state, to) ?? '' })
  if (!found.ok) return found
  printPreview({ what: 'group', id: state.id, to }, found.value, input.given('json'))
  return ok(0)
}

export async function rollbackGroup(
  world: World,
  { id }: Pick<Summary, 'id'>,
  { target, input }: RollbackWish,
): Promise<Result<number>> {
  const group = readState(world.store, id, 'group')
  if (!group.ok) return group
  const to = checkpointFor(group.value, { target, input })
  if (!to.ok) return to
  const tree = checkpointOf(group.value, to.value)
  const wanted = tree === null ? [] : [{ name: to.value, tree }]
  const there = await goneOfGroup(world.store.paths, { id, cwd: group.value.spec.cwd }, wanted)
  if (!there.ok) return there
  if (input.given('dry-run')) return wouldRollBack(world, group.value, { to: to.value, input })
  const rolled = await groupAsked(world, id, { kind: 'rollback', to: to.value })
  if (!rolled.ok) return rolled
  const { state, events } = rolled.value
  const failure = events.find(event => event.kind === 'rollback.failed')
  if (failure) {
    const why = failure.data.why ?? ''
    return fail('step-failed', { kind: 'group-not-rolled-back-to', id, to: to.value, why })
  }
  const kept = `before-rollback-${state.rollbacks}`
  const words = `Group ${id} is rolled back to ${to.value}. To undo this: loop rollback ${id} ${kept}`
  const restored = events.find(event => event.kind === 'tree.restored')?.data
  return printGroup(world, input, { state, words, more: { ...restored, kept } })
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
