/**
 * Whether a promise passed by the work or by the files that steer it: tests, settings and tools that differ
 * from what the loop found, and the results of running the promise again in clean copies. It records and never
 * judges; the rules are core/loop/assess/second-look.
 */
import type { CriterionResult, EventOf, Verdict } from '../../../model/loop/event.ts'
import type { SteeringChange } from '../../../model/loop/trust.ts'
import type { State } from '../state.ts'
import { isBeingAdvised, type On, part } from './part.ts'
import { purposeOf } from './tree.ts'

export type TrustLook = Omit<EventOf<'look.taken'>['data'], 'iteration'>
export type Suspicion = EventOf<'suspicion.raised'>['data']

export type TrustPart = {
  /** The results before any agent ran; null if there was no baseline. */
  baseline: JudgedOnce[] | null
  /** The steering files that had changed when the newest verdict passed. */
  changed: SteeringChange[]
  /** The same for files that `--allow` names. */
  allowed: string[]
  /** How many files of the work itself had changed then; null: that was not looked at. */
  product: number | null
  /** There were more changed files that steer it than `changed` lists. */
  isCut: boolean
  /** The files of the work that keep a tool of the promise from looking. */
  silenced: string[]
  /** Caches or build outputs were written before the newest verdict: it may have believed them. */
  hasLeftovers: boolean
  /** How long the newest verdict took. */
  tookMs: number
  /** The promise could not run before any agent: the agent has to create what it needs. */
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
  /** The result of the hold-out for the current verdict. */
  holdout: Pick<CriterionResult, 'verdict' | 'why'> | null
  /** A person wants more work after the hold-out has failed. */
  isHeldBack: boolean
  /** A person has said that the verdict at hand counts. */
  isAccepted: boolean
  /** The files whose changes a person has accepted so far. */
  accepted: string[]
}

const unseen = {
  changed: [],
  allowed: [],
  product: null,
  isCut: false,
  silenced: [],
  hasLeftovers: false,
  tookMs: 0,
  looks: [],
  holdout: null,
}
/** What is known of the tree that everything is compared with: of one that a person has accepted, nothing yet. */
const unknown = { baseline: null, calibration: [] }
/** The state after more work: earlier results were about another tree. */
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
    'promise.verified': (_, { data }) => {
      const { iteration, results, steered = [], allowed = [], product = null, silenced = [] } = data
      if (iteration > 0) {
        const { isCut = false, hasLeftovers = false } = data
        const found = { changed: steered, allowed, product, silenced, isCut, hasLeftovers }
        return { ...unseen, ...found, tookMs: durationOf(results) }
      }
      return {
        ...unseen,
        baseline: results.map(judgedOnce),
        isToBeMade: results.some(({ doubt }) => doubt !== undefined),
      }
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
    // A person who resumes the loop accepts the tree: from now on it is the reference. Not a pass that may be steered:
    // that is accepted by an answer only.
    'loop.resumed': ({ holdout, isHeldBack: was }, { data }, before) => {
      if (data.stays || isBeingAdvised(before)) return null
      const isHeldBack = was || holdout?.verdict === 'FAIL'
      return isSteered(before) ? { isHeldBack } : { ...anew, ...unknown, isHeldBack }
    },
    'checkpoint.taken': (_, { data }, before) =>
      purposeOf(before, data.name) === 'reference' && before.work.iteration > 0 ? unknown : null,
    'tree.restored': () => anew,
  } satisfies On<TrustPart>,
)

/**
 * The verdict at hand passed after files that steer it had changed, and nobody has accepted that. A pause because of
 * protected files names them, so whoever resumes accepts these.
 */
export function isSteered({ trust, work, turn, tree }: State): boolean {
  const { isAccepted, changed, suspicions } = trust
  const told = turn.hold?.reason === 'protected-changed' ? tree.touched : []
  const isOpen = changed.some(({ path }) => !told.includes(path))
  return !isAccepted && (isOpen || suspicions.some(({ iteration }) => iteration === work.iteration))
}

function durationOf(results: readonly CriterionResult[]): number {
  return results.reduce((sum, { durationMs }) => sum + durationMs, 0)
}

/** The part of a result that tells whether another run had the same outcome. */
export type JudgedOnce = Pick<CriterionResult, 'name' | 'verdict' | 'exitCode' | 'failing'> & {
  total: number | null
  skipped: number
  signature: string | null
}

export function judgedOnce(result: CriterionResult): JudgedOnce {
  const { name, verdict, exitCode, failing, total = null, skipped = 0, signature = null } = result
  return { name, verdict, exitCode, failing, total, skipped, signature }
}

/** The combined verdict of several commands. */
export function together(results: readonly { verdict: Verdict }[]): Verdict {
  if (results.every(({ verdict }) => verdict === 'PASS')) return 'PASS'
  return results.some(({ verdict }) => verdict === 'ERROR') ? 'ERROR' : 'FAIL'
}
