/** coverage-summary.json of Istanbul, which c8, nyc, Jest and Vitest write. */

import { countAt, keyOfValue } from '../printed.ts'
import type { CoverageReport } from '../report.ts'
import { share } from '../report.ts'

export const istanbulSummary: CoverageReport = text => {
  if (!/^\s*\{/.test(text)) return null
  try {
    const lines = keyOfValue(keyOfValue(JSON.parse(text), 'total'), 'lines')
    return share(countAt(lines, 'covered'), countAt(lines, 'total'))
  } catch {
    return null // not JSON, or half-written
  }
}
