/**
 * The members of a group: each is a loop with its own journal. The group follows it by its head alone, whoever hosts
 * it: in the foreground the host of the group, in the background loopd, or a person who has taken it up by hand.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { changeSize, isTestFile } from '../../../core/change.ts'
import type { GroupStep } from '../../../core/group/decide.ts'
import { type GroupState, isKind, type NodeState } from '../../../core/group/state.ts'
import { valueIn } from '../../../core/group/values.ts'
import { creation } from '../../../core/loop/assess/assess.ts'
import type { Doubt } from '../../../core/loop/assess/doubts.ts'
import { type LoopKinds, loopMachine } from '../../../core/loop/machine.ts'
import type { State } from '../../../core/loop/state.ts'
import { isOpen } from '../../../core/loop/summary.ts'
import { programs } from '../../../core/programs/all.ts'
import type { AnySummary, Summary } from '../../../core/summary.ts'
import { fill, filledEnvironment } from '../../../core/workflow.ts'
import type { Facts } from '../../../failures/all.ts'
import { nodeReasonWords } from '../../../failures/node.ts'
import { failureWords } from '../../../failures/words.ts'
import { attemptEnv } from '../../../model/attempt-env.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import type { GroupEvent, NodeEnd } from '../../../model/group/event.ts'
import type { NodeOf } from '../../../model/group/node.ts'
import type { Event } from '../../../model/loop/event.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import { readBytes, sizeOf } from '../../../store/files/artifact.ts'
import { loopDir } from '../../../store/files/paths.ts'
import { ask, record } from '../../ask.ts'
import { changesSinceBegin } from '../../changes.ts'
import { drive } from '../../drive.ts'
import { createJournal, hostJournal, keepEnvironment, leaveJournal } from '../../host.ts'
import { readState } from '../../machine.ts'
import { inWords } from '../../recorded.ts'
import type { World } from '../../world.ts'
import { contextText } from './context.ts'
import { copiesOf, freeCopy, isReader, nameOf } from './copy.ts'
import { type GroupTask, nodeFailed, nodeOf } from './steps.ts'

type Came = Pick<
  NodeEnd,
  'tree' | 'changes' | 'size' | 'paths' | 'tests' | 'doubts' | 'steered' | 'durationMs'
>

const mostPaths = 50

/** The result of a member: the state of its copy, saved in the store of the tree, and its changes. */
async function resultOf(
  { node, copy, attempt }: NodeState,
  { world, state, signal }: GroupTask,
  { id, doubts = [], activeMs }: AnySummary,
): Promise<Result<Came>> {
  const common = { ...doubtsIn(doubts), durationMs: activeMs }
  if (!copy && !isReader(node)) return ok({ ...common, ...(await changesInTree(world, id)) })
  // A host that died after it removed a question's copy has recorded no result.
  if (!copy || (isReader(node) && !existsSync(copy.path))) return ok(common)
  const copies = copiesOf(world, state)
  const request = { loop: state.id, name: nameOf(node.id, attempt), isNew: true, signal }
  const saved = await copies.save(copy, request)
  if (!saved.ok) return saved
  const tree = saved.value
  const lines = await copies.tree.linesByFile({ from: copy.base, to: tree, signal })
  if (!lines.ok) return lines
  const files = lines.value
  const counted = changeSize(files)
  const sum = (of: 'added' | 'removed') => files.reduce((total, file) => total + file[of], 0)
  const tests = files.filter(({ isNew, path }) => isNew && isTestFile(path))
  const names = (some: typeof files) => some.slice(0, mostPaths).map(({ path }) => path)
  return ok({
    ...common,
    // The changes of a question are noted, but its tree is not kept.
    ...(!isReader(node) && { tree }),
    changes: { added: sum('added'), removed: sum('removed'), files: files.length },
    size: counted.added + counted.removed,
    paths: names(files),
    tests: names(tests),
  })
}

/** Of a member that works in the tree itself; nothing if that cannot be said any more. */
async function changesInTree(world: World, member: string): Promise<Pick<Came, 'changes' | 'paths'>> {
  const read = readState(world.store, member, 'loop')
  const found = read.ok ? await changesSinceBegin(world, read.value) : null
  return found ? { changes: found.changes, paths: found.paths.slice(0, mostPaths) } : {}
}

