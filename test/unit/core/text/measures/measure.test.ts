/** The measures of a project, the results of their runs, and a metric of the user. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Measure,
  measuresFor,
  metricValue,
  parseMetric,
  readMeasure,
} from '../../../../../src/core/text/measure.ts'
import { failureWords } from '../../../../../src/failures/words.ts'
import { ok } from '../../../../../src/model/failure.ts'
import type { ProjectCommands } from '../../../../../src/model/project.ts'

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
    trouble: { kind: 'measure-unrecognised', wanted: 'problems', exitCode: 1 },
  })
  assert.deepEqual(readMeasure(lint, { ...ran, exitCode: null }), {
    trouble: { kind: 'measure-killed' },
  })
  assert.deepEqual(readMeasure(lint, { ...ran, exitCode: null, timedOut: true }), {
    trouble: { kind: 'measure-overdue', ms: 300_000 },
  })
  const reports = ['not a report', 'SF:a\nDA:1,1\nDA:2,0\nend_of_record\n']
  const table = 'TOTAL   6   3   67%'
  assert.deepEqual(readMeasure(coverage, { ...ran, output: table, reports }), { value: 50 })
  assert.deepEqual(readMeasure(coverage, { ...ran, output: table }), { value: 67 })
  assert.deepEqual(readMeasure(coverage, ran), {
    trouble: { kind: 'measure-unrecognised', wanted: 'coverage', exitCode: 1 },
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
    ['lines: 3\nscore: 7\nscore: 7\n', 7],
    ['parsed 3\n7', 7],
  ]
  for (const [text, value] of numbers) assert.deepEqual(metricValue(text, 0), { value }, text)
  const wrong: [string, object][] = [
    ['', { kind: 'metric-silent' }],
    ['\n \n', { kind: 'metric-silent' }],
    ['12\nnothing', { kind: 'metric-without-number', line: 'nothing' }],
    ['NaN', { kind: 'metric-not-finite', line: 'NaN' }],
    ['-Infinity', { kind: 'metric-not-finite', line: '-Infinity' }],
    ['3 of 4', { kind: 'metric-with-numbers', line: '3 of 4', count: 2 }],
    ['1,234', { kind: 'metric-with-numbers', line: '1,234', count: 2 }],
    ['900ms', { kind: 'metric-not-alone', line: '900ms' }],
    ['1.2 s', { kind: 'metric-not-alone', line: '1.2 s' }],
    ['p95', { kind: 'metric-not-alone', line: 'p95' }],
    ['1e999', { kind: 'metric-too-large', line: '1e999' }],
    ['score: 7\nscore: 99', { kind: 'metric-repeated', line: 'score: 99', count: 2 }],
    ['1\n2\n3', { kind: 'metric-repeated', line: '3', count: 3 }],
    ['x'.repeat(500), { kind: 'metric-without-number', line: `${'x'.repeat(80)}…` }],
  ]
  for (const [text, trouble] of wrong) assert.deepEqual(metricValue(text, 0), { trouble }, text)
  assert.deepEqual(metricValue('12', 1), { trouble: { kind: 'metric-failed', exitCode: 1 } })
  assert.deepEqual(metricValue('12', null), { trouble: { kind: 'metric-killed' } })
})
