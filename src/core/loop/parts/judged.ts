/**
 * The verdicts of the promise, and the counters of consecutive events. Counting is recording; core/loop/breaker
 * and core/loop/decide say what a count means.
 */
import type { Changes, CriterionResult } from '../../../model/loop/event.ts'
import { countFailing, type Failing, hasProgressed, sameUnmet, signatureOf, unmet } from '../progress.ts'
import type { State } from '../state.ts'
import { type On, onResume, part, type RecordedOf } from './part.ts'
import { purposeOf } from './tree.ts'

/** An unsuccessful approach: the iteration's changes and the last text of its agent. */
export type Approach = { iteration: number; changes: Changes | null; said: string }

export type JudgedPart = {
  results: CriterionResult[]
  /** The results before the last iteration, for comparison. */
  earlier: CriterionResult[]
  /** The duration of each command in its newest run. */
  durations: Record<string, number>
  /** The results for forbidden things in the newest run of the promise. */
  mustNot: CriterionResult[]
  promiseErrorsInRow: number
  /** The reason why the promise may never work, from the baseline; null once somebody has chosen to continue. */
  doubt: string | null
  /** Consecutive iterations with the same unmet criteria and no improvement. */
  unmetInRow: number
  /** Consecutive iterations that changed no file; not counted if changes are unknown. */
  unchangedInRow: number
  /** Consecutive iterations whose failures have the same error signature. */
  sameErrorInRow: number
  /** The failed approaches since the last progress, newest last. */
  approaches: Approach[]
  /** Whether advice is wanted: due after a failed verification, taken until there is progress. */
  advice: 'none' | 'due' | 'taken'
  /** The number of failing tests so far, by criterion. */
  failing: Record<string, Failing>
  /** The file that the last run edited most often, if the agent reports edits. */
  edited: { path: string; times: number } | null
}

/** Nothing is known about the current tree. */
const unjudged = { results: [], earlier: [], mustNot: [] }

const noRows = {
  promiseErrorsInRow: 0,
  doubt: null,
  unmetInRow: 0,
  unchangedInRow: 0,
  sameErrorInRow: 0,
  edited: null,
}

export const judgedPart = part(
  (): JudgedPart => ({ ...unjudged, durations: {}, approaches: [], failing: {}, advice: 'none', ...noRows }),
  {
    'promise.verified': verified,
    'checkpoint.taken': ({ unchangedInRow }, { data }, before) =>
      purposeOf(before, data.name) === 'after'
        ? { unchangedInRow: data.changes?.files === 0 ? unchangedInRow + 1 : 0 }
        : null,
    'loop.held': (_, { data }) => (data.reason === 'advice-wanted' ? { advice: 'taken' } : null),
    'run.started': () => ({ edited: null }),
    'run.ended': (_, { data }) => ({ edited: data.edited ?? null }),
    'run.lost': () => ({ edited: null }),
    // The results of the promise belong to another tree.
    'tree.restored': (_, __, { turn }) => (turn.outcome?.kind === 'completed' ? null : unjudged),
    // A person who resumes has seen the counts, so they start again.
    ...onResume<JudgedPart>(() => noRows),
  } satisfies On<JudgedPart>,
)

function verified(
  now: JudgedPart,
  { data }: RecordedOf<'promise.verified'>,
  before: State,
): Partial<JudgedPart> {
  const { iteration, results, mustNot = [] } = data
  const errors = [...results, ...mustNot].some(result => result.verdict === 'ERROR')
  const again = before.work.stage === 'boundary' // asked a second time about the same tree: counts nothing twice
  return {
    results,
    durations: {
      ...now.durations,
      ...Object.fromEntries(results.map(({ name, durationMs }) => [name, durationMs])),
    },
    mustNot,
    doubt: iteration === 0 ? (doubtIn(results) ?? null) : null,
    promiseErrorsInRow: errors ? now.promiseErrorsInRow + 1 : 0,
    failing: countFailing(now.failing, results),
    ...(iteration > 0 && !again && { earlier: now.results, ...failuresInRow(before, results) }),
  }
}

function doubtIn(results: CriterionResult[]): string | undefined {
  return results.find(({ doubt }) => doubt !== undefined)?.doubt
}

function failuresInRow(before: State, results: CriterionResult[]): Partial<JudgedPart> {
  if (unmet(results).length === 0) return { unmetInRow: 0, sameErrorInRow: 0, approaches: [], advice: 'none' }
  const { judged } = before
  const better = hasProgressed(judged.results, results, judged.failing)
  // Without a baseline the first result has nothing to be compared with.
  const isAlike = judged.results.length > 0 && sameUnmet(judged.results, results)
  const error = signatureOf(results)
  const same = judged.sameErrorInRow > 0 && error === signatureOf(judged.results)
  return {
    advice: better || judged.advice === 'none' ? 'due' : judged.advice,
    unmetInRow: better || !isAlike ? 0 : judged.unmetInRow + 1,
    sameErrorInRow: error === null ? 0 : same ? judged.sameErrorInRow + 1 : 1,
    approaches: better ? [] : [...judged.approaches, approach(before)].slice(-mostApproaches),
  }
}

const mostApproaches = 5

function approach({ work: { iteration, run }, tree: { changes } }: State): Approach {
  const end = run?.end
  const words = (end && 'said' in end && end.said) || end?.out.tail
  const said = words?.trim().split('\n').at(-1)?.trim() ?? ''
  return { iteration, changes, said: said.slice(0, 200) }
}
