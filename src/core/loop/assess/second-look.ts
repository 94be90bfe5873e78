/**
 * The second look at a promise that passed although files that steer it were changed. Pure: it decides the next step
 * from the recorded facts. "red": the changed steering files alone, on the sources that the loop found. "green": the
 * agent's sources alone, with the steering files that the loop found.
 *
 *   tests gone, left out or fewer; forged fingerprints ────────▶ suspect
 *   tools changed ──▶ red ── PASS ▶ suspect · FAIL ▶ mixed
 *   packages changed ──▶ red ── PASS ▶ suspect · FAIL ▶ mixed
 *   packages added, or changed in a copy ──▶ the same · red as before any agent ▶ go on
 *   calibrate: the tree as it was found, in a clean copy ──────▶ not its verdict? not checkable
 *   otherwise ──▶ green ── PASS ▶ sound
 *                  └─ FAIL twice, or as before any agent ──▶ red ── PASS ▶ suspect · FAIL ▶ mixed
 *
 * Sound, mixed and not checkable let the loop complete; the last two are said. A first suspicion costs the agent one
 * more iteration, a second one asks a person.
 */
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
  // A copy has the current tools and packages: with them, the tree that the loop found is the red check itself.
  if (changed.some(({ kind }) => kind === 'tool')) return byRed(state, 'own')
  const packages = changed.filter(({ kind }) => kind === 'dependency')
  if (packages.some(isPatched(state))) return byRed(state, 'own')
  if (packages.length > 0 && !areAsBefore(state)) return byRed(state, 'own')
  if (changed.every(({ kind }) => kind === 'dependency')) return { is: 'sound' }
  const clean = calibrated(state)
  if (clean.is === 'open') return { look: { which: 'calibrate', home: clean.home } }
  if (clean.is === 'not-checkable') return { is: 'not-checkable' }
  // With the user's HOME, a change in that directory is in every copy: green would prove nothing.
  const isOutside = clean.home === 'own' && changed.some(({ path }) => path.startsWith('/'))
  return isOutside ? byRed(state, clean.home) : byGreen(state, clean.home)
}

/**
 * A package with another content can be made to be kind to the new sources alone, and the old one is not there any more
 * to try them with. What is changed in a copy stays there: the promise is run again in the tree.
 */
function isPatched({ spec }: State): (change: SteeringChange) => boolean {
  return ({ how }) => how === 'changed' && spec.copy === undefined
}

/** A new package that changes nothing for the sources as they were does not judge the work. */
function areAsBefore({ trust }: State): boolean {
  return trust.looks.some(({ which, likeBaseline }) => which === 'red' && likeBaseline)
}

/** Deleted tests, and tests that no longer run. */
function missingTests(state: State): Pick<Suspicion, 'why' | 'files'> | null {
  const { changed, allowed, accepted } = state.trust
  const forged = changed.filter(({ how }) => how === 'forged')
  if (forged.length > 0) return { why: 'tools-changed', files: pathsOf(state) }
  const deleted = changed.filter(({ kind, how }) => kind === 'test' && how === 'deleted')
  if (deleted.length > 0) return { why: 'tests-deleted', files: deleted.map(({ path }) => path) }
  // A user who allowed or accepted a change of such a file accepts the number of tests too; the receipt still mentions
  // it.
  if (accepted.length > 0 || allowed.some(({ by }) => by === 'flag')) return null
  const isTouched = changed.length + allowed.length > 0
  const fewer = fewerTests(state.doubts).filter(({ kind }) => kind !== 'uncounted-tests' || !isTouched)
  return fewer.length > 0 ? { why: 'fewer-tests', files: responsible(state) } : null
}

/** If no steering file was changed, the product itself prevents tests from running. */
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
  const green = state.trust.looks.filter(({ which }) => which === 'green')
  if (green.some(({ verdict }) => verdict === 'PASS')) return { is: 'sound' }
  // A test that fails now and then shows another error than the one the work was to mend.
  const isCertain = green.length > 1 || green.some(({ sameFailure }) => sameFailure)
  return isCertain ? byRed(state, home) : { look: { which: 'green', home } }
}

function byRed(state: State, home: TrustLook['home']): SecondLook {
  const red = state.trust.looks.find(({ which }) => which === 'red')
  // A change outside of the tree is visible only with the user's own HOME.
  const isOutside = state.trust.changed.some(({ path }) => path.startsWith('/'))
  if (red === undefined) return { look: { which: 'red', home: isOutside ? 'own' : home } }
  if (!passesBySteering(state, red)) return { is: 'mixed' }
  const isTool = state.trust.changed.some(({ kind }) => kind === 'tool' || kind === 'dependency')
  return { suspect: { why: isTool ? 'tools-changed' : 'steering-alone', files: pathsOf(state) } }
}

/** Of several criteria one is enough: honest work on the others does not make up for it. */
function passesBySteering(state: State, { verdict, met = [] }: TrustLook): boolean {
  return verdict === 'PASS' || notMetByWork(state).some(name => met.includes(name))
}

/** The criteria that the sources alone do not meet; without a look at those, the ones that were not met before. */
function notMetByWork({ trust: { looks, baseline }, spec }: State): string[] {
  const green = looks.findLast(({ which }) => which === 'green')
  const met = green
    ? green.met
    : baseline?.filter(({ verdict }) => verdict === 'PASS').map(({ name }) => name)
  return met ? spec.criteria.flatMap(({ name }) => (met.includes(name) ? [] : name)) : []
}

/** The current verdict is suspect, and nobody has accepted it. */
export function isSuspected({ trust, work }: State): boolean {
  return !trust.isAccepted && trust.suspicions.some(({ iteration }) => iteration === work.iteration)
}

/** What the current verdict is suspected of; null: nothing, or it was accepted. */
export function suspicionOf(state: State): Pick<Suspicion, 'why' | 'files'> | null {
  if (!isSuspected(state)) return null
  const seen = secondLook(state)
  return 'suspect' in seen ? seen.suspect : null
}

/** A first suspicion costs the agent one more iteration, if it has one left; after that a person is asked. */
export function isSentBack(state: State): boolean {
  const { spec, work, trust } = state
  const isLeft = spec.maxIterations === null || work.iteration < spec.maxIterations
  return isLeft && trust.suspicions.length === 1 && isSuspected(state)
}

/** True if the criterion passed with fewer tests than at the baseline, or no longer prints a number of tests. */
export function isShort({ doubts }: State, { name, total }: JudgedOnce): boolean {
  const before = doubts.tests[name]
  return before !== undefined && (total ?? 0) < before.baseline
}

/** Without a baseline, a clean copy in which the promise fails is all that can be expected. */
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

/** The same commands fail with the same errors as before any agent came. Without a printed error nobody can tell. */
export function isSameFailure(state: State, results: readonly JudgedOnce[]): boolean {
  const { baseline } = state.trust
  if (baseline === null || !isLikeBaseline(state, results)) return false
  const failed = results.filter(({ verdict }) => verdict !== 'PASS')
  return failed.every(({ name, signature }) => {
    const before = baseline.find(one => one.name === name)
    return signature !== null && signature === before?.signature
  })
}

/** The question to a person about a suspicion. */
export function suspectQuestion({ why, files }: Pick<Suspicion, 'why' | 'files'>): string {
  const named = files.slice(0, 10).join(', ')
  return why === 'fewer-tests'
    ? `the changes to ${named}, after which fewer tests run than before, are right`
    : `the changes to ${named}, by which the promise passes, are right`
}
