/**
 * Biome: the default report and JSON. Its summary includes problems that it did not print. Ruff prints a
 * similar line; those right after `Checked 3 files` belong to Biome.
 */
import { countAt, countsIn, keyOfValue, sumOrNull } from '../printed.ts'
import type { ProblemTool } from '../tool.ts'

const checked = /^(?:Checked|Linted|Formatted) \d+ files? in /
const found = /^Found (\d{1,9}) (?:errors?|warnings?|infos?)\.$/

export const biome: ProblemTool = ({ lines, json }) => {
  const summaries = json.filter(isReport).map(report => keyOfValue(report, 'summary'))
  const counts = summaries.map(summary => countAt(summary, 'errors') + countAt(summary, 'warnings'))
  return sumOrNull([...counts, ...runsIn(lines).map(run => problemsIn(run))])
}

/** Notes do not count as problems. */
function problemsIn(run: readonly string[]): number {
  const kinds = run.filter(line => !/ infos?\.$/.test(line))
  return sumOrNull(countsIn(kinds, found)) ?? 0
}

function isReport(value: unknown): boolean {
  return keyOfValue(value, 'summary') !== undefined && keyOfValue(value, 'command') !== undefined
}

/** The summary lines of each run. */
function runsIn(lines: readonly string[]): string[][] {
  return lines.flatMap((line, index) => {
    if (!checked.test(line)) return []
    const rest = lines.slice(index + 1, index + 5)
    const end = rest.findIndex(one => !found.test(one))
    return [rest.slice(0, end === -1 ? rest.length : end)]
  })
}

/** The lines without the summaries of Biome. */
export function withoutBiome(lines: readonly string[]): string[] {
  let inSummary = false
  return lines.filter(line => {
    inSummary = checked.test(line) || (inSummary && found.test(line))
    return !inSummary
  })
}
