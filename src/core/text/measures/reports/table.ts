/** The rounded tables that tools print for people: Istanbul, Node's test runner, coverage.py. */
import { printedLines } from '../../failing/lines.ts'
import type { CoverageReport } from '../report.ts'

export const coverageTable: CoverageReport = text => {
  const lines = printedLines(text)
  const find = (pattern: RegExp) => lines.flatMap(line => pattern.exec(line)?.[1] ?? []).at(-1)
  const found =
    // All files | % Stmts | % Branch | % Funcs | % Lines |
    find(/^All files\s*\|(?:\s*[\d.]+\s*\|){3}\s*(\d{1,3}(?:\.\d+)?)\s*\|/) ??
    find(/^[#ℹ] all files\s*\|\s*(\d{1,3}(?:\.\d+)?)\s*\|/) ??
    find(/^TOTAL(?:\s+\d+){2,4}\s+(\d{1,3}(?:\.\d+)?)%$/)
  return found === undefined ? null : Number(found)
}
