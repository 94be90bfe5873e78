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
import type { FailedTest } from '../../core/text/runner.ts'
import { failedTests, failingCount, testTotal } from '../../core/text/test-output.ts'
import { allOf, type Result } from '../../model/failure.ts'
import { someOf } from '../../model/units.ts'
import { write } from '../terminal.ts'
import {
  type CheckRequest,
  type CheckWork,
  cannot,
  fails,
  holds,
  type Judged,
  type Judgement,
  put,
  type Ran,
  type StepCheck,
  targetFiles,
} from './work.ts'

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
  if (!changed.ok) return changed
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
  return holds(`New tests fail by assertion: ${someOf(suite.failed.map(({ name }) => name))}.`)
}

/** Known from the baseline; otherwise the suite is run on the tree with which the step began. */
async function greenBefore(work: CheckWork, command: string): Promise<Judged | null> {
  const { baseline, before } = work
  if (baseline?.verdict === 'FAIL' && baseline.failing === 0) return null
  if (before === null) return null
  const place = await work.copy(before)
  return place.ok ? notGreenBefore(await suiteIn(work, command, place.value), command) : place
}

export const green: StepCheck = async ({ work, value }) => {
  const suite = await runSuite(work, value('test') ?? '')
  if (work.before === null) return fails('Nothing was done yet.')
  const changed = await work.changes(work.before)
  if (!changed.ok) return changed
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
    ...(gone.length > 0 ? [`deleted: ${someOf(gone)}`] : []),
    ...(edited.length > 0 ? [`changed: ${someOf(edited)}`] : []),
  ]
  return `Tests that were there must stay as they are; ${parts.join('; ')}. Put them back. A new test goes into a new file.`
}