/** What nobody has looked at yet is no doubt: the group looks at it, if this result leads. */
function doubtsIn(doubts: Doubt[]): Pick<Came, 'doubts' | 'steered'> {
  const unlooked = doubts.flatMap(doubt =>
    doubt.kind === 'steered' && doubt.how === 'unlooked' ? doubt.files : [],
  )
  if (unlooked.length === 0) return { doubts: doubts.length }
  return { doubts: doubts.length - 1, steered: unlooked.slice(0, mostPaths) }
}

const mostBytes = 256_000

/**
 * The outputs of a loop in $LOOP_OUTPUT_FILE: one JSON object, or lines `name=value`. A declared name that is
 * missing is an error, never an empty value.
 */
function leftOutputs(
  { node }: NodeState,
  file: string,
): { outputs?: Record<string, string>; trouble?: Facts } {
  const declared = node.kind === 'loop' ? (node.outputs ?? []) : []
  if (declared.length === 0) return {}
  const bytes = sizeOf(file)
  if (bytes > mostBytes) return { trouble: { kind: 'outputs-too-large', mostBytes } }
  const text = bytes === 0 ? '' : readBytes(file, 0, bytes).toString()
  const found = text.trimStart().startsWith('{') ? fromJson(text) : fromLines(text)
  if (!found) return { trouble: { kind: 'outputs-unreadable' } }
  const names = declared.filter(name => !Object.hasOwn(found, name))
  if (names.length > 0) return { trouble: { kind: 'outputs-missing', names } }
  return { outputs: Object.fromEntries(declared.map(name => [name, found[name] ?? ''])) }
}

/** Null unless it is an object of plain values. */
function fromJson(text: string): Record<string, string> | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const entries = Object.entries(value)
    const isPlain = entries.every(([, one]) => ['string', 'number', 'boolean'].includes(typeof one))
    return isPlain ? Object.fromEntries(entries.map(([name, one]) => [name, String(one)])) : null
  } catch {
    return null
  }
}

