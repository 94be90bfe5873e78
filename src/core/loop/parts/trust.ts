/**
 * Whether a promise passed by the work or by the files that steer it: tests, settings and tools that differ
 * from what the loop found, and the results of running the promise again in clean copies. It records and never
 * judges; the rules are core/loop/assess/second-look.
 */
import type { CriterionResult, EventOf, Verdict } from '../../../model/loop/event.ts'
import type { SteeringAllowed, SteeringChange } from '../../../model/loop/trust.ts'
import { type On, part } from './part.ts'

export type TrustLook = Omit<EventOf<'look.taken'>['data'], 'iteration'>
export type Suspicion = EventOf<'suspicion.raised'>['data']

export type TrustPart = {
  /** The results before any agent ran; null if there was no baseline. */
  baseline: JudgedOnce[] | null
  /** The steering files that had changed when the newest verdict passed. */
  changed: SteeringChange[]
  /** Files that steer it too, which the user lets the agent change. */
  allowed: SteeringAllowed[]
  /** The promise could not work before any agent: what it needs has to be made. */
  isToBeMade: boolean
  /** The repeated runs for that verdict, in order. */
  looks: TrustLook[]
  /**
   * The repeated runs in the tree that the loop found: they show what a clean copy is worth, as long as that
   * tree is the reference.
   */
  calibration: TrustLook[]
  /** All suspicions so far; the newest can concern the current verdict. */
  suspicions: Suspicion[]
  /** What the hold-out said of the verdict at hand. */
  holdout: Pick<CriterionResult, 'verdict' | 'why'> | null
  /** A person wants more work after the hold-out has failed. */
  isHeldBack: boolean
  /** A person has said that the verdict at hand counts. */
  isAccepted: boolean
  /** The files whose changes a person has accepted so far. */
  accepted: string[]
}

const unseen = { changed: [], allowed: [], looks: [], holdout: null }
/** After more work, all of it was said of another tree. */
const anew = { ...unseen, isAccepted: false, isHeldBack: false }

export const trustPart = part(
  (): TrustPart => ({
    ...anew,
    baseline: null,
    isToBeMade: false,
    calibration: [],
    suspicions: [],
    accepted: [],
  }),
  {
    'run.started': () => anew,
    'session.claimed': () => anew,
    'promise.verified': (_, { data: { iteration, results, steered = [], allowed = [] } }) =>
      iteration > 0
        ? { ...unseen, changed: steered, allowed }
        : {
            ...unseen,
            baseline: results.map(judgedOnce),
            isToBeMade: results.some(({ doubt }) => doubt !== undefined),
          },
    'look.taken': ({ looks, calibration }, { data }) => {
      const { iteration: _, ...look } = data
      return look.which === 'calibrate'
        ? { calibration: [...calibration, look] }
        : { looks: [...looks, look] }
    },
    'holdout.judged': (_, { data: { result } }) => ({
      holdout: { verdict: result.verdict, why: result.why },
    }),
    'suspicion.raised': ({ suspicions }, { data }) => ({ suspicions: [...suspicions, data] }),
    'question.answered': ({ accepted, changed, suspicions }, { data }) => {
      if (!data.suspect || !data.met) return null
      const files = [...changed.map(({ path }) => path), ...(suspicions.at(-1)?.files ?? [])]
      return { isAccepted: true, accepted: [...new Set([...accepted, ...files])] }
    },
    // Who resumes accepts the tree as it is: from here on it is compared with that.
    'loop.resumed': ({ holdout, isHeldBack }, { data }) =>
      data.stays ? null : { ...anew, calibration: [], isHeldBack: isHeldBack || holdout?.verdict === 'FAIL' },
    'tree.restored': () => anew,
  } satisfies On<TrustPart>,
)

/** The part of a result that tells whether another run had the same outcome. */
export type JudgedOnce = Pick<CriterionResult, 'name' | 'verdict' | 'exitCode' | 'failing'> & {
  total: number | null
  signature: string | null
}

export function judgedOnce(result: CriterionResult): JudgedOnce {
  const { name, verdict, exitCode, failing, total = null, signature = null } = result
  return { name, verdict, exitCode, failing, total, signature }
}

/** The combined verdict of several commands. */
export function together(results: readonly { verdict: Verdict }[]): Verdict {
  if (results.every(({ verdict }) => verdict === 'PASS')) return 'PASS'
  return results.some(({ verdict }) => verdict === 'ERROR') ? 'ERROR' : 'FAIL'
}
