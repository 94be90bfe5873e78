/** The measures of a project, the results of their runs, and a metric of the user. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Measure, measuresFor, readMeasure } from '../../../../../src/core/text/measures/measure.ts'
import { metricValue, parseMetric } from '../../../../../src/core/text/measures/metric.ts'
import { ok } from '../../../../../src/model/failure.ts'
import type { ProjectCommands } from '../../../../../src/model/project.ts'
import { failureWords } from '../../../../../src/views/words/failure/words.ts'

const none: ProjectCommands = {
  test: null,
  lint: null,
  types: null,
  build: null,
  coverage: null,
  passedOver: [],
}
const found = (command: string, more = {}) => ({ command, because: 'it is made up', others: [], ...more })

test('a project is measured by the tools it has, each with its command and its time limit', () => {
  assert.deepEqual(measuresFor({ ...none, test: found('npm test'), build: found('make') }), [])
  const all = measuresFor({
    ...none,
    lint: found('npm run lint'),
    types: found('npx tsc'),
    coverage: found('npm run coverage', { reports: ['coverage/lcov.info'] }),
  })
  const because = 'it is made up'
  assert.deepEqual(all, [
    { name: 'lint', command: 'npm run lint', because, reads: 'output', better: 'less', timeoutMs: 300_000 },
    { name: 'types', command: 'npx tsc', because, reads: 'output', better: 'less', timeoutMs: 300_000 },
    {
      name: 'coverage',
      command: 'npm run coverage',
      because,
      reads: ['coverage/lcov.info'],
      better: 'more',
      timeoutMs: 600_000,
    },
  ] satisfies Measure[])
  const once = measuresFor({ ...none, lint: found('make check'), types: found('make check') })
  assert.deepEqual(
    once.map(({ name }) => name),
    ['lint'],
    'one command is not counted twice',
  )
})

test('the result of a run, or why it has none', () => {
  const [lint, coverage] = measuresFor({
    ...none,
    lint: found('a'),
    coverage: found('b', { reports: ['c'] }),
  })
  assert.ok(lint && coverage)
  const ran = { exitCode: 1, timedOut: false, output: 'a.ts(1,2): error TS1: no\n' }
  assert.deepEqual(readMeasure(lint, ran), { value: 1 })
  assert.deepEqual(readMeasure(lint, { ...ran, output: 'no such program' }), {
    why: 'not known: no linter or type checker is recognised in what its command left (exit 1)',
  })
  assert.deepEqual(readMeasure(lint, { ...ran, exitCode: null }), {
    why: 'not known: its command was killed',
  })
  assert.deepEqual(readMeasure(lint, { ...ran, exitCode: null, timedOut: true }), {
    why: 'not known: its command took longer than 5m',
  })
  const reports = ['not a report', 'SF:a\nDA:1,1\nDA:2,0\nend_of_record\n']
  const table = 'TOTAL   6   3   67%'
  assert.deepEqual(readMeasure(coverage, { ...ran, output: table, reports }), { value: 50 })
  assert.deepEqual(readMeasure(coverage, { ...ran, output: table }), { value: 67 })
  assert.deepEqual(readMeasure(coverage, ran), {
    why: 'not known: no coverage report is recognised in what its command left (exit 1)',
  })
})

test('a metric is min: or max: and a command', () => {
  assert.deepEqual(
    parseMetric('min:wc -c < dist/app.js'),
    ok({ better: 'less', command: 'wc -c < dist/app.js' }),
  )
  assert.deepEqual(parseMetric('max: ./score: a'), ok({ better: 'more', command: './score: a' }))
  for (const text of ['', 'min:', 'max:  ', 'avg:x', 'wc -c', 'MIN:x']) {
    const refused = parseMetric(text)
    assert.ok(!refused.ok, text)
    assert.match(
      failureWords(refused.failure),
      /^--best-of-metric takes min:<command> or max:<command>, .*It is "/,
    )
    assert.equal(refused.failure.reason, 'invalid-arguments')
  }
})

test('the number of a metric', () => {
  const numbers: [string, number][] = [
    ['12\n', 12],
    ['building…\n\n  -3.5e2  \n\n', -350],
    ['score: 7', 7],
    ['time=0.25\r\n', 0.25],
    ['.5', 0.5],
    ['+4', 4],
  ]
  for (const [text, value] of numbers) assert.deepEqual(metricValue(text, 0), { value }, text)
  const wrong: [string, string][] = [
    ['', 'its command printed nothing'],
    ['\n \n', 'its command printed nothing'],
    ['12\nnothing', 'its last line has no number: "nothing"'],
    ['NaN', 'its last line is not a finite number: "NaN"'],
    ['-Infinity', 'its last line is not a finite number: "-Infinity"'],
    ['3 of 4', 'its last line has 2 numbers: "3 of 4". Print one'],
    ['1,234', 'its last line has 2 numbers: "1,234". Print one'],
    ['900ms', 'its last line is not a number alone: "900ms". Print it without a unit'],
    ['1.2 s', 'its last line is not a number alone: "1.2 s". Print it without a unit'],
    ['p95', 'its last line is not a number alone: "p95". Print it without a unit'],
    ['1e999', 'its last line is too large a number: "1e999"'],
  ]
  for (const [text, why] of wrong) assert.deepEqual(metricValue(text, 0), { why }, text)
  assert.deepEqual(metricValue('12', 1), { why: 'its command failed: exit 1' })
  assert.deepEqual(metricValue('12', null), { why: 'its command was killed' })
  const long = metricValue(`${'x'.repeat(500)}`, 0)
  assert.ok('why' in long && long.why.length < 150)
})
