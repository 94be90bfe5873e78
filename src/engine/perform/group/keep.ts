/**
 * Notes that a plan makes outside of its journal: the showings of learnings, and its own lessons. It is a step before
 * the end of the plan, so a host that dies leaves it to the next one, which skips what is noted already.
 */
import type { GroupStep } from '../../../core/group/decide.ts'
import type { GroupState } from '../../../core/group/state.ts'
import { isAgreed, showingsIn } from '../../../core/plan/gates.ts'
import { lessonsIn } from '../../../core/plan/outline.ts'
import type { GroupEvent } from '../../../model/group/event.ts'
import type { Learning } from '../../../model/learning.ts'
import { addShowings, showings } from '../../../store/files/learning-notes.ts'
import { keepLearning, type LearningPlace, offerLearnings } from '../../learnings.ts'
import type { GroupTask } from './steps.ts'

export function keep(
  { what }: Extract<GroupStep, { kind: 'keep' }>,
  { world, state }: GroupTask,
): GroupEvent[] {
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
