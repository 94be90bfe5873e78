/** Ruff: every format that ends with its summary, and JSON. */
import { countsIn, keyOfValue, sumOrNull } from '../printed.ts'
import type { ProblemTool } from '../tool.ts'
import { withoutBiome } from './biome.ts'

export const ruff: ProblemTool = ({ lines, json }) => {
  // Older versions of tsc print the same summary.
  if (lines.some(line => / - error TS\d+: /.test(line))) return null
  const reports = json.filter(value => Array.isArray(value) && value.every(isDiagnostic))
  const own = withoutBiome(lines)
  return sumOrNull([
    ...reports.map(report => (Array.isArray(report) ? report.length : 0)),
    ...countsIn(own, /^Found (\d{1,9}) errors?\.$/),
    ...countsIn(own, /^Found \d+ errors? \(\d+ fixed, (\d{1,9}) remaining\)\.$/),
    ...countsIn(own, /^All checks passed!$/),
  ])
}

function isDiagnostic(value: unknown): boolean {
  return keyOfValue(value, 'filename') !== undefined && keyOfValue(value, 'noqa_row') !== undefined
}
