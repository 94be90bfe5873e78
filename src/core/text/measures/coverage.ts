/**
 * The test coverage in percent of lines (of statements, if the tool counts those), read from a report or from a
 * tool's output. It is exact if the counts are available. Null if the text is not a report, or one about no
 * lines.
 */
import type { CoverageReport } from './report.ts'
import { coberturaXml } from './reports/cobertura.ts'
import { goCover } from './reports/go-cover.ts'
import { istanbulSummary } from './reports/istanbul-summary.ts'
import { lcov } from './reports/lcov.ts'
import { coverageTable } from './reports/table.ts'

/** Reports come before printed tables, which are rounded. */
const reports: readonly CoverageReport[] = [istanbulSummary, lcov, coberturaXml, goCover, coverageTable]

export function coveragePercent(text: string): number | null {
  for (const read of reports) {
    const percent = read(text)
    if (percent !== null) return percent
  }
  return null
}
