/** mypy: its summary. A syntax error prevents all other checks. */
import { countsIn, sumOrNull } from '../printed.ts'
import type { ProblemTool } from '../tool.ts'

export const mypy: ProblemTool = ({ lines }) => {
  if (lines.some(line => /^Found \d+ errors? in .*\(errors prevented further checking\)$/.test(line)))
    return 'broken'
  return sumOrNull([
    ...countsIn(lines, /^Found (\d{1,9}) errors? in \d+ files? \(checked \d+ source files?\)$/),
    ...countsIn(lines, /^Success: no issues found in \d+ source files?$/),
  ])
}
