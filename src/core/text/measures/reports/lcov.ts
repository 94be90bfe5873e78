/**
 * lcov.info: the lines of each file as `DA:<line>,<hits>`. A file that appears twice counts once, with the hits
 * of both.
 */
import { type CoverageReport, share } from '../report.ts'

export const lcov: CoverageReport = text => {
  if (!/^(?:SF:|end_of_record$)/m.test(text)) return null
  const reached = new Map<string, boolean>()
  let file = ''
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('SF:')) file = line
    const [, number, hits] = /^DA:(\d+),(\d+)/.exec(line) ?? []
    if (number === undefined) continue
    const key = `${file}:${number}`
    reached.set(key, reached.get(key) === true || Number(hits) > 0)
  }
  return share([...reached.values()].filter(Boolean).length, reached.size)
}
