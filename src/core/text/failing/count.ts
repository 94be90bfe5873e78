/**
 * Counts the failing tests in the output of a test runner. Null if no runner is recognised, or if nothing shows
 * that its tests were run. Each runner is one row; several runs are added up.
 */

import { printedLines } from './lines.ts'
import type { Runner } from './runner.ts'
import { cargo } from './runners/cargo.ts'
import { ctest } from './runners/ctest.ts'
import { dotnet } from './runners/dotnet.ts'
import { go } from './runners/go.ts'
import { jest } from './runners/jest.ts'
import { mocha } from './runners/mocha.ts'
import { nodeTest } from './runners/node-test.ts'
import { phpunit } from './runners/phpunit.ts'
import { prove } from './runners/prove.ts'
import { pytest } from './runners/pytest.ts'
import { rspec } from './runners/rspec.ts'
import { tap } from './runners/tap.ts'
import { unittest } from './runners/unittest.ts'
import { vitest } from './runners/vitest.ts'

/** TAP is first among the runners that are counted line by line: with a plan it can report zero failures. */
const runners: readonly Runner[] = [
  tap,
  nodeTest,
  jest,
  vitest,
  mocha,
  pytest,
  unittest,
  go,
  cargo,
  prove,
  ctest,
  rspec,
  phpunit,
  dotnet,
]

export function failingCount(text: string): number | null {
  const lines = printedLines(text).filter(line => line !== '')
  const counts = runners.map(({ summary }) => summary(lines)).filter(count => count !== null)
  if (counts.length > 0) return counts.reduce((sum, count) => sum + count, 0)
  for (const { oneByOne } of runners) {
    const count = oneByOne(lines)
    if (count !== null) return count
  }
  return null
}
