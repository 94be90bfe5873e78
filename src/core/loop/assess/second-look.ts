/**
 * The second look at a promise that passed. Pure: it decides the next step from the recorded facts. "green": the work
 * alone, with everything that judges it as the loop found it, in a clean copy. "red": the judging side alone, on the work
 * that the loop found. "calibrate": the tree as the loop found it.
 *
 *   only the work changed ──▶ the promise is long: sound as it is · else green ── FAIL twice ▶ only-here
 *   the agent wrote what checks it ────────────────────────────▶ self-made
 *   nothing of the work changed ───────────────────────────────▶ suspect
 *   tools or packages changed (they are in every copy) ──▶ red ── PASS ▶ suspect · FAIL ▶ mixed
 *   green ── PASS ▶ verified
 *     └─ FAIL ──▶ calibrate ── another verdict than in place ▶ the other HOME, then not checkable
 *                   └─▶ green again ── PASS ▶ unsteady
 *                          └─ FAIL ──▶ red ── PASS ▶ suspect · FAIL ▶ mixed
 *
 * A green that fails with the same error as before any agent came is not repeated. All ends but suspect let the loop
 * complete; all but sound and verified are said. A suspicion about files that the prompt names is only said. The first
 * suspicion costs the agent one more iteration, the second one asks a person.
 */
import type { SteeringChange } from '../../../model/loop/trust.ts'
import { fewerTests } from '../parts/doubts.ts'
import { type JudgedOnce, type Suspicion, type TrustLook, together } from '../parts/trust.ts'
import type { State } from '../state.ts'

/**
 * The judgement of a passed promise. `sound`: nothing is wrong. `verified`: it passed again in a clean copy. `unclean`:
 * only the work changed, and no clean copy can tell. The others: see `steered` in views/words/doubt.
 */
export type Soundness =
  | 'sound'
  | 'verified'
  | 'unclean'
  | 'mixed'
  | 'not-checkable'
  | 'unsteady'
  | 'unchanged'
  | 'only-here'
  | 'self-made'
  | 'named'
  | 'silenced'
  | 'piped'

type SecondLook =
  | { look: Pick<TrustLook, 'which' | 'home'> }
  | { suspect: Pick<Suspicion, 'why' | 'files'> }
  | { is: Soundness }

/** A promise that took longer is not run again if only the work changed, and nothing was left that it may believe. */
const longMs = 2_000

export function secondLook(state: State): SecondLook {
  const { isAccepted, silenced } = state.trust
  if (isAccepted) return { is: 'sound' }
  const seen = bySides(state)
  if (!('is' in seen) || !['sound', 'verified', 'unclean'].includes(seen.is)) return seen
  if (silenced.length > 0) return { is: 'silenced' }
  return failedInPipe(state).length > 0 ? { is: 'piped' } : seen
}

/** The criteria in which a command before a pipe failed, although the last one of the pipe passed. */
export function failedInPipe({ judged }: State): string[] {
  return judged.results.flatMap(({ name, verdict, piped }) =>
    verdict === 'PASS' && piped !== undefined ? name : [],
  )
}

function bySides(state: State): SecondLook {
  const { changed, product, calibration, isCut } = state.trust
  if (changed.some(({ how }) => how === 'forged')) return suspectOf(state, 'tools-changed')
  if (changed.length === 0) return ofWorkAlone(state)
  // More files than are written down: a copy could not have all of them as they were.
  if (isCut) return { is: 'not-checkable' }
  if (changed.every(isSelfMade(state))) return { is: 'self-made' }
  if (product === 0 && !passedBefore(state) && !changed.some(({ looked }) => looked)) {
    // Without a baseline nobody knows yet whether it passed before.
    if (state.trust.baseline === null && calibration.length === 0)
      return lookAt('calibrate', firstHome(state))
    if (state.trust.allowed.length === 0) return lowered(state, whyOf(state))
  }
  if (product === 0 && passedBefore(state) && state.trust.baseline === null) return { is: 'sound' }
  // A copy has the current tools and packages: with them, the tree that the loop found is the red check itself.
  if (changed.some(({ kind }) => kind === 'tool')) return byRed(state, 'own')
  const packages = changed.filter(({ kind }) => kind === 'dependency')
  if (packages.some(isPatched(state))) return byRed(state, 'own')
  if (packages.length > 0 && !areAsBefore(state)) return byRed(state, 'own')
  if (changed.every(({ kind }) => kind === 'dependency')) return { is: 'sound' }
  return byGreen(state)
}

