/**
 * Test coverage, read from reports and from real output of tools: c8 10, Jest 30, Node 24, coverage.py 7.16, Go 1.19.
 * The expected numbers were counted by hand in the small projects of the recordings.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { coveragePercent } from '../../../../../src/core/text/measure.ts'

const directory = 'test/recordings/measures'
const recording = (name: string) => readFileSync(`${directory}/${name}.txt`, 'utf8')
const of = (covered: number, total: number) => (100 * covered) / total

const recordings: Record<string, [percent: number | null, project: string]> = {
  // A file of 10 lines as V8 counts them: one branch and one function, 3 lines, are never reached.
  'c8-summary': [of(7, 10), 'coverage-summary.json'],
  'c8-lcov': [of(7, 10), 'lcov.info'],
  'c8-cobertura': [of(7, 10), 'cobertura-coverage.xml'],
  'c8-text': [of(7, 10), 'its table, after the output of the tests'],
  'node24-coverage': [of(7, 10), 'the table of the runner'],
  'node24-lcov': [of(7, 10), 'its reporter lcov'],
  // The same file as Istanbul counts it: 5 statements, 2 never reached.
  'jest30-summary': [of(3, 5), 'coverage-summary.json'],
  'jest30-lcov': [of(3, 5), 'lcov.info'],
  'jest30-text': [of(3, 5), 'its table'],
  // A module of 6 lines, 2 never reached.
  'pytest-cov-xml': [of(4, 6), 'coverage.xml'],
  'pytest-cov-lcov': [of(4, 6), 'lcov'],
  'pytest-cov-term': [67, 'its table, rounded'],
  'pytest-cov-branch-xml': [of(4, 6), 'coverage.xml with branches'],
  'pytest-cov-branch': [62, 'its table: 5 of 8 lines and branches, rounded down by the tool'],
  // A package of 3 statements, 1 never reached; another of 1 statement without a test.
  'go-cover-profile': [of(2, 3), 'a profile, where Go leaves out what has no test'],
  'go-cover-profile-all': [of(2, 4), 'a profile with -coverpkg=./...'],
  'go-tool-cover': [66.7, 'go tool cover -func'],
  'go-test-cover-one': [66.7, 'go test -cover of one package'],
  'go-test-cover': [66.7, 'of two, of which one has tests'],
  'go-test-coverpkg': [50, 'the same with -coverpkg=./...'],
}

test('what each report says', () => {
  for (const [name, [percent, project]] of Object.entries(recordings)) {
    const found = coveragePercent(recording(name))
    assert.ok(
      found !== null && percent !== null && Math.abs(found - percent) < 1e-9,
      `${name}: ${project}: ${found}`,
    )
  }
})

test('every recording of a report is read', () => {
  const names = readdirSync(directory).filter(name =>
    /^(?:c8|node24|jest30|pytest|go-(?:cover|test|tool))/.test(name),
  )
  assert.deepEqual(
    names.map(name => name.replace(/\.txt$/, '')).toSorted(),
    Object.keys(recordings).toSorted(),
  )
})

test('a line is reached if any of several runs has reached it', () => {
  const record = (hits: string) => `SF:a.js\nDA:1,1\nDA:2,${hits}\nend_of_record\n`
  assert.equal(coveragePercent(record('0') + record('3')), 100)
  assert.equal(coveragePercent(record('3') + record('0')), 100)
  assert.equal(coveragePercent(`${record('0')}SF:b.js\nDA:1,0\nDA:2,0\nend_of_record\n`), 25)
  const block = 'mode: count\na.go:1.1,2.2 3 0\na.go:1.1,2.2 3 7\nb.go:1.1,2.2 1 0\n'
  assert.equal(coveragePercent(block), 75)
})

test('what is no report, or one about nothing, says nothing', () => {
  const texts = [
    '',
    'all good',
    '{"total": {"lines": {"total": 0, "covered": 0, "pct": 100}}}',
    '{"total": {"lines": {"total": 2, "covered": 9}}}',
    '{"total": ',
    '<coverage lines-valid="0" lines-covered="0" line-rate="1">',
    '<html coverage="1">',
    'SF:a.js\nend_of_record\n',
    'mode: set\n',
    'coverage: [no statements]',
    'ok  \ta\t0.1s\tcoverage: 50.0% of statements\nok  \tb\t0.1s\tcoverage: 70.0% of statements\n',
  ]
  for (const text of texts) assert.equal(coveragePercent(text), null, text)
})

test('a rate without counts is a percentage', () => {
  assert.equal(coveragePercent(`<?xml version="1.0"?>\n<coverage line-rate='0.25' branch-rate="0">`), 25)
})
