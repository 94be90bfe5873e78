/** CTest. A test that could not be started or timed out counts; a skipped or disabled one does not. */
import { orNull, type Runner } from '../runner.ts'

export const ctest: Runner = { summary, oneByOne }

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  for (const [i, line] of lines.entries()) {
    const [, failed] = /^\d{1,3}% tests passed, (\d{1,9}) tests? failed out of \d+$/.exec(line) ?? []
    // The next line distinguishes the summary from the same words in a test's output.
    if (failed === undefined || !/^(?:Total Test time|\w+ Time Summary:)/.test(lines[i + 1] ?? '')) continue
    count = (count ?? 0) + Number(failed)
  }
  return count
}

const failure = /^ *\d+\/\d+ +Test +#\d+: .*\*\*\*(?:Failed|Timeout|Exception|Not Run(?! \(Disabled\)))/

function oneByOne(lines: readonly string[]): number | null {
  return orNull(lines.filter(line => failure.test(line)).length)
}
