/** flake8: one line per problem, without a summary. Ruff prints the same lines plus a summary. */
import type { ProblemTool } from '../tool.ts'

export const flake8: ProblemTool = ({ lines }) => {
  if (lines.some(line => /^Found \d+ errors?/.test(line))) return null
  const problems = lines.filter(line => /^\S.*\.pyi?:\d+:\d+: [A-Z]{1,4}\d{2,4} /.test(line)).length
  return problems > 0 ? problems : null
}