/** A promise that passed before any agent ran; without a baseline the tree that the loop found tells. */
function passedBefore({ trust: { baseline, calibration } }: State): boolean {
  return baseline ? together(baseline) === 'PASS' : calibration.some(({ verdict }) => verdict === 'PASS')
}

/** The agent wrote what the promise runs: it was missing when the loop began. */
function isSelfMade({ trust }: State): (change: SteeringChange) => boolean {
  const isMissing =
    trust.isToBeMade || trust.changed.some(({ how, kind }) => how === 'added' && kind === 'script')
  return ({ how }) => how === 'added' && isMissing
}

function ofWorkAlone(state: State): SecondLook {
  const { doubts, trust } = state
  const isAllowed = trust.accepted.length + trust.allowed.length > 0
  const fewer = isAllowed ? [] : fewerTests(doubts)
  if (fewer.length > 0 && !passedBefore(state)) return suspectOf(state, 'fewer-tests')
  if (trust.product === null) return { is: 'sound' }
  const isUnchanged = trust.product === 0
  if (isUnchanged && (trust.baseline === null || passedBefore(state))) return { is: 'sound' }
  const isLong = trust.tookMs > longMs && !trust.hasLeftovers
  if (isOwnCheck(state) || (!isUnchanged && isLong)) return { is: 'sound' }
  const seen = byGreen(state)
  // Nothing that judges was changed, so there is nothing to try alone: what passes here is in no checkpoint.
  if ('look' in seen) return seen.look.which === 'red' ? { is: 'only-here' } : seen
  if (!('is' in seen)) return seen
  // It failed before, nothing was changed, and it passes: by chance, or by a repository that moved on.
  if (isUnchanged) return seen.is === 'verified' ? { is: 'unchanged' } : seen
  return seen.is === 'not-checkable' ? { is: 'unclean' } : seen
}

