/**
 * The second look at a promise that has passed while files that steer it were changed. Pure: from what was recorded,
 * what to do next.
 *
 *   tests gone, left out or fewer; forged fingerprints ────────▶ suspect
 *   tools changed ──▶ red ── PASS ▶ suspect · FAIL ▶ mixed
 *   packages changed ──▶ red ── PASS ▶ suspect · FAIL ▶ mixed · as before any agent ▶ go on
 *   calibrate: the tree as it was found, in a clean copy ──────▶ not its verdict? not checkable
 *   otherwise ──▶ green ── PASS ▶ sound
 *                  └─ FAIL twice ──▶ red ── PASS ▶ suspect · FAIL ▶ mixed
 *
 * Sound, mixed and not checkable let the loop complete; the last two are said. A first suspicion costs the agent one
 * more iteration, a second one asks a person.
 */
import type { Verdict } from '../../../model/loop/event.ts'
import type { SteeringChange } from '../../../model/loop/trust.ts'
import { fewerTests } from '../parts/doubts.ts'
import { type JudgedOnce, type Suspicion, type TrustLook, together } from '../parts/trust.ts'
import type { State } from '../state.ts'

/** The judgement of a passed promise that may have been steered; `sound` means that nothing is wrong. */
type Soundness = 'sound' | 'mixed' | 'not-checkable'

type SecondLook =
  | { look: Pick<TrustLook, 'which' | 'home'> }
  | { suspect: Pick<Suspicion, 'why' | 'files'> }
  | { is: Soundness }

export function secondLook(state: State): SecondLook {
  const { changed, isAccepted, baseline } = state.trust
  // A promise that passed before any agent ran cannot have been steered by one.
  if (isAccepted || (baseline && together(baseline) === 'PASS')) return { is: 'sound' }
  const gone = missingTests(state)
  if (gone) return { suspect: gone }
  // If the promise is `make check` and there was no Makefile, the agent has to write one.
  const isAsked = ({ how }: SteeringChange) => how === 'added' && state.trust.isToBeMade
  if (changed.every(isAsked)) return { is: 'sound' }
  // A copy has the tools and packages that are there now: with them the tree as it was found is the red check itself.
  if (changed.some(({ kind }) => kind === 'tool')) return byRed(state, 'own')
  if (changed.some(({ kind }) => kind === 'dependency') && !areAsBefore(state)) return byRed(state, 'own')
  if (changed.every(({ kind }) => kind === 'dependency')) return { is: 'sound' }
  const clean = calibrated(state)
  if (clean.is === 'open') return { look: { which: 'calibrate', home: clean.home } }
  if (clean.is === 'not-checkable') return { is: 'not-checkable' }
  // With the user's HOME, what was changed there is in every copy: green would prove nothing.
  const isOutside = clean.home === 'own' && changed.some(({ path }) => path.startsWith('/'))
  return isOutside ? byRed(state, clean.home) : byGreen(state, clean.home)
}

/** Who installs packages again changes files and nothing else: with the sources as they were, all is as it was. */
function areAsBefore({ trust }: State): boolean {
  return trust.looks.some(({ which, likeBaseline }) => which === 'red' && likeBaseline)
}

/** Tests that were there and are not, and tests that are not run any more. */
function missingTests(state: State): Pick<Suspicion, 'why' | 'files'> | null {
  const { changed, allowed, accepted } = state.trust
  const forged = changed.filter(({ how }) => how === 'forged')
  if (forged.length > 0) return { why: 'tools-changed', files: pathsOf(state) }
  const deleted = changed.filter(({ kind, how }) => kind === 'test' && how === 'deleted')
  if (deleted.length > 0) return { why: 'tests-deleted', files: deleted.map(({ path }) => path) }
  // Whoever lets the agent change such a file, or accepts it, accepts how many tests there are; it is said all the same.
  if (accepted.length > 0 || allowed.some(({ by }) => by === 'flag')) return null
  const isTouched = changed.length + allowed.length > 0
  const fewer = fewerTests(state.doubts).filter(({ kind }) => kind !== 'uncounted-tests' || !isTouched)
  return fewer.length > 0 ? { why: 'fewer-tests', files: responsible(state) } : null
}

