/** Cobertura XML, written by coverage.py, Istanbul and others: the counts of the root element, or its rate. */
import { type CoverageReport, share } from '../report.ts'

export const coberturaXml: CoverageReport = text => {
  const [, attributes] = /<coverage\s([^>]{1,5000})>/.exec(text) ?? []
  if (attributes === undefined) return null
  const number = (name: string) => {
    const [, found] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*["'](\\d+(?:\\.\\d+)?)["']`).exec(attributes) ?? []
    return found === undefined ? null : Number(found)
  }
  const valid = number('lines-valid')
  const covered = number('lines-covered')
  if (valid !== null && covered !== null) return share(covered, valid)
  const rate = number('line-rate')
  return rate === null ? null : share(rate, 1)
}
