/** Whether a loop of a workflow runs, by its condition and by the ends of the loops it needs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeWhen } from '../../../../src/core/workflow.ts'
import { parseWhen } from '../../../../src/options/workflow/expand.ts'

const endings: Record<string, 'completed' | 'failed' | 'skipped'> = {
  a: 'completed',
  b: 'failed',
  c: 'skipped',
}
const outputs: Record<string, string> = { 'a.v': '2', 'a.empty': '' }

function judged(text: string, needs: string): string {
  const parsed = text === '' ? { when: null } : parseWhen(text)
  assert.ok('when' in parsed, JSON.stringify(parsed))
  const facts = {
    ending: (loop: string) => endings[loop] ?? 'skipped',
    output: (loop: string, field: string) => outputs[`${loop}.${field}`] ?? null,
  }
  const found = judgeWhen({ needs: needs.split(' ').filter(Boolean), when: parsed.when }, facts)
  if (found.is === 'missing') return `missing ${found.loop}.${found.field}`
  return found.is === 'skip' && found.because
    ? `skip: ${found.because.loop} ${found.because.ending}`
    : found.is
}

test('what holds', () => {
  const rows: [string, string, string][] = [
    ['', '', 'run'],
    ['', 'a', 'run'],
    ['', 'a b', 'skip: b failed'],
    ['', 'a c', 'skip: c skipped'],
    ['completed(a)', 'a', 'run'],
    ['failed(a)', 'a', 'skip'],
    ['failed(b)', 'b', 'run'],
    ['skipped(c)', 'c', 'run'],
    ['!completed(c)', 'c', 'run'],
    // A needed loop that the condition does not mention must have completed.
    ['failed(b)', 'a b', 'run'],
    ['failed(b)', 'b c', 'skip: c skipped'],
    ['outputs.a.v == "2"', 'a', 'run'],
    ["outputs.a.v == '2'", 'a', 'run'],
    ['outputs.a.v != "2"', 'a', 'skip'],
    ['outputs.a.v == "\\"2"', 'a', 'skip'],
    ['outputs.a.empty == ""', 'a', 'run'],
    ['outputs.a.v == "2"', 'a b', 'skip: b failed'],
    ['outputs.a.none == "2"', 'a', 'missing a.none'],
    ['outputs.a.none != "2"', 'a', 'missing a.none'],
    ['!(outputs.a.none == "")', 'a', 'missing a.none'],
    // Evaluated from left to right, no further than needed.
    ['failed(a) && outputs.a.none == "2"', 'a', 'skip'],
    ['completed(a) || outputs.a.none == "2"', 'a', 'run'],
    ['outputs.a.none == "2" || completed(a)', 'a', 'missing a.none'],
    // && binds more strongly than ||.
    ['completed(a) || completed(a) && failed(a)', 'a', 'run'],
    ['(completed(a) || completed(a)) && failed(a)', 'a', 'skip'],
    ['failed(b)&&!failed(a)', 'a b', 'run'],
  ]
  for (const [text, needs, expected] of rows)
    assert.equal(judged(text, needs), expected, `${text} with ${needs}`)
})

test('what is no condition, and where it goes wrong', () => {
  const rows: Record<string, [number, RegExp]> = {
    '': [0, /ends too early/],
    'completed(a': [11, /\) is missing/],
    completed: [9, /needs the id/],
    'completed()': [10, /needs the id/],
    'finished(a)': [0, /is no condition/],
    'completed(a) && ': [15, /ends too early/],
    'completed(a) completed(b)': [13, /has no place here/],
    'completed(a) and completed(b)': [13, /has no place here/],
    'outputs.a == "x"': [0, /names no output/],
    'outputs.a.v': [11, /compared with ==/],
    'outputs.a.v = "x"': [12, /compared with ==/],
    'outputs.a.v == x': [15, /in quotes/],
    'outputs.a.v == "x': [15, /in quotes/],
    '"x" == outputs.a.v': [0, /is no condition/],
    '(completed(a)': [13, /\) is missing/],
    '$(touch x)': [0, /is no condition/],
    '{{x}} == "1"': [0, /is no condition/],
  }
  for (const [text, [start, message]] of Object.entries(rows)) {
    const parsed = parseWhen(text)
    assert.ok('problem' in parsed, text)
    assert.match(parsed.problem.message, message, text)
    assert.equal(parsed.problem.start, start, text)
  }
  const long = parseWhen('!'.repeat(500))
  assert.ok('problem' in long && /too long/.test(long.problem.message))
})