/** Where no such file was changed, the product itself keeps tests from being run. */
function responsible(state: State): string[] {
  const files = [pathsOf(state), state.tree.paths, state.spec.criteria.map(({ name }) => name)]
  return files.find(paths => paths.length > 0) ?? []
}

function pathsOf({ trust }: State): string[] {
  return trust.changed.map(({ path }) => path)
}

type Calibration =
  | { is: 'open'; home: TrustLook['home'] }
  | { is: 'known'; home: TrustLook['home'] }
  | { is: 'not-checkable' }

/** A clean copy is trusted only if the tree that the loop found gets the same verdict there as it got in place. */
function calibrated({ trust }: State): Calibration {
  const found = trust.calibration.find(({ likeBaseline }) => likeBaseline)
  if (found) return { is: 'known', home: found.home }
  if (!trust.calibration.some(({ home }) => home === 'fresh')) return { is: 'open', home: 'fresh' }
  if (!trust.calibration.some(({ home }) => home === 'own')) return { is: 'open', home: 'own' }
  return { is: 'not-checkable' }
}

function byGreen(state: State, home: TrustLook['home']): SecondLook {
  const green = verdictsOf(state, 'green')
  if (green.includes('PASS')) return { is: 'sound' }
  return green.length < 2 ? { look: { which: 'green', home } } : byRed(state, home)
}

function byRed(state: State, home: TrustLook['home']): SecondLook {
  const [red] = verdictsOf(state, 'red')
  // What was changed outside of the tree is there only with the user's own HOME.
  const isOutside = state.trust.changed.some(({ path }) => path.startsWith('/'))
  if (red === undefined) return { look: { which: 'red', home: isOutside ? 'own' : home } }
  if (red !== 'PASS') return { is: 'mixed' }
  const isTool = state.trust.changed.some(({ kind }) => kind === 'tool' || kind === 'dependency')
  return { suspect: { why: isTool ? 'tools-changed' : 'steering-alone', files: pathsOf(state) } }
}

function verdictsOf({ trust }: State, which: TrustLook['which']): Verdict[] {
  return trust.looks.filter(look => look.which === which).map(({ verdict }) => verdict)
}

/** The current verdict is suspect, and nobody has accepted it. */
export function isSuspected({ trust, work }: State): boolean {
  return !trust.isAccepted && trust.suspicions.some(({ iteration }) => iteration === work.iteration)
}

/** A first suspicion costs the agent one more iteration, if it has one left; after that a person is asked. */
export function isSentBack(state: State): boolean {
  const { spec, work, trust } = state
  const isLeft = spec.maxIterations === null || work.iteration < spec.maxIterations
  return isLeft && trust.suspicions.length === 1 && isSuspected(state)
}

/** Passed, but with fewer tests than before any agent came, or without saying how many. */
export function isShort({ doubts }: State, results: readonly JudgedOnce[]): boolean {
  return results.some(({ name, total }) => {
    const before = doubts.tests[name]
    return before !== undefined && (total ?? 0) < before.baseline
  })
}

/** Without a baseline, a clean copy in which the promise does not pass is as good as can be. */
export function isLikeBaseline({ trust: { baseline } }: State, results: readonly JudgedOnce[]): boolean {
  if (baseline === null) return together(results) === 'FAIL'
  return baseline.every(before => {
    const now = results.find(({ name }) => name === before.name)
    return (
      now !== undefined &&
      now.verdict === before.verdict &&
      now.exitCode === before.exitCode &&
      now.failing === before.failing &&
      now.total === before.total
    )
  })
}

/** What a person is asked about a suspicion. */
export function suspectQuestion({ why, files }: Pick<Suspicion, 'why' | 'files'>): string {
  const named = files.slice(0, 10).join(', ')
  return why === 'fewer-tests'
    ? `the changes to ${named}, after which fewer tests run than before, are right`
    : `the changes to ${named}, by which the promise passes, are right`
}
