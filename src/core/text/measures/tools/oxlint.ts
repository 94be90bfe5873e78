/** oxlint: its default, JSON and unix formats; its stylish format is the same as ESLint's. */
import { countsIn, keyOfValue, listAt, sumOrNull } from '../printed.ts'
import type { ProblemTool } from '../tool.ts'

export const oxlint: ProblemTool = ({ lines, json }) => {
  const reports = json.filter(value => keyOfValue(value, 'number_of_files') !== undefined)
  const listed = lines.filter(line => /^\S.*:\d+:\d+: .* \[(?:Error|Warning)\/[^\]]+\]$/.test(line)).length
  return sumOrNull([
    ...reports.map(report => listAt(report, 'diagnostics').length),
    ...(listed > 0 ? [listed] : []),
    ...countsIn(lines, /^Found (\d{1,9}) warnings? and (\d{1,9}) errors?\.$/),
  ])
}
