/** pytest. An error, in a fixture or while a file was collected, counts like a failure. */
import { numberOf, orNull, type Runner } from '../runner.ts'

export const pytest: Runner = { summary, oneByOne }

const words = 'failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed'
const counts = new RegExp(`^\\d+ (?:${words})(?:, \\d+ (?:${words}))* in \\d+\\.\\d+s(?: \\(\\d[\\d:]*\\))?$`)

function summary(lines: readonly string[]): number | null {
  let count: number | null = null
  for (const line of lines) {
    const said = line.replace(/^=+ /, '').replace(/ =+$/, '')
    if (!counts.test(said)) continue
    count = (count ?? 0) + numberOf('failed', said) + numberOf('errors?', said)
  }
  return count
}

function oneByOne(lines: readonly string[]): number | null {
  const failures = new Set<string>()
  for (const line of lines) {
    // Either in the list at the end, or where the test ran (-v).
    const [, listed] = /^(?:FAILED|ERROR) (\S+\.py(?:::.*?)?)(?: - .*)?$/.exec(line) ?? []
    const [, ran] = /^(\S+\.py::.*\S) +(?:FAILED|ERROR) +\[ *\d+%\]$/.exec(line) ?? []
    const failure = listed ?? ran
    if (failure !== undefined) failures.add(failure)
  }
  return orNull(failures.size)
}
