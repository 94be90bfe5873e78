/** go vet: problems are listed below the name of their package. A package that does not compile is not vetted. */
import type { ProblemTool } from '../tool.ts'

export const goVet: ProblemTool = ({ lines }) => {
  if (!lines.some(line => /^# \S+/.test(line))) return null
  if (lines.some(line => /^vet: \S+\.go:\d+:\d+: /.test(line))) return 'broken'
  const problems = lines.filter(line => /^\S+\.go:\d+:\d+: /.test(line)).length
  return problems > 0 ? problems : null
}