/** `loop check` compares the tree with the journal itself, and cannot do so in a copy. */
function isOwnCheck({ spec }: State): boolean {
  return spec.criteria.some(({ command }) => /(?:LOOP_PROGRAM\}?"?|\bloop)\s+check\s/.test(command ?? ''))
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

function whyOf(state: State): Suspicion['why'] {
  const { changed } = state.trust
  if (changed.some(({ kind }) => kind === 'tool' || kind === 'dependency')) return 'tools-changed'
  if (changed.every(({ kind, how }) => kind === 'test' && how === 'deleted')) return 'tests-deleted'
  // A runner that no longer says how many tests it ran may have been replaced.
  const isFewer = fewerTests(state.doubts).some(({ kind }) => kind !== 'uncounted-tests')
  return isFewer ? 'fewer-tests' : 'steering-alone'
}

/**
 * A suspicion about files that the user named is a note: whoever asks for such a change has to read it. So is one about
 * files that may as well be the work.
 */
function lowered(state: State, why: Suspicion['why']): SecondLook {
  const { changed } = state.trust
  if (changed.every(({ named }) => named)) return { is: 'named' }
  return changed.every(({ named, unsure }) => named || unsure) ? { is: 'mixed' } : suspectOf(state, why)
}

function suspectOf(state: State, why: Suspicion['why']): SecondLook {
  const named = [pathsOf(state), state.tree.paths, state.spec.criteria.map(({ name }) => name)]
  return { suspect: { why, files: named.find(paths => paths.length > 0) ?? [] } }
}

function pathsOf({ trust }: State): string[] {
  return trust.changed.map(({ path }) => path)
}

function lookAt(which: TrustLook['which'], home: TrustLook['home']): SecondLook {
  return { look: { which, home } }
}

/** The user's own HOME, unless something outside of the tree was changed: then an empty one. */
function firstHome({ trust }: State): TrustLook['home'] {
  return trust.changed.some(({ path }) => path.startsWith('/')) ? 'fresh' : 'own'
}

type Calibration =
  | { is: 'open'; home: TrustLook['home'] }
  | { is: 'known'; home: TrustLook['home'] }
  | { is: 'not-checkable' }

/** A clean copy is believed only if the tree that the loop found gets the same verdict there as it got in place. */
function calibrated(state: State): Calibration {
  const { calibration } = state.trust
  const found = calibration.find(({ likeBaseline }) => likeBaseline)
  if (found) return { is: 'known', home: found.home }
  const first = firstHome(state)
  const homes = [first, first === 'own' ? 'fresh' : 'own'] as const
  const open = homes.find(home => !calibration.some(look => look.home === home))
  return open ? { is: 'open', home: open } : { is: 'not-checkable' }
}

function byGreen(state: State): SecondLook {
  const clean = calibrated(state)
  const home = clean.is === 'known' ? clean.home : firstHome(state)
  const green = state.trust.looks.filter(look => look.which === 'green' && look.home === home)
  const [first] = green
  if (first === undefined) return lookAt('green', home)
  if (first.verdict === 'PASS') return { is: 'verified' }
  if (first.verdict === 'ERROR') return { is: 'not-checkable' }
  if (green.some(({ verdict }) => verdict === 'PASS')) return { is: 'unsteady' }
  if (clean.is === 'open') return lookAt('calibrate', clean.home)
  if (clean.is === 'not-checkable') return { is: 'not-checkable' }
  // With the user's HOME, a change in that directory is in every copy: green would prove nothing.
  const isOutside = home === 'own' && state.trust.changed.some(({ path }) => path.startsWith('/'))
  if (green.some(({ fewer }) => fewer) && !isOutside) return lowered(state, 'fewer-tests')
  // A test that fails now and then shows another error than the one the work was to fix.
  const isCertain = isOutside || green.length > 1 || green.some(({ sameFailure }) => sameFailure)
  return isCertain ? byRed(state, home) : lookAt('green', home)
}

function byRed(state: State, home: TrustLook['home']): SecondLook {
  const red = state.trust.looks.find(({ which }) => which === 'red')
  // A change outside of the tree is visible only with the user's own HOME.
  const isOutside = state.trust.changed.some(({ path }) => path.startsWith('/'))
  if (red === undefined) return lookAt('red', isOutside ? 'own' : home)
  if (!passesBySteering(state, red)) return { is: 'mixed' }
  const isTool = state.trust.changed.some(({ kind }) => kind === 'tool' || kind === 'dependency')
  return lowered(state, isTool ? 'tools-changed' : 'steering-alone')
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

/**
 * Whether the loop takes its looks itself. Whoever pauses a loop that passes by nothing but its work wants its end, not
 * another run.
 */
export function isLookedAt({ spec, turn, trust }: State): boolean {
  return spec.secondLook !== 'by-group' && !(turn.hold && trust.changed.length === 0)
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

/** True if it passed with fewer tests than at the baseline, with more skipped, or no longer prints their number. */
export function isShort({ doubts }: State, { name, total, skipped }: JudgedOnce): boolean {
  const before = doubts.tests[name]
  return before !== undefined && ((total ?? 0) < before.baseline || skipped > before.skippedBefore)
}

/** The old tests are more than those that ran in the tree, where a file of them was changed to please a linter. */
export function hasLostTests({ judged, trust }: State, { name, total }: JudgedOnce): boolean {
  const now = judged.results.find(one => one.name === name)?.total ?? 0
  return trust.changed.some(({ looked }) => looked) && (total ?? 0) > now
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
