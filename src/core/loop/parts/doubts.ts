/**
 * Signs that an agent made the promise pass without doing the work: missing tests, a missing repository, or a
 * moved HEAD. It records and never judges; the judgement is core/loop/assess/doubts.
 */
import type { CriterionResult, EventOf } from '../../../model/loop/event.ts'
import { type On, part } from './part.ts'
import { purposeOf } from './tree.ts'

/** The position of HEAD in the user's repository. */
type Head = NonNullable<EventOf<'checkpoint.taken'>['data']['repository']>

/** `last` is null if the promise passed and its runner no longer printed a number of tests. */
type TestCounts = { baseline: number; last: number | null; skippedBefore: number; skipped: number }

export type DoubtsPart = {
  /** By criterion: the number of tests that ran and were skipped, at the baseline and in the last run. */
  tests: Record<string, TestCounts>
  /** The HEAD of the repository when it was last looked at. */
  repository: Head | null
  /** The repository before the agent worked, if it has changed since. */
  before: Head | null
}

export const doubtsPart = part((): DoubtsPart => ({ tests: {}, repository: null, before: null }), {
  'promise.verified': ({ tests }, { data: { iteration, results } }) => {
    const next = { ...tests }
    for (const result of results) {
      const counts = iteration === 0 ? countsAtFirst(result) : countsOf(result, tests[result.name])
      if (counts) next[result.name] = counts
    }
    return { tests: next }
  },
  'checkpoint.taken': (now, { data }, before) => {
    const purpose = purposeOf(before, data.name)
    // A checkpoint taken during the agent's work, or outside the iteration, does not mark the end of its work.
    if (data.repository === undefined || ['kept', 'wanted', 'none'].includes(purpose)) return null
    const from = now.before ?? now.repository
    const moved = now.before !== null || purpose === 'after'
    return {
      repository: data.repository,
      before: moved && from !== null && !isSame(from, data.repository) ? from : null,
    }
  },
} satisfies On<DoubtsPart>)

/** Longer outputs are not read as a whole. */
const mostRead = 100_000

function countsAtFirst({ total, skipped = 0 }: CriterionResult): TestCounts | undefined {
  return total === undefined ? undefined : { baseline: total, last: total, skippedBefore: skipped, skipped }
}

function countsOf(
  { total, skipped = 0, verdict, output }: CriterionResult,
  before: TestCounts | undefined,
): TestCounts | undefined {
  if (!before || total !== undefined) return before && { ...before, last: total ?? null, skipped }
  const isSilent = verdict === 'PASS' && output.bytes < mostRead
  return isSilent ? { ...before, last: null, skipped: 0 } : before
}

function isSame(one: Head, other: Head | null): boolean {
  return one.dir === other?.dir && one.branch === other.branch && one.commit === other.commit
}

export type RepositoryDoubt =
  | { kind: 'repository-gone'; dir: string }
  | { kind: 'head-moved'; from: Head; to: Head }

/** `uncounted-tests`: the runner printed a number of tests before, and no longer does. */
export type FewerTests =
  | { kind: 'fewer-tests' | 'skipped-tests'; criterion: string; baseline: number; last: number }
  | { kind: 'uncounted-tests'; criterion: string; baseline: number }

export function fewerTests({ tests }: DoubtsPart): FewerTests[] {
  return Object.entries(tests).flatMap(([criterion, counts]): FewerTests[] => {
    const { baseline, last, skippedBefore, skipped } = counts
    if (last === null) return baseline > 0 ? [{ kind: 'uncounted-tests', criterion, baseline }] : []
    if (last < baseline) return [{ kind: 'fewer-tests', criterion, baseline, last }]
    return skipped > skippedBefore
      ? [{ kind: 'skipped-tests', criterion, baseline: skippedBefore, last: skipped }]
      : []
  })
}

export function repositoryDoubts({ repository, before }: DoubtsPart): RepositoryDoubt[] {
  if (before === null) return []
  return repository?.dir === before.dir
    ? [{ kind: 'head-moved', from: before, to: repository }]
    : [{ kind: 'repository-gone', dir: before.dir }]
}
