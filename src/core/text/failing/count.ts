/**
 * How many tests fail, from what a test runner printed. Null when no runner is recognised, or when nothing says
 * that its tests were run: then nothing is said. A runner is one row; runs of several add up.
 */
import { cargo } from './cargo.ts'
import { ctest } from './ctest.ts'
import { dotnet } from './dotnet.ts'
import { go } from './go.ts'
import { jest } from './jest.ts'
import { printedLines } from './lines.ts'
import { mocha } from './mocha.ts'
import { nodeTest } from './node-test.ts'
import { phpunit } from './phpunit.ts'
import { prove } from './prove.ts'
import { pytest } from './pytest.ts'
import { rspec } from './rspec.ts'
import type { Runner } from './runner.ts'
import { tap } from './tap.ts'
import { unittest } from './unittest.ts'
import { vitest } from './vitest.ts'

/** TAP first among those counted one by one: it alone can say none, once it has a plan. */
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
