/**
 * What an agent may have done to make a promise pass that is no work: tests that are gone, a repository that is gone
 * or whose HEAD has moved. Records and never judges; what is said of it is `doubtsOf`.
 */
import type { EventOf } from '../../../model/loop/event.ts'
import type { State } from '../state.ts'
import { type On, part } from './part.ts'
import { purposeOf } from './tree.ts'

/** Where HEAD of the user's repository is. */
type Head = NonNullable<EventOf<'checkpoint.taken'>['data']['repository']>

export type DoubtsPart = {
  /** How many tests each criterion ran at the baseline, and when it was last run, where its runner says so. */
  tests: Record<string, { baseline: number; last: number }>
  /** At the last look. */
  repository: Head | null
  /** Where it was before the agent worked, where it is not there any more. */
  before: Head | null
}

export const doubtsPart = part((): DoubtsPart => ({ tests: {}, repository: null, before: null }), {
  'promise.verified': ({ tests }, { data: { iteration, results } }) => {
    const next = { ...tests }
    for (const { name, total } of results) {
      const baseline = iteration === 0 ? total : tests[name]?.baseline
      if (typeof total === 'number' && typeof baseline === 'number') next[name] = { baseline, last: total }
    }
    return { tests: next }
  },
  'checkpoint.taken': (now, { data }, before) => {
    const purpose = purposeOf(before, data.name)
    // One that is taken while the agent works, or aside, is not where its work ends.
    if (data.repository === undefined || ['kept', 'wanted', 'none'].includes(purpose)) return null
    const from = now.before ?? now.repository
    const moved = now.before !== null || purpose === 'after'
    return {
      repository: data.repository,
      before: moved && from !== null && !isSame(from, data.repository) ? from : null,
    }
  },
} satisfies On<DoubtsPart>)

function isSame(one: Head, other: Head | null): boolean {
  return one.dir === other?.dir && one.branch === other.branch && one.commit === other.commit
}

export type Doubt =
  | { kind: 'repository-gone'; dir: string }
  | { kind: 'head-moved'; from: Head; to: Head }
  | { kind: 'fewer-tests'; criterion: string; baseline: number; last: number }

export function doubtsOf({ doubts: { tests, repository, before } }: State): Doubt[] {
  const fewer = Object.entries(tests).flatMap(([criterion, counts]): Doubt[] =>
    counts.last < counts.baseline ? [{ kind: 'fewer-tests', criterion, ...counts }] : [],
  )
  if (before === null) return fewer
  const moved: Doubt =
    repository?.dir === before.dir
      ? { kind: 'head-moved', from: before, to: repository }
      : { kind: 'repository-gone', dir: before.dir }
  return [moved, ...fewer]
}
