/** A run of the project's tests: its exit, the number of tests, and the failures with their kinds. */

import type { FailedTest } from '../../core/text/runner.ts'
import { failedTests, failingCount, testTotal } from '../../core/text/test-output.ts'
import { write } from '../terminal.ts'
import { cannot, fails, type Judgement, named } from './judgement.ts'
import type { CheckWork, Ran } from './work.ts'

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
export async function runSuite(work: CheckWork, command: string): Promise<Suite> {
  const suite = await suiteIn(work, command, work.tree)
  const { output } = suite
  write(1, output.length > shownBytes ? `…\n${output.slice(-shownBytes)}` : output)
  if (!output.endsWith('\n')) write(1, '\n')
  return suite
}

export async function suiteIn(work: CheckWork, command: string, place: string): Promise<Suite> {
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

export function isGreen({ code, failing }: Suite): boolean {
  return code === 0 && failing === 0
}

/** For a step that adds tests: new failures can be recognised only if the old tests pass. */
export function notGreenBefore(suite: Suite, command: string): Judgement | null {
  if (isGreen(suite)) return null
  if (suite.failing === null)
    return cannot(
      `"${command}" printed no results that loop can read (exit ${suite.code}). It reads ${runners}.`,
      'Name a command that prints them: --set test="…"',
    )
  const names = named(suite.failed.map(({ name }) => name))
  return cannot(
    `The suite is not green before this step: ${suite.failing} failing${names === '' ? '' : ` (${names})`}, exit ${suite.code}.`,
    'Make it pass first, for example: loop start "fix the failing tests" -p "…"',
  )
}

/** For a step whose new test must fail: known before an agent has spent anything. */
export function notNamed({ isNamed }: Suite, command: string): Judgement | null {
  if (isNamed) return null
  return cannot(
    `loop reads how many tests of "${command}" fail, but not which. It reads names from ${runners}.`,
    'Name a command that prints them: --set test="…"',
  )
}

/** The problem of a suite that should pass now; null if there is none. */
export function notGreen(suite: Suite, baseline: CheckWork['baseline']): Judgement | null {
  const { code, failing, failed, total } = suite
  if (failing === null)
    return fails(`The tests printed no results that loop can read (exit ${code}). It reads ${runners}.`)
  if (failing > 0)
    return fails(`${failing} failing: ${named(failed.map(({ name, said }) => `${name} (${said})`))}.`)
  if (code !== 0) return fails(`No test fails, but the test command ended with exit ${code}.`)
  const before = baseline?.total ?? null
  if (before !== null && total !== null && total < before)
    return fails(
      `Fewer tests ran than before: ${total}, not ${before}. A test must not be deleted, skipped or left out.`,
    )
  return null
}

/** Why failing tests do not count: they existed before, or do not fail by an assertion. */
export function notByAssertion(failed: readonly FailedTest[], isNew: (one: FailedTest) => boolean): string[] {
  const unloaded = failed.filter(({ how }) => how === 'load')
  const loaded = failed.filter(({ how }) => how !== 'load')
  const old = loaded.filter(one => !isNew(one))
  const thrown = loaded.filter(one => isNew(one) && one.how === 'error')
  return [
    ...(unloaded.length > 0
      ? [
          `Could not be loaded, so no test of it ran: ${named(unloaded.map(({ name, said }) => `${name} (${said})`))}.`,
          'A syntax error, an import of something that is not there: make what the test imports exist first, empty.',
        ]
      : []),
    ...(old.length > 0
      ? [
          `Tests that were there before fail now: ${named(old.map(({ name }) => name))}. Only new tests may fail.`,
        ]
      : []),
    ...(thrown.length > 0
      ? [
          `Fails by an error, not by an assertion: ${named(thrown.map(({ name, said }) => `${name} (${said})`))}.`,
          'Let the test reach its assertion: what it calls may return nothing, but it has to be there.',
        ]
      : []),
  ]
}
