/**
 * ESLint: stylish and JSON; oxlint prints the same stylish format. A file that cannot be parsed counts as one
 * error.
 */

import { countAt, countsIn, keyOfValue, sumOrNull } from '../printed.ts'
import type { ProblemTool } from '../tool.ts'

export const eslint: ProblemTool = ({ lines, json }) => {
  const files = json.filter(Array.isArray).flat().filter(isFile)
  const counts = files.map(file => countAt(file, 'errorCount') + countAt(file, 'warningCount'))
  return sumOrNull([...counts, ...countsIn(lines, /^✖ (\d{1,9}) problems? \(\d+ errors?, \d+ warnings?\)$/)])
}

function isFile(value: unknown): boolean {
  return keyOfValue(value, 'filePath') !== undefined && keyOfValue(value, 'errorCount') !== undefined
}
