/**
 * What loop has found out about the work: the verdicts of the promise, and what is counted in a row. Counting is
 * recording; what a count means is core/loop/breaker's and core/loop/decide's business.
 */
import type { Changes, CriterionResult } from '../../../model/loop/event.ts'
import { countFailing, type Failing, hasProgressed, sameUnmet, signatureOf, unmet } from '../progress.ts'
import type { State } from '../state.ts'
import { type On, onResume, part, type RecordedOf } from './part.ts'
import { purposeOf } from './tree.ts'

/** What an iteration did that did not help: its changes, and the last thing its agent said. */
export type Approach = { iteration: number; changes: Changes | null; said: string }

export type JudgedPart = {
  results: CriterionResult[]
  /** What the promise said before the last iteration, to compare with. */
  earlier: CriterionResult[]
  /** How long each command took when it was last run. */
  durations: Record<string, number>
  /** What was found of the forbidden things when the promise was last run. */
  mustNot: CriterionResult[]
  promiseErrorsInRow: number
  /** Why the promise may never work, as the baseline showed; null once somebody wants to go on all the same. */
  doubt: string | null
  /** Iterations in a row that left the same criteria unmet and made nothing better, compared with what was before. */
  unmetInRow: number
  /** Iterations in a row that changed no file; not counted where changes are not known. */
  unchangedInRow: number
  /** Iterations in a row whose failure comes down to the same error. */
  sameErrorInRow: number
  /** What the last iteration that failed tried, and those before it, newest last; since the last progress. */
  approaches: Approach[]
  /** The failing tests so far, by criterion. */
  failing: Record<string, Failing>
  /** The file the last run edited most often, where the agent says so. */
  edited: { path: string; times: number } | null
}

/** Nothing is known of the tree as it is. */
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
  (): JudgedPart => ({ ...unjudged, durations: {}, approaches: [], failing: {}, ...noRows }),
  {
    'promise.verified': verified,
    'checkpoint.taken': ({ unchangedInRow }, { data }, before) =>
      purposeOf(before, data.name) === 'after'
        ? { unchangedInRow: data.changes?.files === 0 ? unchangedInRow + 1 : 0 }
        : null,
    'run.started': () => ({ edited: null }),
    'run.ended': (_, { data }) => ({ edited: data.edited ?? null }),
    'run.lost': () => ({ edited: null }),
    // What the promise said of another tree is no longer known.
    'tree.restored': (_, __, { turn }) => (turn.outcome?.kind === 'completed' ? null : unjudged),
    // Who resumes has seen how often it was.
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
  if (unmet(results).length === 0) return { unmetInRow: 0, sameErrorInRow: 0, approaches: [] }
  const { judged } = before
  const better = hasProgressed(judged.results, results, judged.failing)
  // Without a baseline there is nothing the first one could be compared with.
  const isAlike = judged.results.length > 0 && sameUnmet(judged.results, results)
  const error = signatureOf(results)
  const same = judged.sameErrorInRow > 0 && error === signatureOf(judged.results)
  return {
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
