/** flake8, which has no summary: one line for each problem. Ruff prints the same lines, and a summary. */
import type { ProblemTool } from '../tool.ts'

export const flake8: ProblemTool = ({ lines }) => {
  if (lines.some(line => /^Found \d+ errors?/.test(line))) return null
  const problems = lines.filter(line => /^\S.*\.pyi?:\d+:\d+: [A-Z]{1,4}\d{2,4} /.test(line)).length
  return problems > 0 ? problems : null
}
