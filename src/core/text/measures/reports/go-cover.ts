/**
 * Go coverage: a profile, the total of `go tool cover -func`, or the line of `go test -cover` for one package.
 * For several packages without a profile the result is null, because their lines do not give the size of each.
 */
import { printedLines } from '../../failing/lines.ts'
import { type CoverageReport, share } from '../report.ts'

export const goCover: CoverageReport = text =>
  /^mode: (?:set|count|atomic)$/m.test(text) ? profile(text) : inWords(text)

/** `file.go:1.2,3.4 <statements> <hits>`; with -coverpkg a block appears once per tested package. */
function profile(text: string): number | null {
  const blocks = new Map<string, { statements: number; isReached: boolean }>()
  for (const line of text.split(/\r?\n/)) {
    const [, block, statements, hits] = /^(\S.*:\d+\.\d+,\d+\.\d+) (\d+) (\d+)$/.exec(line) ?? []
    if (block === undefined) continue
    const isReached = Number(hits) > 0 || blocks.get(block)?.isReached === true
    blocks.set(block, { statements: Number(statements), isReached })
  }
  const all = [...blocks.values()]
  const count = (some: typeof all) => some.reduce((sum, { statements }) => sum + statements, 0)
  return share(count(all.filter(({ isReached }) => isReached)), count(all))
}

function inWords(text: string): number | null {
  const lines = printedLines(text)
  const find = (pattern: RegExp) => lines.flatMap(line => pattern.exec(line)?.[1] ?? [])
  const [total] = find(/^total:\s+\(statements\)\s+(\d{1,3}\.\d)%$/)
  if (total !== undefined) return Number(total)
  const packages = find(/^(?:ok|FAIL)?\s.*\scoverage: (\d{1,3}\.\d)% of statements(?: in .*)?$/)
  return packages.length === 1 ? Number(packages[0]) : null
}
