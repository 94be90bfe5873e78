/** CTest. A test that could not be started, or ran out of time, counts; one that is skipped or disabled does not. */
import { orNull, type Runner } from '../runner.ts'

export const ctest: Runner = { summary, oneByOne }

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  for (const [i, line] of lines.entries()) {
    const [, failed] = /^\d{1,3}% tests passed, (\d{1,9}) tests? failed out of \d+$/.exec(line) ?? []
    // What follows tells it from the same words in the output of a test.
    if (failed === undefined || !/^(?:Total Test time|\w+ Time Summary:)/.test(lines[i + 1] ?? '')) continue
    count = (count ?? 0) + Number(failed)
  }
  return count
}

const failure = /^ *\d+\/\d+ +Test +#\d+: .*\*\*\*(?:Failed|Timeout|Exception|Not Run(?! \(Disabled\)))/

function oneByOne(lines: readonly string[]): number | null {
  return orNull(lines.filter(line => failure.test(line)).length)
}
