/**
 * The checks about tests. `red`: the suite passed, and new tests fail by assertion. `green`: all pass, with the
 * earlier tests unchanged and new code. `proof`: all pass, and the new tests fail by assertion with the old sources.
 * `pins`: new tests pass, and one of them detects a small change of the target.
 */
import { isTestFile } from '../../core/change.ts'
import {
  addsTests,
  type ChangedText,
  changedSteering,
  changedTests,
  holdsTests,
  isNewTest,
  isSource,
  isSubstantial,
  mutantsOf,
  newCode,
} from '../../core/check.ts'
import { failureWords } from '../../failures/words.ts'
import type { Result } from '../../model/failure.ts'
import {
  type CheckRequest,
  cannot,
  fails,
  holds,
  type Judgement,
  named,
  type StepCheck,
} from './judgement.ts'
import { isGreen, notByAssertion, notGreen, notGreenBefore, notNamed, runSuite, suiteIn } from './suite.ts'
import { targetFiles } from './target.ts'
import { type CheckWork, put } from './work.ts'

export const red: StepCheck = async ({ work, value }) => {
  const command = value('test') ?? ''
  const suite = await runSuite(work, command)
  if (work.before === null)
    return (
      notGreenBefore(suite, command) ??
      notNamed(suite, command) ??
      fails('The suite is green; there is no new test yet.')
    )
  const before = await greenBefore(work, command)
  if (before) return before
  const changed = await work.changes(work.before)
  if (!changed.ok) return cannot(failureWords(changed.failure))
  const touched = changedTests(changed.value, true)
  if (touched.length > 0) return fails(testsTouched(touched))
  const steered = changedSteering(changed.value)
  if (steered.length > 0) return fails(steeredWords(steered))
  if (suite.failing === null || suite.failing === 0)
    return fails(
      'No test fails. A new test has to fail now, by its assertion, because what it tests is not there yet.',
    )
  const wrong = notByAssertion(suite.failed, one => isNewTest(one, changed.value))
  if (wrong.length > 0) return fails(...wrong)
  if (suite.failed.length === 0)
    return fails('Tests fail, but the runner does not name them: run it with names.')
  return holds(`New tests fail by assertion: ${named(suite.failed.map(({ name }) => name))}.`)
}

/** Known from the baseline; otherwise the suite is run on the tree with which the step began. */
async function greenBefore(work: CheckWork, command: string): Promise<Judgement | null> {
  const { baseline, before } = work
  if (baseline?.verdict === 'FAIL' && baseline.failing === 0) return null
  if (before === null) return null
  const place = await work.copy(before)
  return place.ok
    ? notGreenBefore(await suiteIn(work, command, place.value), command)
    : cannot(failureWords(place.failure))
}

export const green: StepCheck = async ({ work, value }) => {
  const suite = await runSuite(work, value('test') ?? '')
  if (work.before === null) return fails('Nothing was done yet.')
  const changed = await work.changes(work.before)
  if (!changed.ok) return cannot(failureWords(changed.failure))
  const kept = notKept(changed.value, false)
  if (kept) return kept
  const problem = notGreen(suite, work.baseline)
  if (problem) return problem
  if (!changed.value.some(isCodeChange))
    return fails(
      'No code of the project was changed, outside of its tests. Spaces, comments and documents do not count.',
    )
  return holds(`All tests pass, and those that were there are unchanged.`)
}

/** Tests, or files that steer them, have changed. */
function notKept(changed: ChangedText[], mayGrow: boolean): Judgement | null {
  const touched = changedTests(changed, mayGrow)
  if (touched.length > 0) return fails(testsTouched(touched))
  const steered = changedSteering(changed)
  return steered.length > 0 ? fails(steeredWords(steered)) : null
}

function testsTouched(touched: readonly { path: string; after: string | null }[]): string {
  const gone = touched.filter(({ after }) => after === null).map(({ path }) => path)
  const edited = touched.filter(({ after }) => after !== null).map(({ path }) => path)
  const parts = [
    ...(gone.length > 0 ? [`deleted: ${named(gone)}`] : []),
    ...(edited.length > 0 ? [`changed: ${named(edited)}`] : []),
  ]
  return `Tests that were there must stay as they are; ${parts.join('; ')}. Put them back. A new test goes into a new file.`
}

function steeredWords(files: string[]): string {
  return `What decides how the tests run must stay as it is; changed: ${named(files)}. Put it back.`
}

