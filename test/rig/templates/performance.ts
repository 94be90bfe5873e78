/** What agents do in the steps of the template performance, and the slow project. */
import type { Plan } from './play.ts'
import { nothing, shop } from './shop.ts'

const slow = `export function unique(values) {
  const found = []
  for (const value of values) {
    if (!found.includes(value)) found.push(value)
  }
  return found
}
`
export const slowShop: Record<string, string> = {
  ...shop,
  'src/unique.js': slow,
  'test/unique.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unique } from '../src/unique.js'

test('each once', () => assert.deepEqual(unique([1, 2, 1]), [1, 2]))
`,
}
const benchmark = {
  'bench/bench.sh': 'node bench/unique.js\n',
  'bench/unique.js': `import { unique } from '../src/unique.js'

const values = Array.from({ length: 24_000 }, (_, i) => (i * 7) % 6_000)
if (unique(values).length !== 6_000) process.exit(1)
`,
}
const workload = `# unique

## Workload
Twenty-four thousand numbers of which a quarter is different, in an order without runs: as the ids of orders of a day come in.
`
const profile = `${workload}
## Profile
- src/unique.js:4 \`if (!found.includes(value))\` takes nearly all of the time: it walks through all that was found, for every value.
`
const quick = 'export function unique(values) {\n  return [...new Set(values)]\n}\n'
const result = `${profile}
## Result
before: 400 ms, after: 350 ms at the least on this machine; a set is asked now. For a handful of values it does not matter.
`

export const performance: Plan = {
  baseline: [
    nothing,
    {
      says: 'a benchmark of nothing',
      files: { 'bench/bench.sh': 'sleep 0.05\n', 'performance-report.md': workload },
    },
    { says: 'no benchmark', files: { 'performance-report.md': workload } },
    { says: 'an empty report', files: { ...benchmark, 'performance-report.md': '## Workload\n' } },
    { says: 'honest', files: { ...benchmark, 'performance-report.md': workload } },
  ],
  profile: [
    nothing,
    {
      says: 'all fine',
      files: { 'performance-report.md': `${workload}\n## Profile\nAll of it is fast, all fine.\n` },
    },
    {
      says: 'a place that is not there',
      files: { 'performance-report.md': profile.replace('unique.js:4', 'unique.js:400') },
    },
    { says: 'honest', files: { 'performance-report.md': profile } },
  ],
  optimize: [
    nothing,
    { says: 'touches a file', files: { 'src/unique.js': `${slow}\n` } },
    {
      says: 'a smaller benchmark',
      files: {
        'bench/unique.js': benchmark['bench/unique.js'].replaceAll('24_000', '240').replaceAll('6_000', '60'),
        'src/unique.js': slow.replace('found', 'seen'),
      },
    },
    { says: 'claims it', files: { 'performance-report.md': result } },
    {
      says: 'wrong',
      files: { 'src/unique.js': 'export function unique(values) {\n  return values.slice(0, 6_000)\n}\n' },
    },
    { says: 'honest', files: { 'src/unique.js': quick } },
  ],
  verify: [
    nothing,
    {
      says: 'no numbers',
      files: {
        'performance-report.md': `${profile}\n## Result\nIt is very much faster now than it was before, and everything is fine, really.\n`,
      },
    },
    { says: 'claims too much', files: { 'performance-report.md': result.replace('400 ms', '900000 ms') } },
    { says: 'slow again', files: { 'performance-report.md': result, 'src/unique.js': slow } },
    { says: 'honest', files: { 'performance-report.md': result } },
  ],
}