function fromLines(text: string): Record<string, string> {
  const pairs = text.split('\n').flatMap(line => {
    const [, name, value] = /^([A-Za-z][\w-]*)=(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [[name, value ?? ''] as const]
  })
  return Object.fromEntries(pairs)
}

type Of<K extends GroupStep['kind']> = Extract<GroupStep, { kind: K }>

const lookMs = 1_000
const askMs = 5_000

export async function attend(step: Of<'attend'>, task: GroupTask): Promise<GroupEvent[]> {
  const { world, state, signal } = task
  const { member, wish } = step
  const one = nodeOf(state, step.node)
  if (wish === 'end' && world.store.heads.status(member) === null) {
    return [ended(step, { how: 'cancelled' })]
  }
  const created = create(one, member, task)
  if (created) return [created]
  let asked = wish === 'none'
  while (!signal.aborted) {
    const version = world.feed.version()
    const head = world.store.heads.get(member)
    if (!head.ok) return [ended(step, { how: 'crashed', ...inWords(head.failure.facts), costUsd: null })]
    const summary = head.value
    if (!isOpen(summary.status)) return over(step, task, summary)
    if (summary.status === 'paused' && wish !== 'end') return [rested(step, summary)]
    const isFirst = !asked
    if (!asked) asked = await isAsked(step, task)
    if (isFirst && asked) continue
    if (!asked || !(await isHosted(world, member, task))) {
      await world.feed.changed(version, { signal, withinMs: lookMs })
    }
  }
  return []
}

/** Creates the member if no other host has; a failure becomes an event. */
function create(one: NodeState, member: string, { world, state }: GroupTask): GroupEvent | null {
  if (world.store.heads.status(member) !== null) return null
  const { background } = state
  if (background !== null) keepEnvironment(world.store.paths, member, world.env)
  const spec = memberSpec(one, member, { world, state })
  if (!spec.ok)
    return {
      kind: 'node.ended',
      data: { node: one.node.id, attempt: one.attempt, how: 'failed', ...inWords(spec.failure.facts) },
    }
  const created: Event = creation(spec.value, programs[state.spec.program].assessed?.(one, state))
  const queued: Event[] = background === null ? [] : [{ kind: 'loop.queued', data: { priority: background } }]
  const done = createJournal(loopMachine, world, {
    id: member,
    events: [created, ...toldTo(one), ...queued],
    host: null,
  })
  if (!done.ok) return nodeFailed(`start of ${one.node.id}`, done.failure.facts)
  let before: State | null = null
  for (const event of done.value ?? []) {
    const now: State = before ? loopMachine.evolve(before, event) : loopMachine.begin(event)
    world.feed.publish<LoopKinds>({ kind: 'loop', event, state: now, before })
    before = now
  }
  world.fault('member:created')
  world.queued?.()
  return null
}

/** False if the member refused; its head shows why at the next look. */
async function isAsked({ member, wish }: Of<'attend'>, { world }: GroupTask): Promise<boolean> {
  const command = wish === 'end' ? ({ kind: 'cancel' } as const) : ({ kind: 'pause', by: 'group' } as const)
  const answer = await ask(world, member, command, { of: 'loop', until: { done: () => true, ms: askMs } })
  // Refused because it is already pausing, or has just ended.
  return answer.ok || answer.failure.reason === 'not-allowed'
}

/** In the foreground this process hosts the member while it follows it; false if another process does. */
async function isHosted(world: World, member: string, { state, signal }: GroupTask): Promise<boolean> {
  if (state.background !== null) return false
  const isQueued = world.store.heads.status(member) === 'queued'
  if (isQueued && !hasRoom(world, state)) return false
  const taken = hostJournal(world, member, 'loop')
  if (!taken.ok || 'hostedBy' in taken.value) return false
  const { driven } = taken.value
  if (isQueued) record(driven, { kind: 'dequeue' })
  await drive(driven, signal)
  leaveJournal(driven)
  return true
}

/** For a queued member whose group was in the background and no longer is. */
function hasRoom({ store }: World, { id, spec: { parallel } }: GroupState): boolean {
  const running = store.journals.inGroup(id).filter(one => store.heads.status(one) === 'running')
  return parallel === null || running.length < parallel
}

async function over(step: Of<'attend' | 'wake'>, task: GroupTask, summary: Summary): Promise<GroupEvent[]> {
  const { status, reason, costUsd, iteration, detail } = summary
  const how = status === 'completed' || status === 'failed' || status === 'crashed' ? status : 'cancelled'
  const one = nodeOf(task.state, step.node)
  const result = await resultOf(one, task, summary)
  // Another step has replaced this one; it finds the member as it is now.
  if (task.signal.aborted) return []
  if (!result.ok) return [nodeFailed(`result of ${step.node}`, result.failure.facts)]
  const left = leftOutputs(one, outputFile(task.world, step.member))
  const trouble = how === 'completed' ? left.trouble : undefined
  const answer = how === 'completed' ? answerIn(task.world, summary) : null
  return [
    ended(step, {
      ...(answer !== null && { answer }),
      how: trouble ? 'failed' : how,
      ...(reason && { reason }),
      ...(trouble ? inWords(trouble) : detail && { why: detail }),
      ...(left.outputs && { outputs: left.outputs }),
      iterations: iteration,
      costUsd,
      ...result.value,
    }),
    ...(isReader(one.node) ? await freeCopy({ kind: 'free', node: step.node }, task) : []),
  ]
}

/** The model's answer; null for a loop that is not a question. */
function answerIn({ store }: World, { id, answers, criteria = {} }: AnySummary): string | null {
  if (answers === undefined) return null
  const file = Object.values(criteria).find(({ met }) => met)?.evidence?.output
  if (file === undefined) return null
  const path = join(loopDir(store.paths, id), file)
  return readBytes(path, 0, sizeOf(path)).toString()
}

function ended(
  { node, attempt }: Of<'attend' | 'wake'>,
  data: Omit<Extract<GroupEvent, { kind: 'node.ended' }>['data'], 'node' | 'attempt'>,
): GroupEvent {
  return { kind: 'node.ended', data: { node, attempt, ...data } }
}

function rested({ node, attempt }: Of<'attend'>, { status, reason }: Summary): GroupEvent {
  return { kind: 'node.rested', data: { node, attempt, status, reason } }
}

/** Resumes a resting or failed member. If that is not possible, it stays as it is and the reason is recorded. */
export async function wake(step: Of<'wake'>, task: GroupTask): Promise<GroupEvent[]> {
  const { node, attempt, member } = step
  const { world, state } = task
  const continued: GroupEvent = { kind: 'node.continued', data: { node, attempt } }
  const head = world.store.heads.get(member)
  if (!head.ok || !['paused', 'failed', 'crashed', 'cancelled'].includes(head.value.status))
    return [continued]
  const resume = { kind: 'resume', ...state.limits, attended: false } as const
  const wish = state.background === null ? resume : ({ kind: 'enqueue', resume } as const)
  const answer = await ask(world, member, wish, { of: 'loop' })
  if (answer.ok) {
    world.queued?.()
    return [continued]
  }
  const { status, reason } = head.value
  if (status === 'paused') return [{ kind: 'node.rested', data: { node, attempt, status, reason } }]
  return over(step, task, { ...head.value, detail: failureWords(answer.failure) })
}

/** Waits until a resting member continues or ends, whoever asked it to. */
export async function follow(
  { node, attempt, member }: Of<'follow'>,
  { world, signal }: GroupTask,
): Promise<GroupEvent[]> {
  while (!signal.aborted) {
    const version = world.feed.version()
    const status = world.store.heads.status(member)
    if (status !== null && status !== 'paused') return [{ kind: 'node.continued', data: { node, attempt } }]
    await world.feed.changed(version, { signal, withinMs: lookMs })
  }
  return []
}

/** Additional texts for the member: those of the file, and the reasons for repeating it. */
function toldTo({ node, reopened }: NodeState): Event[] {
  const given = ((node as NodeOf<'loop'>).injected ?? []).map(text => ({ text }))
  const again = reopened.slice(-1).map(why => ({ text: nodeReasonWords(why), by: 'loop' as const }))
  return [...given, ...again].map(data => ({ kind: 'context.injected', data }))
}

/** The planned spec with all values filled in, for its copy. */
function memberSpec(
  { node, copy, attempt }: NodeState,
  member: string,
  { world, state }: Pick<GroupTask, 'world' | 'state'>,
): Result<Spec> {
  const planned = node as NodeOf<'loop'>
  const { spec, variables = {}, outputs } = planned
  const valueOf = valueIn(state)
  const prompt = planned.prompt ? fill(planned.prompt, valueOf) : { text: spec.prompt }
  if ('missing' in prompt) return fail('step-failed', { kind: 'prompt-value-missing' })
  const filled = filledEnvironment(variables, valueOf)
  if (!('env' in filled)) return fail('step-failed', { kind: 'unfit-environment' })
  const file = outputs && { LOOP_OUTPUT_FILE: outputFile(world, member) }
  const own: Spec = {
    ...spec,
    prompt: prompt.text + contextText(world, state.id, nameOf(node.id, attempt)),
    group: state.id,
    // Several members cannot ask a person at the same time: a question lets the member rest.
    attended: false,
    deleteState: false,
    notify: false,
    env: { ...spec.env, ...filled.env, ...file, ...laneOf(planned, state), LOOP_NODE: node.id },
  }
  if (!copy) return ok(own)
  const { base, mounts, path } = copy
  const at = { tree: state.spec.cwd, base, ...(mounts && { mounts }) }
  return ok({ ...own, cwd: path, checkpoint: planned.reads ? 'none' : 'git', copy: at })
}

/** The environment that keeps concurrent members apart. */
function laneOf({ id, place }: NodeOf<'loop'>, { id: group, nodes }: GroupState): Record<string, string> {
  if (place === 'tree') return {}
  const lanes = nodes.filter(one => isKind(one, 'loop') && one.node.place === 'copy')
  const attempt = lanes.findIndex(({ node }) => node.id === id) + 1
  return attemptEnv({ group, attempt, attempts: lanes.length })
}

/** The file in which a member leaves its outputs for others. */
function outputFile({ store }: World, member: string): string {
  return join(loopDir(store.paths, member), 'outputs')
}