function steeredWords(files: string[]): string {
  return `What decides how the tests run must stay as it is; changed: ${someOf(files)}. Put it back.`
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
  if (!trees.ok) return trees
  const changed = await work.changes(trees.value.tests)
  if (!changed.ok) return changed
  const problem = notKept(changed.value, true) ?? notGreen(suite, work.baseline)
  if (problem) return problem
  if (!addsTests(changed.value))
    return fails('There is no new test. What was mended needs a test that failed before.')
  const place = await work.copy(trees.value.sources, true)
  if (!place.ok) return place
  put(
    place.value,
    changed.value.filter(one => isTestFile(one.path)).map(({ path, after }) => ({ path, text: after })),
  )
  const old = await suiteIn(work, command, place.value)
  const isNew = (one: (typeof old.failed)[number]) => isNewTest(one, changed.value)
  const proven = old.failed.filter(one => one.how === 'assertion' && isNew(one))
  if (proven.length > 0)
    return holds(
      `All tests pass. With the sources of before, these fail: ${someOf(proven.map(({ name }) => name))}.`,
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
  return allOf({
    sources: work.since(value('since')),
    tests: work.since(value('new-since') ?? value('since')),
  })
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
  if (!changed.ok) return changed
  const edited = changed.value.filter(one => isCodeChange(one) && !holdsTests(one))
  if (edited.length > 0)
    return fails(
      `This step only writes tests; sources were changed: ${someOf(edited.map(({ path }) => path))}. Put them back.`,
    )
  const problem = notKept(changed.value, true) ?? notGreen(suite, work.baseline)
  if (problem) return problem
  if (!addsTests(changed.value)) return fails(`There is no new test for ${target}.`)
  return noticed({ work, value, values: () => [] }, changed.value)
}

/** Tries one small change of the target after another, until a new test fails by its assertion. */
async function noticed({ work, value }: CheckRequest, changed: ChangedText[]): Promise<Judged> {
  const target = value('target') ?? '.'
  const place = await work.copy(work.now ?? '', true)
  if (!place.ok) return place
  const mutants = mutantsOf(targetFiles(work, target), mostMutants)
  const tried: string[] = []
  for (const { path, line, text, says } of mutants) {
    put(place.value, [{ path, text }])
    const { failed } = await suiteIn(work, value('test') ?? '', place.value)
    put(place.value, [{ path, text: work.textOf(path) }])
    const noticing = failed.filter(one => one.how === 'assertion' && isNewTest(one, changed))
    if (noticing.length > 0)
      return holds(
        `All tests pass. Changed at ${path}:${line} (${says}), these fail: ${someOf(noticing.map(({ name }) => name))}.`,
      )
    tried.push(`${path}:${line}: ${says}`)
  }
  return fails(
    `No new test noticed a change of ${target}. Tried, each alone:`,
    ...tried.map(one => `  ${one}`),
  )
}

type Suite = Ran & {
  /** Null if no known test runner printed the output. */
  failing: number | null
  total: number | null
  failed: FailedTest[]
  /** Whether failed tests are known by name from this runner; otherwise `failed` is always empty. */
  isNamed: boolean
}

const shownBytes = 30_000

/** Runs in the tree; its output becomes that of the promise. */
async function runSuite(work: CheckWork, command: string): Promise<Suite> {
  const suite = await suiteIn(work, command, work.tree)
  const { output } = suite
  write(1, output.length > shownBytes ? `…\n${output.slice(-shownBytes)}` : output)
  if (!output.endsWith('\n')) write(1, '\n')
  return suite
}

async function suiteIn(work: CheckWork, command: string, place: string): Promise<Suite> {
  const ran = await work.run(command, place)
  const { output } = ran
  const failed = failedTests(output)
  return {
    ...ran,
    failing: failingCount(output),
    total: testTotal(output, true),
    failed: failed ?? [],
    isNamed: failed !== null,
  }
}

const runners = 'node:test, Jest, Vitest, Mocha, TAP, pytest, unittest, go test and cargo test'

function isGreen({ code, failing }: Suite): boolean {
  return code === 0 && failing === 0
}

/** For a step that adds tests: new failures can be recognised only if the old tests pass. */
function notGreenBefore(suite: Suite, command: string): Judgement | null {
  if (isGreen(suite)) return null
  if (suite.failing === null)
    return cannot(
      `"${command}" printed no results that loop can read (exit ${suite.code}). It reads ${runners}.`,
      'Name a command that prints them: --set test="…"',
    )
  const names = someOf(suite.failed.map(({ name }) => name))
  return cannot(
    `The suite is not green before this step: ${suite.failing} failing${names === '' ? '' : ` (${names})`}, exit ${suite.code}.`,
    'Make it pass first, for example: loop start "fix the failing tests" -p "…"',
  )
}

/** For a step whose new test must fail: known before an agent has spent anything. */
function notNamed({ isNamed }: Suite, command: string): Judgement | null {
  if (isNamed) return null
  return cannot(
    `loop reads how many tests of "${command}" fail, but not which. It reads names from ${runners}.`,
    'Name a command that prints them: --set test="…"',
  )
}

/** The problem of a suite that should pass now; null if there is none. */
function notGreen(suite: Suite, baseline: CheckWork['baseline']): Judgement | null {
  const { code, failing, failed, total } = suite
  if (failing === null)
    return fails(`The tests printed no results that loop can read (exit ${code}). It reads ${runners}.`)
  if (failing > 0)
    return fails(`${failing} failing: ${someOf(failed.map(({ name, said }) => `${name} (${said})`))}.`)
  if (code !== 0) return fails(`No test fails, but the test command ended with exit ${code}.`)
  const before = baseline?.total ?? null
  if (before !== null && total !== null && total < before)
    return fails(
      `Fewer tests ran than before: ${total}, not ${before}. A test must not be deleted, skipped or left out.`,
    )
  return null
}

/** Why failing tests do not count: they existed before, or do not fail by an assertion. */
function notByAssertion(failed: readonly FailedTest[], isNew: (one: FailedTest) => boolean): string[] {
  const unloaded = failed.filter(({ how }) => how === 'load')
  const loaded = failed.filter(({ how }) => how !== 'load')
  const old = loaded.filter(one => !isNew(one))
  const thrown = loaded.filter(one => isNew(one) && one.how === 'error')
  return [
    ...(unloaded.length > 0
      ? [
          `Could not be loaded, so no test of it ran: ${someOf(unloaded.map(({ name, said }) => `${name} (${said})`))}.`,
          'A syntax error, an import of something that is not there: make what the test imports exist first, empty.',
        ]
      : []),
    ...(old.length > 0
      ? [
          `Tests that were there before fail now: ${someOf(old.map(({ name }) => name))}. Only new tests may fail.`,
        ]
      : []),
    ...(thrown.length > 0
      ? [
          `Fails by an error, not by an assertion: ${someOf(thrown.map(({ name, said }) => `${name} (${said})`))}.`,
          'Let the test reach its assertion: what it calls may return nothing, but it has to be there.',
        ]
      : []),
  ]
}
