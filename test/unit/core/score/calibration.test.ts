/**
 * The scorer against 75 specs that were scored by hand from the rubric before its first run over them. An accepted
 * difference is in the recording with its reason; any other difference fails.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { reversibility } from '../../../../src/core/reversibility.ts'
import { scoreSpec, workflowType } from '../../../../src/core/score.ts'

const names = ['outcome', 'scope', 'constraints', 'success', 'done', 'type', 'reversible'] as const
type Calibrated = { spec: string; misleads: boolean; hand: string[]; kept: Map<string, string> }

function recorded(): Calibrated[] {
  const rows: Calibrated[] = []
  const text = readFileSync(new URL('../../../recordings/score/calibration.txt', import.meta.url), 'utf8')
  for (const line of text.split('\n').filter(one => one !== '' && !one.startsWith('#'))) {
    const [, name = '', value = '', why = ''] = /^\s+(\w+) (\w+): (.+)$/.exec(line) ?? []
    if (why !== '') rows.at(-1)?.kept.set(name, value)
    else {
      const [left = '', ...right] = line.split(' | ')
      const hand = left.replace('~', '').trim().split(/\s+/)
      rows.push({ spec: right.join(' | '), misleads: left.includes('~'), hand, kept: new Map() })
    }
  }
  return rows
}

function found(spec: string): string[] {
  const points = scoreSpec(spec).dimensions.map(dimension => String(dimension.points))
  return [...points, workflowType(spec), reversibility(spec)]
}

const rows = recorded()

test('there are enough specs, and enough of them mislead', () => {
  assert.ok(rows.length >= 60)
  assert.ok(rows.filter(({ misleads }) => misleads).length >= 20)
  for (const { hand, spec } of rows) assert.equal(hand.length, names.length, spec)
})

for (const { spec, hand, kept } of rows) {
  test(spec, () => {
    const expected = hand.map((value, at) => kept.get(names[at] ?? '') ?? value)
    assert.deepEqual(
      found(spec).map((value, at) => `${names[at]} ${value}`),
      expected.map((value, at) => `${names[at]} ${value}`),
    )
  })
}

test('the differences that are kept are few', () => {
  const differences = rows.reduce((sum, { kept }) => sum + kept.size, 0)
  const judgements = rows.length * names.length
  assert.ok(differences / judgements <= 0.06, `${differences} of ${judgements}`)
})
