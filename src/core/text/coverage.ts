/**
 * The test coverage in percent of lines (of statements, if the tool counts those), read from a report or from a
 * tool's output. Each format is one row. It is exact if the counts are available. Null if the text is not a
 * report, or one about no lines.
 */
import { countAt, keyOfValue, printedLines } from './printed.ts'

/** The percentage; null if the text is in another format. Reports come before printed tables, which are rounded. */
const reports: Record<string, (text: string) => number | null> = {
  /** coverage-summary.json of Istanbul, which c8, nyc, Jest and Vitest write. */
  istanbulSummary(text) {
    if (!/^\s*\{/.test(text)) return null
    try {
      const lines = keyOfValue(keyOfValue(JSON.parse(text), 'total'), 'lines')
      return share(countAt(lines, 'covered'), countAt(lines, 'total'))
    } catch {
      return null // not JSON, or half-written
    }
  },

  /** lcov.info: the lines of each file as `DA:<line>,<hits>`. */
  lcov(text) {
    if (!/^(?:SF:|end_of_record$)/m.test(text)) return null
    let file = ''
    return reached(text, line => {
      if (line.startsWith('SF:')) file = line
      const [, number, hits] = /^DA:(\d+),(\d+)/.exec(line) ?? []
      return number === undefined ? null : { block: `${file}:${number}`, size: 1, hits }
    })
  },

  /** Cobertura XML, written by coverage.py, Istanbul and others: the counts of the root element, or its rate. */
  cobertura(text) {
    const [, attributes] = /<coverage\s([^>]{1,5000})>/.exec(text) ?? []
    if (attributes === undefined) return null
    const number = (name: string) => {
      const form = new RegExp(`(?:^|\\s)${name}\\s*=\\s*["'](\\d+(?:\\.\\d+)?)["']`)
      const [, found] = form.exec(attributes) ?? []
      return found === undefined ? null : Number(found)
    }
    const [valid, covered, rate] = [number('lines-valid'), number('lines-covered'), number('line-rate')]
    if (valid !== null && covered !== null) return share(covered, valid)
    return rate === null ? null : share(rate, 1)
  },

  /** A profile of Go: `file.go:1.2,3.4 <statements> <hits>`. */
  goProfile(text) {
    if (!isGoProfile.test(text)) return null
    return reached(text, line => {
      const [, block, size, hits] = /^(\S.*:\d+\.\d+,\d+\.\d+) (\d+) (\d+)$/.exec(line) ?? []
      return block === undefined ? null : { block, size: Number(size), hits }
    })
  },

  /**
   * The total of `go tool cover -func`, or the line of `go test -cover` for one package. For several packages the
   * result is null, because their lines do not give the size of each.
   */
  goPrinted(text) {
    if (isGoProfile.test(text)) return null
    const [total] = percents(text, /^total:\s+\(statements\)\s+(\d{1,3}\.\d)%$/)
    const packages = percents(text, /^(?:ok|FAIL)?\s.*\scoverage: (\d{1,3}\.\d)% of statements(?: in .*)?$/)
    return total ?? (packages.length === 1 ? packages[0] : null) ?? null
  },

  /** The rounded tables that tools print for people: Istanbul, Node's test runner, coverage.py. */
  table(text) {
    // All files | % Stmts | % Branch | % Funcs | % Lines |
    const istanbul = percents(text, /^All files\s*\|(?:\s*[\d.]+\s*\|){3}\s*(\d{1,3}(?:\.\d+)?)\s*\|/)
    const node = percents(text, /^[#ℹ] all files\s*\|\s*(\d{1,3}(?:\.\d+)?)\s*\|/)
    const python = percents(text, /^TOTAL(?:\s+\d+){2,4}\s+(\d{1,3}(?:\.\d+)?)%$/)
    return istanbul.at(-1) ?? node.at(-1) ?? python.at(-1) ?? null
  },
}

export function coveragePercent(text: string): number | null {
  for (const read of Object.values(reports)) {
    const percent = read(text)
    if (percent !== null) return percent
  }
  return null
}

const isGoProfile = /^mode: (?:set|count|atomic)$/m

/** The share of the blocks that were hit. A block that appears twice counts once, with the hits of both. */
function reached(
  text: string,
  read: (line: string) => { block: string; size: number; hits: string | undefined } | null,
): number | null {
  const blocks = new Map<string, { size: number; isHit: boolean }>()
  for (const line of text.split(/\r?\n/)) {
    const one = read(line)
    if (one === null) continue
    const isHit = Number(one.hits) > 0 || blocks.get(one.block)?.isHit === true
    blocks.set(one.block, { size: one.size, isHit })
  }
  const all = [...blocks.values()]
  const count = (some: typeof all) => some.reduce((sum, { size }) => sum + size, 0)
  return share(count(all.filter(({ isHit }) => isHit)), count(all))
}

/** Nothing to cover gives no percentage. */
function share(covered: number, total: number): number | null {
  return total > 0 && covered >= 0 && covered <= total ? (100 * covered) / total : null
}

function percents(text: string, form: RegExp): number[] {
  return printedLines(text)
    .flatMap(line => form.exec(line)?.[1] ?? [])
    .map(Number)
}
