/**
 * How much of the code the tests reach, in percent of lines (of statements, where a tool counts those), from a report
 * or from what a tool printed. Exact where the counts are there. Null where it is not a report, or one about nothing.
 */
import type { CoverageReport } from './report.ts'
import { coberturaXml } from './reports/cobertura.ts'
import { goCover } from './reports/go-cover.ts'
import { istanbulSummary } from './reports/istanbul-summary.ts'
import { lcov } from './reports/lcov.ts'
import { coverageTable } from './reports/table.ts'

/** Reports before tables, which are rounded. */
const reports: readonly CoverageReport[] = [istanbulSummary, lcov, coberturaXml, goCover, coverageTable]

export function coveragePercent(text: string): number | null {
  for (const read of reports) {
    const percent = read(text)
    if (percent !== null) return percent
  }
  return null
}
