/**
 * perform(step) for groups: does the work of nodes and returns the events that state the result. A group writes no
 * journal but its own: its members are asked (engine/ask) and watched by their heads.
 *
 * `keep`: notes that a plan makes outside of its journal: the showings of learnings, and its own lessons. It is a step before
 * the end of the plan, so a host that dies leaves it to the next one, which skips what is noted already.
 */
import { randomBytes } from 'node:crypto'
import type { GroupStep } from '../../../core/group/decide.ts'
import type { GroupKinds } from '../../../core/group/machine.ts'
import { find, type GroupState, type NodeState } from '../../../core/group/state.ts'
import { isAgreed, showingsIn } from '../../../core/plan/gates.ts'
import { lessonsIn } from '../../../core/plan/outline.ts'
import { adviceWords } from '../../../core/programs/question.ts'
import type { Facts } from '../../../failures/all.ts'
import type { GroupEvent } from '../../../model/group/event.ts'
import type { Learning } from '../../../model/learning.ts'
import { loopId } from '../../../model/units.ts'
import { addShowings, showings } from '../../../store/files/learning-notes.ts'
import { ask } from '../../ask.ts'
import { keepLearning, type LearningPlace, offerLearnings } from '../../learnings.ts'
import type { StepTask } from '../../machine.ts'
import { inWords } from '../../recorded.ts'
import { orRefused } from '../refusal.ts'
import { runCommand, stopCommand } from './command.ts'
import { freeCopy, makeCopy } from './copy.ts'
import { attend, follow, wake } from './member.ts'
import { check, mergeCopy, restore, save, undo, writeTree } from './tree.ts'
import { compareTree } from './verified-tree.ts'

export type GroupTask = StepTask<GroupKinds>

export async function performGroup(step: GroupStep, task: GroupTask): Promise<GroupEvent[]> {
  const events = await orRefused(
    () => handOf(step)(step, task),
    facts => nodeFailed(step.kind, facts),
  )
  const { rollback } = task.state
  const node = 'node' in step ? step.node : null
  return events.map(event => {
    if (event.kind !== 'step.failed') return event
    // A failure while a person's command is carried out fails the command, not the group.
    const { facts, why } = event.data
    if (rollback) return { kind: 'rollback.failed', data: { to: rollback.to, facts, why } }
    return { ...event, data: { ...event.data, ...(node !== null && { node }) } }
  })
}

type Work<S> = (step: S, task: GroupTask) => GroupEvent[] | Promise<GroupEvent[]>

const hands: { [K in GroupStep['kind']]: Work<Extract<GroupStep, { kind: K }>> } = {
  save,
  begin,
  copy: makeCopy,
  attend,
  wake,
  follow,
  advise,
  keep,
  run: runCommand,
  stop: stopCommand,
  merge: mergeCopy,
  write: writeTree,
  check,
  undo,
  free: freeCopy,
  restore,
  compare: compareTree,
}

function handOf<S extends GroupStep>(step: S): Work<S> {
  return hands[step.kind] as Work<S>
}

const lookMs = 1_000

/** A member gets its id before anything else of it exists. If the tree is needed, this waits until nobody holds it. */
async function begin(
  { node, attempt, takesTree }: Extract<GroupStep, { kind: 'begin' }>,
  task: GroupTask,
): Promise<GroupEvent[]> {
  const { state, signal } = task
  if (takesTree) await untilTreeIsFree(task)
  if (signal.aborted) return []
  const isLoop = nodeOf(state, node).node.kind === 'loop'
  const member = isLoop ? loopId(randomBytes(6)) : null
  return [{ kind: 'node.started', data: { node, attempt, member } }]
}

async function untilTreeIsFree({ world, state, signal }: GroupTask): Promise<void> {
  while (!signal.aborted) {
    const version = world.feed.version()
    if (!world.store.heads.holder(state.spec.cwd, { id: state.id, group: null })) return
    await world.feed.changed(version, { signal, withinMs: lookMs })
  }
}

export function nodeOf(state: GroupState, id: string): NodeState {
  const one = find(state, id)
  if (!one) throw new Error(`Internal error: a step for the node ${id}, which is not planned`)
  return one
}

export function nodeFailed(step: string, facts: Facts): GroupEvent {
  return { kind: 'step.failed', data: { step, ...inWords(facts) } }
}

/** Gives a member that wanted advice the answer of the panel; afterwards the group lets it continue. */
async function advise(
  { node, attempt, member, by }: Extract<GroupStep, { kind: 'advise' }>,
  { world, state, signal }: GroupTask,
): Promise<GroupEvent[]> {
  const text = adviceWords(state, by)
  if (!isTold(world.store.journals.read(member), text)) {
    const told = await ask(world, member, { kind: 'inject', text, by: 'panel' }, { of: 'loop' })
    if (signal.aborted) return []
    if (!told.ok) return [nodeFailed(`advice for ${node}`, told.failure.facts)]
  }
  world.fault('advised')
  return [{ kind: 'node.advised', data: { node, attempt, by } }]
}

type Journal = ReturnType<GroupTask['world']['store']['journals']['read']>

/** A host that died may have given it without recording that. */
function isTold(journal: Journal, text: string): boolean {
  return (
    journal.ok && journal.value.some(({ kind, data }) => kind === 'context.injected' && data.text === text)
  )
}

function keep({ what }: Extract<GroupStep, { kind: 'keep' }>, { world, state }: GroupTask): GroupEvent[] {
  const place = { paths: world.store.paths, tree: state.spec.cwd }
  if (what === 'lessons') keepLessons(state, place)
  else noteShowings(state, place)
  world.fault(`kept:${what}`)
  return [{ kind: 'notes.kept', data: { what } }]
}

function noteShowings(state: GroupState, { paths, tree }: LearningPlace): void {
  const noted = showings(paths, tree).filter(({ loop }) => loop === state.id)
  const fresh = showingsIn(state).filter(({ id }) => !noted.some(one => one.id === id))
  addShowings(
    paths,
    tree,
    fresh.map(one => ({ ...one, loop: state.id })),
  )
}

/**
 * Only a lesson that a person agreed to is written into the work tree. Without an answer, and if it cannot be written,
 * it waits for `loop learn`.
 */
function keepLessons(state: GroupState, place: LearningPlace): void {
  const waiting = (lessonsIn(state) ?? []).flatMap((lesson, i) => {
    const learning = learningOf(state, lesson, i)
    if (isAgreed(lesson.consent)) return keepLearning(place, learning).ok ? [] : [learning]
    return lesson.consent === null ? [learning] : []
  })
  offerLearnings(place, waiting)
}

type Lesson = NonNullable<ReturnType<typeof lessonsIn>>[number]

/** Deterministic: repeating the step makes the same learning. */
function learningOf(state: GroupState, lesson: Lesson, index: number): Learning {
  const { before, found, adjustment } = lesson
  return {
    id: `l-${state.id.slice(0, 5)}${index}`,
    at: new Date(lesson.at).toISOString(),
    kind: lesson.kind === 'tool limit' ? 'failure' : 'discovery',
    text: oneLine(lesson.lesson),
    before: oneLine(before),
    found: oneLine(found),
    adjustment: oneLine(adjustment),
    loop: state.id,
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
