/**
 * tsc, plain and pretty: one line per error. An error without a file concerns the configuration: nothing was
 * checked.
 */
import type { ProblemTool } from '../tool.ts'

const inFile = /^\S.*(?:\(\d+,\d+\): |:\d+:\d+ - )error TS\d+: /

export const tsc: ProblemTool = ({ lines }) => {
  const errors = lines.filter(line => inFile.test(line)).length
  if (errors > 0) return errors
  return lines.some(line => /^error TS\d+: /.test(line)) ? 'broken' : null
}