/** Changed code of the project itself, not of its tests. */
export function isCodeChange({ path, before, after }: ChangedText): boolean {
  if (!isSource(path) || isTestFile(path)) return false
  const [old, now] = [before ?? '', after ?? '']
  return [...newCode(path, old, now), ...newCode(path, now, old)].some(isSubstantial)
}

export const proof: StepCheck = async asked => {
  const { work, value } = asked
  const command = value('test') ?? ''
  const suite = await runSuite(work, command)
  if (work.before === null) return fails('Nothing was done yet.')
  const trees = treesOf(asked)
  if (!trees.ok) return cannot(failureWords(trees.failure))
  const changed = await work.changes(trees.value.tests)
  if (!changed.ok) return cannot(failureWords(changed.failure))
  const problem = notKept(changed.value, true) ?? notGreen(suite, work.baseline)
  if (problem) return problem
  if (!addsTests(changed.value))
    return fails('There is no new test. What was mended needs a test that failed before.')
  const place = await work.copy(trees.value.sources, true)
  if (!place.ok) return cannot(failureWords(place.failure))
  put(
    place.value,
    changed.value.filter(one => isTestFile(one.path)).map(({ path, after }) => ({ path, text: after })),
  )
  const old = await suiteIn(work, command, place.value)
  const isNew = (one: (typeof old.failed)[number]) => isNewTest(one, changed.value)
  const proven = old.failed.filter(one => one.how === 'assertion' && isNew(one))
  if (proven.length > 0)
    return holds(
      `All tests pass. With the sources of before, these fail: ${named(proven.map(({ name }) => name))}.`,
    )
  if (isGreen(old))
    return fails('The new tests pass with the sources of before, too: they do not show what was mended.')
  return fails(
    'With the sources of before no new test fails by its assertion.',
    ...notByAssertion(old.failed, isNew),
  )
}

/** The tree whose sources are used, and the tree since which a test counts as new. */
function treesOf({ work, value }: CheckRequest): Result<{ sources: string; tests: string }> {
  const begin = (step: string | null) =>
    step === null ? { ok: true as const, value: work.before ?? '' } : work.beginOf(step)
  const [sources, tests] = [begin(value('since')), begin(value('new-since') ?? value('since'))]
  if (!sources.ok) return sources
  return tests.ok ? { ok: true, value: { sources: sources.value, tests: tests.value } } : tests
}

const mostMutants = 6

export const pins: StepCheck = async ({ work, value }) => {
  const command = value('test') ?? ''
  const suite = await runSuite(work, command)
  const target = value('target') ?? '.'
  if (work.before === null) {
    const none = targetFiles(work, target).length === 0
    if (none) return cannot(`There is no source at ${target}. Name a file or a directory: --set target=…`)
    return notGreenBefore(suite, command) ?? fails('The suite is green; there is no new test yet.')
  }
  const changed = await work.changes(work.before)
  if (!changed.ok) return cannot(failureWords(changed.failure))
  const edited = changed.value.filter(one => isCodeChange(one) && !holdsTests(one))
  if (edited.length > 0)
    return fails(
      `This step only writes tests; sources were changed: ${named(edited.map(({ path }) => path))}. Put them back.`,
    )
  const problem = notKept(changed.value, true) ?? notGreen(suite, work.baseline)
  if (problem) return problem
  if (!addsTests(changed.value)) return fails(`There is no new test for ${target}.`)
  return noticed({ work, value, values: () => [] }, changed.value)
}

/** Tries one small change of the target after another, until a new test fails by its assertion. */
async function noticed({ work, value }: CheckRequest, changed: ChangedText[]): Promise<Judgement> {
  const target = value('target') ?? '.'
  const place = await work.copy(work.now ?? '', true)
  if (!place.ok) return cannot(failureWords(place.failure))
  const mutants = mutantsOf(targetFiles(work, target), mostMutants)
  const tried: string[] = []
  for (const { path, line, text, says } of mutants) {
    put(place.value, [{ path, text }])
    const { failed } = await suiteIn(work, value('test') ?? '', place.value)
    put(place.value, [{ path, text: work.textOf(path) }])
    const noticing = failed.filter(one => one.how === 'assertion' && isNewTest(one, changed))
    if (noticing.length > 0)
      return holds(
        `All tests pass. Changed at ${path}:${line} (${says}), these fail: ${named(noticing.map(({ name }) => name))}.`,
      )
    tried.push(`${path}:${line}: ${says}`)
  }
  return fails(
    `No new test noticed a change of ${target}. Tried, each alone:`,
    ...tried.map(one => `  ${one}`),
  )
}
